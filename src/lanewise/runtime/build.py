# SPDX-License-Identifier: Apache-2.0
"""The runtime core and the host runtime, compiled from C by the wheel's clang once, then cached."""

import functools
import hashlib
import os
import platform
import sys
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.log import looked_up, step
from lanewise.runtime.brought_libraries import brought
from lanewise.toolchain import link_shared_object, memory_file, run_zig, zig_library

CORE = Path(__file__).parent / "core"
"""Folder of the C sources; `lanewise_rt.h` is the interface, `core.c` includes all other files."""

HOST = Path(__file__).parent / "host"
"""Folder of the host runtime's sources; `lanewise.h` is the interface, `host.c` includes all other files, and the core.
"""

QUEUE = Path(__file__).parent / "queue"
"""Folder of the sources of queues, which the host runtime includes. `served.c` is the unit of those that threads of
Python serve, `served.h` its interface."""

CALLS = Path(__file__).parent / "calls"
"""Folder of the sources of calls that Python makes without its interpreter; `calls.c` includes all other files."""

_OBJECT = "lanewise.o"
_OPTIONS = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")

# The wheel's folders of libc headers for a glibc host, most specific first.
_LIBC_FOLDERS = {
    "x86_64": ("x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any"),
    "aarch64": ("aarch64-linux-gnu", "generic-glibc", "aarch64-linux-any", "any-linux-any"),
}


def core_library(cache: Cache) -> Path | bytes:
    """The core's shared object: a file of the cache, or its bytes if nothing can be cached.

    Raises `Error` on a machine that is neither x86-64 nor aarch64, and with clang's message if it fails.
    """
    return _built(cache, _CORE_LIBRARY)


def queue_library(cache: Cache) -> Path | bytes:
    """The shared object of served queues. Otherwise as `core_library`."""
    return _built(cache, _QUEUE_LIBRARY)


def call_library(cache: Cache) -> Path | bytes:
    """The shared object of direct calls, which refers to Python's own symbols. Otherwise as `core_library`."""
    return _built(cache, _CALL_LIBRARY)


def libraries_to_bring(cache: Cache) -> dict[str, bytes]:
    """The shared objects that launches from Python need, for `brought_libraries.bring` on a machine without clang."""
    found: dict[str, bytes] = {}
    for library in LIBRARIES:
        built = _built(cache, library)
        found[library.digest()] = built if isinstance(built, bytes) else built.read_bytes()
    return found


class _Library(NamedTuple):
    """A shared object: its name in messages and keys, its unit, its file in the cache, and the folders of sources."""

    what: str
    unit: Path
    file: str
    folders: tuple[Path, ...]

    def key(self) -> str:
        """The cache's key, which tells the tools, too."""
        return key(self.what, *self._parts())

    def digest(self) -> str:
        """A digest of the sources, whichever tools compiled them."""
        digest = hashlib.sha256(self.what.encode())
        for part in self._parts():
            data = part.encode() if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def _parts(self) -> list[str | bytes]:
        sources = [source for folder in self.folders for source in sources_in(folder)]
        return [platform.machine(), *_OPTIONS, *sources]


_CORE_LIBRARY: Final = _Library("runtime's core", CORE / "core.c", "lanewise_rt.so", (CORE,))
_QUEUE_LIBRARY: Final = _Library("queues of streams", QUEUE / "served.c", "lanewise_queues.so", (CORE, QUEUE))
_CALL_LIBRARY: Final = _Library("direct calls", CALLS / "calls.c", "lanewise_calls.so", (CORE, CALLS))
LIBRARIES: Final = (_CORE_LIBRARY, _QUEUE_LIBRARY, _CALL_LIBRARY)
"""All shared objects that Python loads."""


def _built(cache: Cache, library: _Library) -> Path | bytes:
    """The shared object of a unit, which includes files of its folder and of the core's."""
    entry = library.key()
    cached = cache.get(entry, library.file)
    looked_up(f"the {library.what}", found=cached is not None)
    if cached is not None:
        return cached
    data = brought(library.digest())
    if data is None:
        with step(f"build the {library.what}"):
            data = compile_c(library.unit)
    folder = cache.put(entry, {library.file: data})
    return data if folder is None else folder / library.file


