# SPDX-License-Identifier: Apache-2.0
"""The libraries that programs for CUDA are linked with: built from `runtime/` by the wheel's clang once, then cached.

| file                 | content                                                                          |
| -------------------- | -------------------------------------------------------------------------------- |
| `libcudart.so.12`    | NVIDIA's runtime API; it needs `liblanewise.so`, from its own folder             |
| `libcudart_static.a` | the same as an archive, for programs that link the host runtime in               |
| `libcudadevrt.a`     | nothing: kernels can't launch kernels                                            |

They are C++ without its library: what they leave undefined is libc's and the host runtime's.
"""

from __future__ import annotations

import contextlib
import platform
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.log import looked_up, step
from lanewise.runtime.build import CORE, libc_arguments
from lanewise.toolchain import memory_file, run_zig, zig

SOURCES: Final = Path(__file__).parent / "runtime"
"""Folder of the C++ sources; `cudart.cpp` includes all other files."""

SHARED: Final = "libcudart.so.12"
STATIC: Final = "libcudart_static.a"
DEVICE_RUNTIME: Final = "libcudadevrt.a"

HOST_RUNTIME: Final = "liblanewise.so"
"""The host runtime's name, as the loader looks for it."""

_EMPTY_ARCHIVE: Final = b"!<arch>\n"

_OPTIONS: Final = (
    "-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
    "-Wall", "-Wextra",
)  # fmt: skip

_EXPORTED: Final = """
libcudart.so.12 {
  global: cuda*; __cuda*; __lwBind*; __trunc?f?f2; __extendhfsf2;
  local: *;
};
"""
"""The symbols that the library has, under the version that NVIDIA's has."""


def cuda_libraries(cache: Cache) -> Path | dict[str, bytes]:
    """The folder of the cache that has the libraries, or their bytes by name if nothing can be cached.

    Raises `Error` with clang's or lld's message if they can't be built.
    """
    libraries_key = _key()
    cached = cache.get(libraries_key, SHARED)
    looked_up("CUDA's runtime library", found=cached is not None)
    if cached is not None:
        return cached.parent
    with step("build CUDA's runtime library"):
        built = build_libraries()
    return cache.put(libraries_key, built) or built


def build_libraries() -> dict[str, bytes]:
    """Compile and link the libraries, without the cache: their bytes by name."""
    compiled = compile_cudart()
    return {
        SHARED: link_cudart(compiled),
        STATIC: archive({"cudart.o": compiled}),
        DEVICE_RUNTIME: _EMPTY_ARCHIVE,
    }


def compile_cudart(*options: str) -> bytes:
    """The library as an object file. Raises `Error` with clang's message."""
    arguments = ["clang", *libc_arguments(), *_OPTIONS, "-isystem", str(HEADERS), *options]
    return run_zig([*arguments, "-c", str(SOURCES / "cudart.cpp"), "-o", "-"], "CUDA's runtime can't be compiled")


def link_cudart(compiled: bytes) -> bytes:
    """The shared library of an object file."""
    with contextlib.ExitStack() as stack:
        paths = [
            f"/proc/self/fd/{stack.enter_context(memory_file(data))}"
            for data in (compiled, _stand_in(HOST_RUNTIME), _EXPORTED.encode())
        ]
        program, runtime, exported = paths
        descriptors = [int(path.rpartition("/")[2]) for path in paths]
        arguments = [
            "ld.lld", "-shared", "--gc-sections", "-z", "relro", "-z", "now", "--build-id=none", "-soname", SHARED,
            "-rpath", "$ORIGIN", "--version-script", exported, program, runtime, "-o", "-",
        ]  # fmt: skip
        return run_zig(arguments, "lld could not link CUDA's runtime", descriptors)


def _stand_in(name: str) -> bytes:
    """An empty shared library, so that what is linked with it will need the real one of that name."""
    nothing = run_zig(["clang", *libc_arguments(), "-x", "c", "-c", "/dev/null", "-o", "-"], "clang failed")
    with memory_file(nothing) as descriptor:
        arguments = ["ld.lld", "-shared", "-soname", name, f"/proc/self/fd/{descriptor}", "-o", "-"]
        return run_zig(arguments, "lld could not link", [descriptor])


def archive(members: Mapping[str, bytes]) -> bytes:
    """A static library of object files, with a table of their symbols."""
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        for name, data in members.items():
            Path(folder, name).write_bytes(data)
        _run_ar(["rcsD", "library.a", *members], folder)
        return Path(folder, "library.a").read_bytes()


def _run_ar(arguments: Sequence[str], folder: str) -> None:
    done = subprocess.run(
        [str(zig()), "ar", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise Error(f"no archive could be made: {done.stderr.decode(errors='replace').strip()}")


def _key() -> str:
    interface = [CORE / "lanewise_rt.h", CORE / "texture.h", CORE.parent / "host" / "lanewise.h"]
    headers = [HEADERS / "cuda_runtime_api.h", HEADERS / "cuda_runtime.h", *sorted((HEADERS / "lanewise").glob("*.h"))]
    sources = [file.read_bytes() for file in [*sorted(SOURCES.iterdir()), *interface, *headers]]
    return key("CUDA's runtime library", platform.machine(), *_OPTIONS, _EXPORTED, *sources)
