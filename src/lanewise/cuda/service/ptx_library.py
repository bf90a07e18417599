# SPDX-License-Identifier: Apache-2.0
"""Makes a shared object of PTX: of one kernel for one block size, for `ptx_run`, or of all kernels for any size, for
modules of the driver API.

The linker of the driver API sends several modules, each after a line with its name (`cuda/runtime/driver_linker.cpp`).

The answer is "library PATH", a file in the cache, whose symbol `lw_loaded_image` has the address of its `lw_image`.
"""

import re
from pathlib import Path
from typing import Final

from lanewise.backend.host.features import features
from lanewise.cache import Cache, key
from lanewise.cuda.service.request import ANY_BLOCK, PtxRequest
from lanewise.device.launch import Extent
from lanewise.errors import Error
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.source import Source
from lanewise.frontend.text_unit import TextUnit

_FILE: Final = "ptx.so"
_NAME_LINE: Final = re.compile(r"^// lanewise module: (.*)\n", re.MULTILINE)


def ptx_library(request: PtxRequest, cache: Cache) -> bytes:
    """The answer to a request. Error if there is no code, CompileError with the line of PTX that has none."""
    unit = _unit(request.text)
    entry = key("library of PTX with its text", request.build, features(), repr(request.block), unit.digest)
    path = cache.get(entry, _FILE)
    if path is None:
        folder = cache.put(entry, {_FILE: _library(unit, request.block, entry, cache)})
        if folder is None:
            raise Error("there is no cache that could keep it")
        path = folder / _FILE
    if "\n" in str(path):
        raise Error("a folder of the cache has a line break")
    return f"library {path}\n".encode(errors="surrogateescape")


def _unit(text: str) -> TextUnit:
    """The unit of a module, or of all modules that the text has."""
    first, *rest = _NAME_LINE.split(text)
    named = [Source(module, Path(name)) for name, module in zip(rest[::2], rest[1::2], strict=True)]
    unit = ptx_unit(named[0] if named else Source(first, Path("ptx")), GivenOptions())
    return unit._replace(sources=tuple(named)) if named else unit


def _library(unit: TextUnit, block: Extent, entry: str, cache: Cache) -> bytes:
    """The shared object. With a block size, there is one kernel, which has code for it alone."""
    from lanewise.cuda.objects.device_objects import device_objects  # what the cache has needs no compiler
    from lanewise.cuda.objects.loaded_image import loaded_library
    from lanewise.program.source.translation import translate

    made = translate(unit, {"mapping": "auto"}, cache)
    kernels = made.info.kernels
    text = unit.sources[0].text if len(unit.sources) == 1 else None  # which no file has
    if block == ANY_BLOCK:
        objects = device_objects(made, entry[:32], unit.name, dict, (), loaded=True, text=text)
        return loaded_library(objects)
    if len(kernels) != 1 or made.info.refused:
        names = ", ".join([*(kernel.qualified for kernel in kernels), *made.info.refused])
        raise Error(f"the PTX must have one kernel, since none can be named; it has {names or 'none'}")
    kernel = kernels[0]
    fault = kernel.bounds._replace(cluster=None).fault((1, 1, 1), block)
    if fault is not None:
        raise Error(f"kernel {kernel.qualified}: {fault}")
    own = kernel._replace(bounds=kernel.bounds._replace(block=block))
    made = made._replace(info=made.info._replace(kernels=(own,)))
    objects = device_objects(made, entry[:32], unit.name, dict, (), loaded=True, text=text)
    return loaded_library(objects)
