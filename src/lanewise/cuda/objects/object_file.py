# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as one object file.

The host's pass of clang and the device's run beside each other. The kernels' machine code, the image that names it, and
the host code become one relocatable object, as nvcc makes it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Manifests, key
from lanewise.cuda.objects.host_code import HostCode, compile_host_code
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
_WARNINGS: Final = "warnings.txt"


class UnitOptions(NamedTuple):
    """Options of one compilation. `device` are those of `lw.compile`, `host` are clang's for the host's pass."""

    device: GivenOptions
    host: tuple[str, ...] = ()
    mapping: str = "auto"


class ObjectFile(NamedTuple):
    """A relocatable object, the warnings of the compilation, and the files that it read besides the source; these are
    known only if it was compiled now."""

    data: bytes
    warnings: tuple[str, ...]
    dependencies: tuple[Path, ...] | None = None


def compile_unit(session: Session, source: Source, options: UnitOptions, compiler: HostCompiler) -> ObjectFile:
    """The object file of `source`, from the cache if nothing that it depends on has changed. CompileError with the
    compiler's diagnostics, the host's first."""
    unit = cuda_unit(source, options.device)
    request = key("object file", unit.digest, repr(options), repr(compiler), str(Path.cwd()))
    manifests = Manifests(session.cache)
    result = manifests.lookup(request)
    if result is not None:
        data, told = session.cache.get(result, _OBJECT), session.cache.get(result, _WARNINGS)
        looked_up(f"object file of {source.name}", found=None not in (data, told))
        if data is not None and told is not None:
            return ObjectFile(data.read_bytes(), tuple(told.read_text().splitlines()))
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
    _keep(session, request, data, warnings, made, started)
    return ObjectFile(data, warnings, made.dependencies)


def _keep(
    session: Session, request: str, data: bytes, warnings: Sequence[str], made: HostCode, started: float
) -> None:
    result = key("object file", request, hashlib.sha256(data).hexdigest())
    files = {_OBJECT: data, _WARNINGS: "".join(f"{line}\n" for line in warnings).encode(errors="surrogateescape")}
    if session.cache.put(result, files) is not None:
        Manifests(session.cache).record(request, made.dependencies, result, started)


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
