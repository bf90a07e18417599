# SPDX-License-Identifier: Apache-2.0
"""Tests with the native code that Python loads under a sanitizer: python -m tests.runtime.sanitizers address TESTS...

`address` or `thread`. The runtime core, the queues of streams, direct calls, the OpenCL platform, and the runtime of
whole CUDA programs below CUDA's interface are compiled by gcc, which has the sanitizers' libraries (the wheel's clang
has none): those that a test compiles, and those of the cache, for processes that tests start. What the sanitizer finds
is written to out/sanitizers; the exit status is 1 if that is anything, or if a test fails.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import lanewise
from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.opencl import library
from lanewise.runtime import build

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "out" / "sanitizers"
_SIGNALS: Final = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
"""Guard pages are the core's own."""
OPTIONS: Final = {
    # Python and LLVM keep memory until the end, and tests ask for more than there is. Compiling forks processes of
    # several threads, which the thread sanitizer would end, and pytest with it, as if all were right.
    "address": {"ASAN_OPTIONS": f"{_SIGNALS}:detect_leaks=0:allocator_may_return_null=1:use_sigaltstack=0"},
    "thread": {
        "TSAN_OPTIONS": f"{_SIGNALS}:report_signal_unsafe=0:exitcode=0:die_after_fork=0:allocator_may_return_null=1"
    },
}
LIBRARIES: Final = {"address": "libasan.so", "thread": "libtsan.so"}
CODE: Final = {"address": [], "thread": ["--param=tsan-instrument-func-entry-exit=0"]}
"""Options of gcc beside -fsanitize. The thread sanitizer keeps a stack of the functions that each thread is in, which
switches between stacks would spoil: its reports say where the two accesses are, but not how the threads came there."""

KERNELS: Final = Path(__file__).with_name("kernels.c")
"""The source that stands for generated code in tests. The thread sanitizer has memory of its own for each address, so
that an access to a wrong one would fault there first."""

CHOSEN: Final = "TESTS_SANITIZER"
"""The environment variable that tells the process of the tests."""


_REMARKS: Final = re.compile(
    r"==\d+==WARNING: (?:Address|Thread)Sanitizer failed to allocate 0x[0-9a-f]+ bytes\n|"
    r"==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return: stack .*\n"
    r"False positive error reports may follow\n"
    r"For details see https://github\.com/google/sanitizers/issues/189\n"
)
"""Remarks of the address sanitizer: that there is less memory than was asked for, which tests do on purpose, and that a
thread has left a stack that isn't the system's."""


def is_remark(report: str) -> bool:
    """True if a report has nothing but remarks that no fault is behind."""
    return not _REMARKS.sub("", report).strip()


def compiled(source: Path, *options: str, sanitizer: str, kind: str = "-shared") -> bytes:
    """A C file as `compile_c` makes it without a sanitizer, a shared object, or with "-c" a relocatable one.

    Raises `Error` with gcc's message.
    """
    language = [] if "-x" in options else ["-std=gnu11"]
    instrumented = [] if sanitizer == "thread" and source == KERNELS else [f"-fsanitize={sanitizer}", *CODE[sanitizer]]
    command = ["gcc", *language, "-O1", "-g", "-fPIC", "-fvisibility=hidden", *instrumented, kind, *options]
    with tempfile.NamedTemporaryFile(dir=FOLDER) as target:
        words = [*command, str(source), "-o", target.name, "-lm"]
        done = subprocess.run(
            words, stderr=subprocess.PIPE, text=True, check=False, env=os.environ | {"TMPDIR": str(FOLDER)}
        )
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            raise Error(f"{source.name} could not be compiled: {errors[0] if errors else done.stderr}")
        return Path(target.name).read_bytes()


def fill(cache: Cache, sanitizer: str) -> None:
    """Put all native code that the cache lacks into it, compiled with the sanitizer."""
    for each in build.LIBRARIES:
        if cache.get(each.key(), each.file) is None:
            cache.put(each.key(), {each.file: compiled(each.unit, sanitizer=sanitizer)})
    build.compile_object = library.compile_object = partial(compiled, sanitizer=sanitizer, kind="-c")
    library.platform_library(cache, lanewise.__version__)


