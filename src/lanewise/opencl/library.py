# SPDX-License-Identifier: Apache-2.0
"""The library of the OpenCL platform, built by the wheel's clang once and kept in the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lanewise.cache import Cache, key
from lanewise.log import looked_up, step
from lanewise.runtime.build import build_of_host, compile_object, host_object, sources_in
from lanewise.toolchain import link_shared_object

SOURCES: Final = Path(__file__).parent / "runtime"
"""Folder of the library's sources; `opencl.cpp` includes all other files."""

NAME: Final = "liblanewise-opencl.so"

_OPTIONS: Final = (
    "-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fvisibility-inlines-hidden",
    "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
)  # fmt: skip
_EXPORTED: Final = "LANEWISE_OPENCL_1 {\n  global: cl*; lw_unsettled_count;\n  local: *;\n};\n"


def build_of_platform() -> str:
    """A digest of the platform's sources and the host runtime's build: the compile service must be of the same."""
    return key("OpenCL platform", build_of_host(), *_OPTIONS, _EXPORTED, *sources_in(SOURCES))


def platform_library(cache: Cache, version: str) -> bytes:
    """The library. It calls itself `version`."""
    entry = key("OpenCL platform's library, bound", build_of_platform(), version)
    cached = cache.get(entry, NAME)
    looked_up("the OpenCL platform's library", found=cached is not None)
    if cached is not None:
        return cached.read_bytes()
    with step("build the OpenCL platform's library"):
        names = (f'-DLW_VERSION="{version}"', f'-DLW_PLATFORM_BUILD="{build_of_platform()}"')
        compiled = compile_object(SOURCES / "opencl.cpp", *_OPTIONS, *names)
        # Layers and programs with a loader of their own have functions of these names, which end up here again.
        objects = [compiled, host_object(cache)]
        data = link_shared_object(objects, soname=NAME, exported=_EXPORTED, stays=True, bound=True)
    cache.put(entry, {NAME: data})
    return data
