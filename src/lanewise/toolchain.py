# SPDX-License-Identifier: Apache-2.0
"""The native tools: clang and lld inside the `ziglang` wheel, found without importing it, and linking.

The wheel's `zig` binary is several programs in one: `zig clang ...` is clang's driver, `zig ld.lld ...` the
ELF linker. Calling it directly saves the start of a second Python (10 ms against 22 ms for a small kernel).
"""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib.util
import os
from collections.abc import Generator, Sequence
from pathlib import Path

from lanewise.errors import Error
from lanewise.log import step


@functools.cache
def package_folder(name: str) -> Path | None:
    """Folder of the installed top-level package `name`, without importing it; None where there is none."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def zig() -> Path:
    """The `zig` binary. Raises `Error` where the `ziglang` wheel is not installed or not complete."""
    folder = package_folder("ziglang")
    if folder is None or not (folder / "zig").is_file():
        raise Error("the ziglang wheel, which holds clang and lld, is not installed: pip install ziglang")
    return folder / "zig"


def zig_library() -> Path:
    """The wheel's `lib` folder: clang's own headers in `include`, libc's in `libc/include`."""
    return zig().parent / "lib"


def run_zig(arguments: Sequence[str], failure: str, descriptors: Sequence[int] = ()) -> bytes:
    """What `zig` with these arguments writes, given an empty input and the open `descriptors`.

    Raises `Error` with `failure` and the tool's own message if it does not succeed.
    """
    import subprocess  # 5 ms, and a warm start runs no tool

    command = [str(zig()), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, pass_fds=descriptors, check=False)
    if done.returncode != 0:
        raise Error(f"{failure}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def link_shared_object(objects: Sequence[bytes]) -> bytes:
    """Links relocatable ELF objects. Undefined symbols stay open, for the loader to find in the process.

    Raises `Error` with lld's message, for example on a symbol that is defined twice. lld alone takes 6 ms
    (`zig cc -shared` would build a libc first: 3 s). Both ends are memory: there is no temporary file.
    """
    arguments = ["ld.lld", "-shared", "--gc-sections", "-z", "relro", "--build-id=none", "-o", "-"]
    with contextlib.ExitStack() as stack:
        inputs = [stack.enter_context(memory_file(data)) for data in objects]
        arguments += [f"/proc/self/fd/{descriptor}" for descriptor in inputs]
        with step("link by lld"):
            return run_zig(arguments, "lld could not link", inputs)


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