def is_core_built(cache: Cache) -> bool:
    """True if the cache holds the core, so that `core_library` compiles nothing."""
    return cache.get(_CORE_LIBRARY.key(), _CORE_LIBRARY.file) is not None


def host_object(cache: Cache) -> bytes:
    """The host runtime, the core included, as a relocatable object. Errors as `core_library`."""
    entry = key("host runtime of", sys.executable, build_of_host())
    cached = cache.get(entry, _OBJECT)
    looked_up("the host runtime", found=cached is not None)
    if cached is not None:
        return cached.read_bytes()
    with step("build the host runtime"):
        data = compile_host(HOST / "host.c")
    cache.put(entry, {_OBJECT: data})
    return data


def compile_host(source: Path) -> bytes:
    """A C file that is the host runtime, or includes it, as a relocatable object. Errors as `core_library`."""
    return compile_object(source, f"-DLW_PYTHON={_c_text(sys.executable)}", f"-DLW_BUILD={_c_text(build_of_host())}")


def build_of_host() -> str:
    """A digest of the host runtime's sources and of all tools: its compile service must be of the same build."""
    return key("host runtime", platform.machine(), *_OPTIONS, *sources_in(CORE), *sources_in(QUEUE), *sources_in(HOST))


def _c_text(text: str) -> str:
    """A string literal of C."""
    return '"' + "".join(f"\\{byte:03o}" for byte in os.fsencode(text)) + '"'


@functools.cache
def sources_in(folder: Path) -> tuple[bytes, ...]:
    """The C and C++ sources of a folder, in the order of their names. A process reads them once: a compile service
    compares them at each request."""
    return tuple(file.read_bytes() for file in sorted(folder.iterdir()) if file.suffix in (".c", ".cpp", ".h"))


def compile_core() -> bytes:
    """Compile and link the core, without the cache."""
    return compile_c(CORE / "core.c")


def compile_c(source: Path, *options: str) -> bytes:
    """One C file as a shared object, compiled with the wheel's libc headers. Raises `Error` with clang's message."""
    return link_shared_object([compile_object(source, *options)])


def compile_object(source: Path, *options: str) -> bytes:
    """One C file as a relocatable object, otherwise as `compile_c`."""
    arguments = ["clang", *_arguments(), *options, "-c", str(source), "-o", "-"]
    return run_zig(arguments, f"{source.name} could not be compiled")


def ir_of(source: Path, *options: str) -> str:
    """One file in C or C++ as LLVM IR in text, optimised. Otherwise as `compile_object`."""
    arguments = ["clang", *_arguments(), *options, "-S", "-emit-llvm", str(source), "-o", "-"]
    return run_zig(arguments, f"{source.name} could not be compiled").decode()


def compile_ir(ir: str) -> bytes:
    """Machine code of what `ir_of` gave, as a relocatable object."""
    with memory_file(ir.encode()) as text:
        options = ["-O2", "-fPIC", "-Xclang", "-disable-llvm-passes", "-x", "ir", "-c", f"/dev/fd/{text}", "-o", "-"]
        return run_zig(["clang", "-target", f"{platform.machine()}-linux-gnu", *options], "LLVM IR", [text])


def _arguments() -> list[str]:
    return [*libc_arguments(), *_OPTIONS]


def libc_arguments() -> list[str]:
    """Clang's arguments for code of this machine with the wheel's libc headers, and no others."""
    machine = platform.machine()
    if machine not in _LIBC_FOLDERS:
        raise Error(f"the runtime core supports x86_64 and aarch64 machines, not {machine}")
    library = zig_library()
    folders = [library / "include", *(library / "libc" / "include" / name for name in _LIBC_FOLDERS[machine])]
    arguments = ["-target", f"{machine}-linux-gnu", "-nostdinc"]
    for folder in folders:
        arguments += ["-isystem", str(folder)]
    return arguments
