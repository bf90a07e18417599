# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as one object file, from the cache where it can be.

The kernels' machine code, the image that names it, and the host code become one relocatable object, as nvcc makes it.
"""

import hashlib
import json
import time
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Manifests, key
from lanewise.cuda.objects.fat_binary import ID_BYTES
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.frontend.cuda.compile import RELOCATABLE
from lanewise.frontend.cuda.unit import cuda_unit
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.source import Source
from lanewise.log import looked_up
from lanewise.session import Session

_OBJECT: Final = "unit.o"
_TOLD: Final = "unit.json"


class UnitOptions(NamedTuple):
    """Options of one compilation. `device` are those of `lw.compile`, `host` are clang's for the host's pass.
    `relocatable`: device code may refer to that of other files, and is compiled when the program is linked. `gpus`:
    architectures that the object has PTX for."""

    device: GivenOptions
    host: tuple[str, ...] = ()
    mapping: str = "auto"
    relocatable: bool = False
    gpus: tuple[str, ...] = ()


class ObjectFile(NamedTuple):
    """A relocatable object, the warnings of the compilation, and the files that it read besides the source."""

    data: bytes
    warnings: tuple[str, ...]
    dependencies: tuple[str, ...]


def compile_unit(session: Session, source: Source, options: UnitOptions, compiler: HostCompiler) -> ObjectFile:
    """The object file of `source`, from the cache if nothing that it depends on has changed. CompileError with the
    compiler's diagnostics, the host's first."""
    options = _with_relocation(source, options)
    unit = cuda_unit(source, options.device)
    request = key("object file", unit.digest, repr(options), repr(compiler), str(Path.cwd()))
    manifests = Manifests(session.cache)
    result = manifests.lookup(request)
    found = None if result is None else _cached(session, result)
    looked_up(f"object file of {source.name}", found=found is not None)
    if found is not None:
        return found
    started = time.time()
    from lanewise.cuda.objects.compiled_unit import compile_both_sides  # an object in the cache needs no compiler

    data, warnings, dependencies, absent = compile_both_sides(
        session, source, unit, request[: 2 * ID_BYTES], options.host, compiler, mapping=options.mapping,
        relocatable=options.relocatable, gpus=options.gpus,
    )  # fmt: skip
    compiled = ObjectFile(data, warnings, tuple(map(str, dependencies)))
    result = key("object file", request, hashlib.sha256(compiled.data).hexdigest())
    if session.cache.put(result, _files(compiled)) is not None:
        manifests.record(request, dependencies, result, started, absent)
    return compiled


def _with_relocation(source: Source, options: UnitOptions) -> UnitOptions:
    """The options with clang's for `relocatable`. Both passes name static functions and variables of the device by the
    same id."""
    if not options.relocatable:
        return options
    words = (RELOCATABLE, f"-cuid={key('cuid', source.name, source.text, repr(options))[:16]}")
    device = options.device._replace(options=(*options.device.options, *words))
    return options._replace(device=device, host=(*options.host, *words))


def _files(compiled: ObjectFile) -> dict[str, bytes]:
    told = json.dumps([compiled.warnings, compiled.dependencies])
    return {_OBJECT: compiled.data, _TOLD: told.encode()}


def _cached(session: Session, result: str) -> ObjectFile | None:
    """The object file of an entry of the cache, if it is whole."""
    data, told = session.cache.get(result, _OBJECT), session.cache.get(result, _TOLD)
    if data is None or told is None:
        return None
    try:
        warnings, dependencies = json.loads(told.read_bytes())
        return ObjectFile(data.read_bytes(), tuple(warnings), tuple(dependencies))
    except (OSError, ValueError):
        return None
