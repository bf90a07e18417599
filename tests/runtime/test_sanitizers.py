# SPDX-License-Identifier: Apache-2.0
"""The reports of sanitizers that count."""

import pytest
from tests.runtime.sanitizers import is_remark

TOO_MUCH = "==6675==WARNING: AddressSanitizer failed to allocate 0x4000000000001100 bytes\n"
REMARK = (
    "==12==WARNING: ASan is ignoring requested __asan_handle_no_return: stack type: default top: 0x7ffe6f0c1000; "
    "bottom 0x7f8a52e00000; size: 0x00741c2c1000 (498719789056)\n"
    "False positive error reports may follow\n"
    "For details see https://github.com/google/sanitizers/issues/189\n"
)


@pytest.mark.parametrize("report", [REMARK, TOO_MUCH + REMARK + TOO_MUCH, ""])
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
