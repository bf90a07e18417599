# SPDX-License-Identifier: Apache-2.0
"""The native tools: clang and lld inside the `ziglang` wheel, found without importing it, and linking.

The wheel's `zig` binary is several programs in one: `zig clang ...` is clang's driver, `zig ld.lld ...` the
ELF linker. Calling it directly saves the start of a second Python (10 ms against 22 ms for a small kernel).

`LANEWISE_CLANG` names another clang of the same major version. The linker and all headers remain the wheel's: clang's
own, libc++'s and libc's.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib.util
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from lanewise.config import chosen_clang
from lanewise.errors import Error
from lanewise.log import step

CLANG_MAJOR: Final = 22
"""The major version of every clang that is used: that of llvmlite's LLVM, which reads its IR."""


@functools.cache
def package_folder(name: str) -> Path | None:
    """Folder of the installed top-level package `name`, without importing it; None where there is none, or its import
    is refused."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def has_compiler() -> bool:
    """True if there are LLVM and a linker, which make all machine code. Without them, only what was compiled before can
    run."""
    return package_folder("llvmlite") is not None and package_folder("ziglang") is not None


def zig() -> Path:
    """The `zig` binary. Raises `Error` where the `ziglang` wheel is not installed or not complete."""
    folder = package_folder("ziglang")
    if folder is None or not (folder / "zig").is_file():
        raise Error("the ziglang wheel, which holds clang and lld, is not installed: pip install ziglang")
    return folder / "zig"


def zig_library() -> Path:
    """The wheel's `lib` folder: clang's own headers in `include`, libc's in `libc/include`."""
    return zig().parent / "lib"


def clang_command() -> list[str]:
    """Return the words that a command of clang's driver starts with: the wheel's, or the one that `LANEWISE_CLANG`
    names.

    Raises `Error` if there is no such program, or if it is no clang that can be used.
    """
    chosen = chosen_clang()
    # Files of a machine's configuration would change the results of another clang; the wheel's reads none.
    return [str(zig()), "clang"] if chosen is None else [_checked_clang(chosen), "--no-default-config"]


def clang_identity() -> str | None:
    """Return the path, size and time of change of the clang that `LANEWISE_CLANG` names, for the keys of caches; None
    without the variable. Nothing is run."""
    chosen = chosen_clang()
    if chosen is None:
        return None
    path = _program(chosen)
    if path is None:
        return f"{chosen} absent"
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _program(chosen: str) -> str | None:
    """The absolute path of a program given by its path, or by a name to look for in `PATH`."""
    import shutil  # few environments name a clang

    found = shutil.which(chosen)
    return None if found is None else os.path.abspath(found)


@functools.cache
def _checked_clang(chosen: str) -> str:
    """The path of a clang of version `CLANG_MAJOR` that makes code for `nvptx64` and for this machine."""
    import platform
    import re

    path = _program(chosen)
    if path is None:
        raise Error(f"LANEWISE_CLANG: {chosen} is no program")
    version = re.search(r"\bclang version (\d+)[.\d]*", _said(path, "--version"))
    if version is None:
        raise Error(f"LANEWISE_CLANG: {path} is no clang: `--version` does not say which one it is")
    if int(version[1]) != CLANG_MAJOR:
        raise Error(f"LANEWISE_CLANG: {path} is {version[0]}, but lanewise works with clang {CLANG_MAJOR}")
    targets = re.findall(r"^ +([\w-]+) +- ", _said(path, "--print-targets"), re.MULTILINE)
    for target in ("nvptx64", platform.machine().replace("_", "-")):
        if target not in targets:
            raise Error(f"LANEWISE_CLANG: {path} makes no code for {target}; it was built for {', '.join(targets)}")
    return path


def _said(program: str, option: str) -> str:
    """Standard output of `program option`."""
    import subprocess

    try:
        done = subprocess.run([program, option], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Error(f"LANEWISE_CLANG: {program} {option} can't be run: {error}") from None
    return done.stdout.decode(errors="replace")


def run_zig(arguments: Sequence[str], failure: str, descriptors: Sequence[int] = ()) -> bytes:
    """Output of a tool, clang or ld.lld, that `arguments` start with. It gets an empty input and the open
    `descriptors`.

    Raises `Error` with `failure` and the tool's own message if it does not succeed.
    """
    import subprocess  # 5 ms, and a warm start runs no tool

    tool, *rest = arguments
    command = [*clang_command(), *rest] if tool == "clang" else [str(zig()), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, pass_fds=descriptors, check=False)
    if done.returncode != 0:
        raise Error(f"{failure}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def link_shared_object(
    objects: Sequence[bytes],
    soname: str | None = None,
    exported: str | None = None,
    rpath: str | None = None,
    stays: bool = False,
    bound: bool = False,
) -> bytes:
    """Links relocatable ELF objects, and shared ones that the result then needs by their names. Undefined symbols stay
    open, for the loader to find in the process.

    soname      the name that programs load the library by
    exported    a version script of lld: the symbols that the library has
    rpath       where the loader looks for the libraries that it needs
    stays       stays loaded when programs close it
    bound       refers to its own symbols, also where the process has others of the same names

    Raises `Error` with lld's message, for example on a symbol that is defined twice. lld alone takes 6 ms
    (`zig cc -shared` would build a libc first: 3 s). Both ends are memory: there is no temporary file.
    """
    options = ["-shared", "--gc-sections", "-z", "relro", "--build-id=none"]
    options += [] if soname is None else ["-soname", soname]
    options += [] if rpath is None else ["-rpath", rpath]
    options += ["-z", "nodelete"] * stays
    options += ["-Bsymbolic"] * bound
    if exported is None:
        return _link(options, objects)
    with memory_file(exported.encode()) as script:
        return _link([*options, "--version-script", f"/proc/self/fd/{script}"], objects, [script])


def join_objects(objects: Sequence[bytes]) -> bytes:
    """One relocatable ELF object of several. Raises `Error` with lld's message."""
    return _link(["-r"], objects)


def _link(options: Sequence[str], objects: Sequence[bytes], descriptors: Sequence[int] = ()) -> bytes:
    arguments = ["ld.lld", *options, "-o", "-"]
    with contextlib.ExitStack() as stack:
        inputs = [stack.enter_context(memory_file(data)) for data in objects]
        arguments += [f"/proc/self/fd/{descriptor}" for descriptor in inputs]
        with step("link by lld"):
            return run_zig(arguments, "lld could not link", [*inputs, *descriptors])


@contextlib.contextmanager
def memory_file(data: bytes = b"") -> Generator[int]:
    """A file in memory that holds `data`, open at its start and closed on exit; its descriptor.

    Raises `Error` where the system allows no such file: a limit on the size of files counts here, too.
    """
    descriptor = os.memfd_create("lanewise", os.MFD_CLOEXEC)
    try:
        fill(descriptor, data)
        yield descriptor
    finally:
        os.close(descriptor)


def fill(descriptor: int, data: bytes) -> None:
    """Write `data` at the start of an empty file, and go back there. Raises `Error` where it doesn't fit."""
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        limit = " (ulimit -f is the limit on the size of files)" if error.errno == errno.EFBIG else ""
        raise Error(f"{len(data)} bytes can't be written to a file in memory: {error.strerror}{limit}") from None
