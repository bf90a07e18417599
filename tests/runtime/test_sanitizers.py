# SPDX-License-Identifier: Apache-2.0
"""The reports of sanitizers that count, and the compilers that link programs with them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.runtime.sanitizers import is_remark, linking_compilers

TOO_MUCH = "==6675==WARNING: AddressSanitizer failed to allocate 0x4000000000001100 bytes\n"
TOO_MUCH_FOR_THREADS = "==7==WARNING: ThreadSanitizer failed to allocate 0x4000000000001100 bytes\n"
REMARK = (
    "==12==WARNING: ASan is ignoring requested __asan_handle_no_return: stack type: default top: 0x7ffe6f0c1000; "
    "bottom 0x7f8a52e00000; size: 0x00741c2c1000 (498719789056)\n"
    "False positive error reports may follow\n"
    "For details see https://github.com/google/sanitizers/issues/189\n"
)


@pytest.mark.parametrize("report", [REMARK, TOO_MUCH + REMARK + TOO_MUCH, TOO_MUCH_FOR_THREADS, ""])
def test_remarks_do_not_count(report: str) -> None:
    assert is_remark(report)


@pytest.mark.parametrize(
    "report",
    [
        "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\nSUMMARY: AddressSanitizer: x.c:1\n",
        "AddressSanitizer: CHECK failed: asan_thread.cpp:100\n",
        "FATAL: ThreadSanitizer: unexpected memory mapping 0x1-0x2\n",
    ],
)
def test_all_others_count(report: str) -> None:
    assert not is_remark(report)
    assert not is_remark(REMARK + report)


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (["a.c", "-o", "a"], "-Wl,--push-state -Wl,--no-as-needed -Wl,/of it/lib.so -Wl,--pop-state a.c -o a"),
        (["-O2", "-c", "a.c"], "-O2 -c a.c"),
        (["-v"], "-v"),
        (["-print-prog-name=ld"], "-print-prog-name=ld"),
    ],
)
def test_a_compiler_links_with_the_sanitizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], taken: str
) -> None:
    echo = shutil.which("echo")
    monkeypatch.setattr(shutil, "which", lambda name: echo)
    compilers = linking_compilers(tmp_path, ["/of it/lib.so"])
    assert sorted(each.name for each in compilers.iterdir()) == ["c++", "cc", "g++", "gcc"]
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run([compilers / "g++", *words], capture_output=True, text=True, check=True, env=plain)
    assert done.stdout == taken + "\n"
