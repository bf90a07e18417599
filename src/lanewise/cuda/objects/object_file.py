# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as one object file.

The host's pass of clang and the device's run beside each other. The kernels' machine code, the image that names it, and
the host code become one relocatable object, as nvcc makes it.
"""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Manifests, key
from lanewise.cuda.objects.host_code import compile_host_code
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.image import ID_BYTES, compile_image, image_source
from lanewise.cuda.objects.kernel_code import called_code, kernels_of, reaches_functions
from lanewise.device.cpu.variables import images_from_json, images_json
from lanewise.frontend.cuda.unit import cuda_unit
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.source import Source
from lanewise.ir.address_spaces import CONSTANT
from lanewise.log import looked_up, step
from lanewise.program.source.translation import TranslatedUnit, translate
from lanewise.session import Session
from lanewise.toolchain import join_objects

_OBJECT: Final = "unit.o"
_TOLD: Final = "unit.json"


class UnitOptions(NamedTuple):
    """Options of one compilation. `device` are those of `lw.compile`, `host` are clang's for the host's pass."""

    device: GivenOptions
    host: tuple[str, ...] = ()
    mapping: str = "auto"


class ObjectFile(NamedTuple):
    """A relocatable object, the warnings of the compilation, and the files that it read besides the source."""

    data: bytes
    warnings: tuple[str, ...]
    dependencies: tuple[str, ...]


def compile_unit(session: Session, source: Source, options: UnitOptions, compiler: HostCompiler) -> ObjectFile:
    """The object file of `source`, from the cache if nothing that it depends on has changed. CompileError with the
    compiler's diagnostics, the host's first."""
    unit = cuda_unit(source, options.device)
    request = key("object file", unit.digest, repr(options), repr(compiler), str(Path.cwd()))
    manifests = Manifests(session.cache)
    result = manifests.lookup(request)
    found = None if result is None else _cached(session, result)
    looked_up(f"object file of {source.name}", found=found is not None)
    if found is not None:
        return found
    started = time.time()
    id_ = request[: 2 * ID_BYTES]
    with ThreadPoolExecutor(1) as beside:
        host = beside.submit(compile_host_code, source, id_, unit.arch, options.host, compiler)
        try:
            translation = translate(unit, {"mapping": options.mapping}, session.cache)
            objects = _device_objects(translation, id_, source.name)
        except Exception:
            host.result()  # its diagnostics are the better ones
            raise
        made = host.result()
    with step("join the objects"):
        data = join_objects([made.object, *objects])
    warnings = tuple(dict.fromkeys((*made.warnings, *translation.info.warnings)))
    compiled = ObjectFile(data, warnings, tuple(map(str, made.dependencies)))
    result = key("object file", request, hashlib.sha256(data).hexdigest())
    if session.cache.put(result, _files(compiled)) is not None:
        manifests.record(request, made.dependencies, result, started)
    return compiled


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


def _device_objects(translation: TranslatedUnit, unit: str, name: str) -> list[bytes]:
    """The object files of all kernels, their functions and the image."""
    program, info = translation.program, translation.info
    kernels = kernels_of(program, info, unit)
    variables = images_from_json(images_json(program))
    symbols = frozenset(variable.symbol for variable in variables)
    points_to_functions = any(s not in symbols for variable in variables for _, s, _ in variable.pointers)
    called = None
    if points_to_functions or reaches_functions(kernels, symbols):
        called = called_code(program, unit)
    constants = _constants(translation)
    with step("compile the image"):
        image = compile_image(image_source(unit, name, kernels, variables, constants, called))
    codes = [code.machine_code for kernel in kernels for code in kernel.codes]
    return [*codes, *([] if called is None else [called.machine_code]), image]


def _constants(translation: TranslatedUnit) -> frozenset[str]:
    module = translation.program.reader(fused=True)(None)
    return frozenset(str(v.name) for v in module.variables if v.type.addrspace == CONSTANT or v.is_constant)
