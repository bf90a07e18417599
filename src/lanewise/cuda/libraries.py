# SPDX-License-Identifier: Apache-2.0
"""The libraries that programs are linked with, built by the wheel's clang once and kept in the cache.

| file                 | content                                                                                |
| -------------------- | -------------------------------------------------------------------------------------- |
| `libcudart_static.a` | NVIDIA's runtime interface and the host runtime, for programs that need nothing else   |
| `libcudart.so.12`    | NVIDIA's runtime interface, also called `libcudart.so`; it finds the next one beside it |
| `liblanewise.so`     | the host runtime, one of a process                                                     |
| `libcudadevrt.a`, `libcuda.a` | nothing: build systems name them; libcudart has the driver API, too           |
| `driver/libcuda.so.1` | libcudart.so.12 by the name of NVIDIA's driver, for programs that open that themselves |
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lanewise.cache import Cache, key
from lanewise.config import environment_with_libraries
from lanewise.cuda.entry_points import with_entry_points
from lanewise.errors import Error
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.log import looked_up, step
from lanewise.runtime.build import compile_ir, host_object, ir_of
from lanewise.toolchain import link_shared_object

SOURCES: Final = Path(__file__).parent / "runtime"
"""Folder of the sources of libcudart; `cudart.cpp` includes all other files."""

STATIC: Final = "libcudart_static.a"
SHARED: Final = "libcudart.so.12"
HOST_RUNTIME: Final = "liblanewise.so"
DEVICE_RUNTIME: Final = "libcudadevrt.a"
DRIVER: Final = "driver"
"""The folder of the driver. Programs look there only if they are told to, since the runtime itself opens NVIDIA's with
LANEWISE_DEVICE=cuda."""

_OPTIONS: Final = (
    "-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fvisibility-inlines-hidden",
    # An exception that a function in a stream throws ends the program here: nobody can unwind further.
    "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
)  # fmt: skip
_EXPORTED: Final = """
libcudart.so.12 {
  global: cuda*; cu[A-Z]*; __cuda*; __lw*; __trunc?f?f2; __extendhfsf2;
  local: *;
};
"""
"""The symbols of libcudart, under the version that NVIDIA's has."""
_EXPORTED_BY_HOST_RUNTIME: Final = """
LANEWISE_1 {
  global: lw_*;
  local: *;
};
"""


def library_folder(cache: Cache) -> Path:
    """The folder with the libraries, built at its first use. Error if nothing can be kept in the cache."""
    if cache.base is None:
        raise Error("CUDA's runtime library is kept in the cache, which is turned off")
    folder = cache.base / "cuda-libraries" / _key()[:16]
    found = (folder / DEVICE_RUNTIME).is_file()  # the last one
    looked_up("CUDA's runtime library", found=found)
    if not found:
        with step("build CUDA's runtime library"):
            _build(folder, cache)
    return folder


def environment_of_programs(cache: Cache) -> dict[str, str]:
    """The environment of a program that Lanewise runs: it finds libcuda.so.1 where it opens the driver itself."""
    return environment_with_libraries(str(library_folder(cache) / DRIVER))


def compile_cudart() -> bytes:
    """The runtime library as one object, without the host runtime."""
    build = ",".join(map(str, bytes.fromhex(build_of_cudart())))
    options = [*_OPTIONS, f"-DLW_BUILD_BYTES={build}", "-isystem", str(HEADERS)]
    return compile_ir(with_entry_points(ir_of(SOURCES / "cudart.cpp", *options)))


def link_cudart(compiled: bytes, host_runtime: bytes) -> bytes:
    """The runtime library as a shared one, which needs the host runtime's."""
    return link_shared_object([compiled, host_runtime], soname=SHARED, exported=_EXPORTED, rpath="$ORIGIN", stays=True)


def link_host_runtime(compiled: bytes) -> bytes:
    """The host runtime as a shared library."""
    return link_shared_object([compiled], soname=HOST_RUNTIME, exported=_EXPORTED_BY_HOST_RUNTIME, stays=True)


def build_of_cudart() -> str:
    """The digest in which copies of the library agree that share a device: 16 bytes, in hexadecimal digits."""
    return _key()[:32]


def _key() -> str:
    folders = (
        SOURCES,
        HEADERS / "lanewise",
        SOURCES.parents[1] / "runtime" / "host",
        SOURCES.parents[1] / "runtime" / "queue",
        SOURCES.parents[1] / "runtime" / "core",
    )
    made_by = [(SOURCES.parent / name).read_bytes() for name in ("entry_points.py", "driver_versions.py")]
    sources = [file.read_bytes() for folder in folders for file in sorted(folder.iterdir()) if file.is_file()]
    return key("cuda libraries", *_OPTIONS, _EXPORTED, _EXPORTED_BY_HOST_RUNTIME, DRIVER, *made_by, *sources)


def _build(folder: Path, cache: Cache) -> None:
    cudart, runtime = compile_cudart(), host_object(cache)
    host_runtime = link_host_runtime(runtime)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / STATIC, archive({"cudart.o": cudart, "lanewise.o": runtime}))
        _write(folder / HOST_RUNTIME, host_runtime)
        _write(folder / SHARED, link_cudart(cudart, host_runtime))
        _link(folder / "libcudart.so", SHARED)
        (folder / DRIVER).mkdir(exist_ok=True)
        for name in ("libcuda.so.1", "libcuda.so"):
            _link(folder / DRIVER / name, os.path.join(os.pardir, SHARED))
        _link(folder / DRIVER / HOST_RUNTIME, os.path.join(os.pardir, HOST_RUNTIME))
        _write(folder / "libcuda.a", archive({}))
        _write(folder / DEVICE_RUNTIME, archive({}))
    except OSError as error:
        raise Error(f"{folder}: CUDA's runtime library can't be written: {error.strerror}") from None


def archive(objects: dict[str, bytes]) -> bytes:
    """A static library of objects (System V ABI, "Archive File"), with a table of the symbols that they define."""
    heads: list[bytes] = []
    members: list[bytes] = []
    symbols = [(name, number) for number, data in enumerate(objects.values()) for name in defined_symbols(data)]
    names = b"".join(name + b"\0" for name, _ in symbols)
    table = 4 + 4 * len(symbols) + len(names)
    at = len(_MAGIC) + _HEAD + table + table % 2
    places: list[int] = []
    for name, data in objects.items():
        places.append(at)
        heads.append(_head(f"{name}/", len(data)))
        members.append(data + b"\n" * (len(data) % 2))
        at += _HEAD + len(members[-1])
    index = len(symbols).to_bytes(4, "big") + b"".join(places[number].to_bytes(4, "big") for _, number in symbols)
    first = _head("/", table) + index + names + b"\n" * (table % 2)
    return _MAGIC + first + b"".join(head + member for head, member in zip(heads, members, strict=True))


_MAGIC: Final = b"!<arch>\n"
_HEAD: Final = 60


def _head(name: str, size: int) -> bytes:
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{size:<10}`\n".encode()


def defined_symbols(data: bytes) -> Sequence[bytes]:
    """The names of the global symbols that an object file defines."""
    from lanewise.backend.host.sections import global_symbols

    return global_symbols(data)


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_bytes(data)
    os.replace(partial, path)


def _link(link: Path, target: str) -> None:
    partial = link.with_name(f".{link.name}.{os.getpid()}")
    partial.symlink_to(target)
    os.replace(partial, link)
