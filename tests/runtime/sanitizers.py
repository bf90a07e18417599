# SPDX-License-Identifier: Apache-2.0
"""Tests with the native code that Python loads under a sanitizer: python -m tests.runtime.sanitizers address TESTS...

`address` or `thread`. The runtime core, the queues of streams and direct calls are compiled by gcc, which has the
sanitizers' libraries (the wheel's clang has none): those that a test compiles, and those of the cache, for processes
that tests start. What the sanitizer finds is written to out/sanitizers; the exit status is 1 if that is anything, or if
a test fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from lanewise.cache import Cache
from lanewise.runtime import build

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "out" / "sanitizers"
_SIGNALS: Final = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
"""Guard pages are the core's own."""
OPTIONS: Final = {
    # Python and LLVM keep memory until the end, and tests ask for more than there is.
    "address": {"ASAN_OPTIONS": f"{_SIGNALS}:detect_leaks=0:allocator_may_return_null=1:use_sigaltstack=0"},
    "thread": {"TSAN_OPTIONS": f"{_SIGNALS}:report_signal_unsafe=0:exitcode=0"},
}
LIBRARIES: Final = {"address": "libasan.so", "thread": "libtsan.so"}


CHOSEN: Final = "TESTS_SANITIZER"
"""The environment variable that tells the process of the tests."""


def compiled(source: Path, *options: str, sanitizer: str) -> bytes:
    """The shared object of a C file, as `compile_c` makes it without a sanitizer."""
    command = ["gcc", "-std=gnu11", "-O1", "-g", "-fPIC", "-fvisibility=hidden", "-shared", f"-fsanitize={sanitizer}"]
    with tempfile.NamedTemporaryFile() as target:
        subprocess.run([*command, *options, str(source), "-o", target.name, "-lm"], check=True)
        return Path(target.name).read_bytes()


def pytest_configure() -> None:
    """As a plugin of pytest: make tests compile with the sanitizer."""
    build.compile_c = partial(compiled, sanitizer=os.environ[CHOSEN])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.runtime.sanitizers")
    parser.add_argument("sanitizer", choices=sorted(OPTIONS))
    parser.add_argument("tests", nargs="+", help="arguments of pytest")
    given, others = parser.parse_known_args()
    folder = FOLDER / given.sanitizer
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cache = Cache(folder / "cache")
    for library in build.LIBRARIES:
        cache.put(library.key(), {library.file: compiled(library.unit, sanitizer=given.sanitizer)})
    asked = ["gcc", f"-print-file-name={LIBRARIES[given.sanitizer]}"]
    preloaded = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    ((name, options),) = OPTIONS[given.sanitizer].items()
    variables = os.environ | {
        "LANEWISE_CACHE_DIR": str(folder / "cache"),
        CHOSEN: given.sanitizer,
        "LD_PRELOAD": str(Path(preloaded).resolve()),
        name: f"{options}:log_path={folder / 'report'}",
    }
    # A fixed layout of memory: the thread sanitizer of gcc 12 knows no other.
    command = [
        "setarch",
        "-R",
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        __spec__.name,
        *given.tests,
        *others,
    ]
    status = subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
    reports = sorted(folder.glob("report*"))
    print(f"{len(reports)} processes were told of something" if reports else "the sanitizer has found nothing")
    for report in reports:
        print(f"  {report.relative_to(ROOT)}")
    return 1 if status or reports else 0


if __name__ == "__main__":
    sys.exit(main())