def _kept_cache(folder: Path) -> Path:
    """The cache in the folder, kept from earlier runs that compiled as this one does; all else there is removed."""
    cache = folder / key("sanitizers", Path(__file__).read_bytes())[:12]
    cache.mkdir(parents=True, exist_ok=True)
    for other in folder.iterdir():
        if other.is_dir() and other != cache:
            shutil.rmtree(other)
        elif other != cache:
            other.unlink()
    return cache


def _default_options(folder: Path, sanitizer: str, options: str) -> Path:
    """An object file with the sanitizer's options, for programs that tests run in an empty environment."""
    prefix = {"address": "asan", "thread": "tsan"}[sanitizer]
    source, made = folder / "options.c", folder / "options.o"
    source.write_text(f'const char *__{prefix}_default_options(void) {{ return "{options}"; }}\n')
    subprocess.run(["gcc", "-fPIC", "-c", str(source), "-o", str(made)], check=True)
    return made


def linking_compilers(folder: Path, libraries: Sequence[str]) -> Path:
    """A folder of the host's compilers that link whatever they link with the libraries."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    first = " ".join(
        shlex.quote(f"-Wl,{each}") for each in ("--push-state", "--no-as-needed", *libraries, "--pop-state")
    )
    for name in ("cc", "c++", "gcc", "g++"):
        found = shutil.which(name)
        if found is not None:
            script = bin_folder / name
            script.write_text(_COMPILER.format(compiler=shlex.quote(found), first=first))
            script.chmod(0o755)
    return bin_folder


_COMPILER: Final = """#!/bin/sh
[ "$*" = -v ] && exec {compiler} -v
for word; do
  case $word in
  -c | -E | -S | -M | -MM | -r | --version | -dump* | -print-*) exec {compiler} "$@" ;;
  esac
done
exec {compiler} {first} "$@"
"""


def _linking(folder: Path, sanitizer: str, libraries: Sequence[str]) -> dict[str, str]:
    """Variables by which programs that tests build link with the libraries. Shells fault in the thread sanitizer's
    library, so no scripts can stand for compilers there."""
    if sanitizer == "address":
        return {"PATH": f"{linking_compilers(folder, libraries)}{os.pathsep}{os.environ['PATH']}"}
    nvcc = " ".join(f"-Xlinker {each}" for each in libraries)
    return {"NVCC_APPEND_FLAGS": nvcc, "LDFLAGS": " ".join(libraries)}  # the second for programs that CMake links


def pytest_configure() -> None:
    """As a plugin of pytest: make tests compile with the sanitizer, also what they keep in caches of their own."""
    build.compile_c = partial(compiled, sanitizer=os.environ[CHOSEN])
    build.compile_object = partial(compiled, sanitizer=os.environ[CHOSEN], kind="-c")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.runtime.sanitizers")
    parser.add_argument("sanitizer", choices=sorted(OPTIONS))
    parser.add_argument("tests", nargs="+", help="arguments of pytest")
    given, others = parser.parse_known_args()
    folder = FOLDER / given.sanitizer
    cache = _kept_cache(folder)
    fill(Cache(cache), given.sanitizer)
    asked = ["gcc", f"-print-file-name={LIBRARIES[given.sanitizer]}"]
    preloaded = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    preloaded = str(Path(preloaded).resolve())
    ((name, options),) = OPTIONS[given.sanitizer].items()
    options = f"{options}:log_path={folder / 'report'}"
    linked = [str(_default_options(folder, given.sanitizer, options)), preloaded]
    variables = os.environ | {
        "LANEWISE_CACHE_DIR": str(cache),
        CHOSEN: given.sanitizer,
        name: options,
        **_linking(folder, given.sanitizer, linked),
    }
    # A fixed layout of memory: the thread sanitizer of gcc 12 knows no other, so it comes after that is set.
    command = [
        "setarch",
        "-R",
        "env",
        f"LD_PRELOAD={preloaded}",
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
    if status < 0:
        print(f"signal {-status} has ended the tests")
    reports = [each for each in sorted(folder.glob("report*")) if not is_remark(each.read_text(errors="replace"))]
    print(f"{len(reports)} processes were told of something" if reports else "the sanitizer has found nothing")
    for report in reports:
        print(f"  {report.relative_to(ROOT)}")
    return 1 if status or reports else 0


if __name__ == "__main__":
    sys.exit(main())
