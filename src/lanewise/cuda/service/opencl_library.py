# SPDX-License-Identifier: Apache-2.0
"""Makes a shared object of a program in OpenCL C: of all kernels for any local size, for `clBuildProgram`.

The answer is "library PATH", as for PTX, and after it what the source says of its kernels, in fields between tabs:

    kernel NAME SYMBOL LOCAL_X LOCAL_Y LOCAL_Z MOST_WORK_ITEMS LOCAL_BYTES ASKS_DIMENSIONS
    argument NAME TYPE KIND ADDRESS ACCESS QUALIFIERS BYTES OFFSET      of the kernel before it
    log                                                                  the rest is the build log

Numbers that the source doesn't give are 0. A program that clang refuses has the answer "failed", with the log after it.
"""

from __future__ import annotations

from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Final

from lanewise.backend.host.features import features
from lanewise.cache import Cache, key
from lanewise.cuda.service.request import OpenClRequest
from lanewise.errors import CompileError, Error
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.kernel_qualifiers import HIDDEN
from lanewise.frontend.opencl.unit import OpenClUnit, opencl_unit
from lanewise.frontend.signature import Parameter
from lanewise.frontend.source import Source
from lanewise.program.source.translation import TranslatedUnit, translate
from lanewise.runtime.build import build_of_host

_FILE: Final = "opencl.so"


def opencl_library(request: OpenClRequest, cache: Cache) -> bytes:
    """The answer to a request. Error if there is no cache that could keep the code."""
    with chdir(request.folder) if Path(request.folder).is_dir() else nullcontext():
        try:
            unit = opencl_unit(Source(request.text, None), GivenOptions(options=request.options))
            if request.general:
                unit = unit._replace(options=unit.options._replace(general=True))
            made = translate(unit, {"mapping": "auto"}, cache)
        except CompileError as error:
            return f"failed\n{error}\n".encode(errors="surrogateescape")
    entry = key("library of OpenCL C", build_of_host(), features(), made.program.key)
    path = cache.get(entry, _FILE)
    if path is None:
        folder = cache.put(entry, {_FILE: _library(made, unit, entry)})
        if folder is None:
            raise Error("there is no cache that could keep the program")
        path = folder / _FILE
    if "\n" in str(path):
        raise Error("a folder of the cache has a line break")
    return f"library {path}\n{_described(made.info)}".encode(errors="surrogateescape")


def _library(made: TranslatedUnit, unit: OpenClUnit, entry: str) -> bytes:
    from lanewise.cuda.objects.device_objects import device_objects  # what the cache has needs no compiler
    from lanewise.cuda.objects.image import LOADED
    from lanewise.toolchain import link_shared_object

    objects = device_objects(made, entry[:32], unit.name, dict, (), loaded=True)
    return link_shared_object(objects, exported=f"{{ global: {LOADED}; local: *; }};\n")


def _described(info: ProgramInfo) -> str:
    lines: list[str] = []
    for kernel in info.kernels:
        lines.append(_kernel(kernel))
        lines += (
            _argument(parameter) for parameter in kernel.signature.parameters if not parameter.name.startswith(HIDDEN)
        )
    log = "\n".join([*info.warnings, *info.refused.values()])
    return "\n".join([*lines, "log", log])


def _kernel(kernel: KernelInfo) -> str:
    bounds = kernel.bounds
    block = bounds.block or (0, 0, 0)
    numbers = (*block, bounds.max_work_items or 0, kernel.shared_bytes, int(kernel.asks_dimensions))
    return "\t".join(["kernel", kernel.qualified, kernel.signature.symbol, *map(str, numbers)])


def _argument(parameter: Parameter) -> str:
    words = (parameter.name, parameter.ctype, parameter.kind, parameter.address, parameter.access, parameter.qualifiers)
    return "\t".join(["argument", *words, str(parameter.size), str(parameter.offset)])
