# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as one object file.

The host's pass of clang and the device's run beside each other. The kernels' machine code, the image that names it, and
the host code become one relocatable object, as nvcc makes it.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Manifests, key
from lanewise.cuda.objects.device_code import DeviceCode, object_of
from lanewise.cuda.objects.host_code import compile_host_code, host_object
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.image import ID_BYTES, compile_image, image_source
from lanewise.cuda.objects.kernel_code import KernelCode, called_code, kernels_of, reaches_functions
from lanewise.cuda.objects.launch_sizes import Sizes, launch_sizes
from lanewise.cuda.objects.linked_unit import LinkedUnit
from lanewise.cuda.objects.variable_kinds import variable_kinds
from lanewise.device.cpu.variables import images_from_json, images_json
from lanewise.errors import CompileError
from lanewise.frontend.cuda.compile import RELOCATABLE
from lanewise.frontend.cuda.unit import cuda_unit
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions
from lanewise.frontend.source import Source
from lanewise.log import looked_up, step
from lanewise.program.source.translation import TranslatedUnit, translate
from lanewise.session import Session
from lanewise.toolchain import join_objects

_OBJECT: Final = "unit.o"
_UNDEFINED: Final = re.compile(r"calls (.+?)(?:\(\))?, which is declared but defined nowhere")
_TOLD: Final = "unit.json"


class UnitOptions(NamedTuple):
    """Options of one compilation. `device` are those of `lw.compile`, `host` are clang's for the host's pass.
    `relocatable`: device code may refer to that of other files, and is compiled when the program is linked."""

    device: GivenOptions
    host: tuple[str, ...] = ()
    mapping: str = "auto"
    relocatable: bool = False


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
    id_ = request[: 2 * ID_BYTES]
    with ThreadPoolExecutor(1) as beside:
        host = beside.submit(compile_host_code, source, id_, unit.arch, options.host, compiler)
        compiled_host = beside.submit(lambda: host_object(host.result().ir, options.host))

        def sizes() -> Sizes:
            return launch_sizes(host.result().ir.decode(errors="replace"))

        try:
            translation = translate(unit, {"mapping": options.mapping}, session.cache)
            if options.relocatable:
                objects = [object_of(DeviceCode(source.name, translation.program.ir(), sizes()))]
            else:
                objects = device_objects(translation, id_, source.name, sizes)
        except Exception:
            host.result()  # its diagnostics are the better ones
            raise
        made = host.result()
    with step("join the objects"):
        data = join_objects([compiled_host.result(), *objects])
    warnings = tuple(dict.fromkeys((*made.warnings, *translation.info.warnings)))
    compiled = ObjectFile(data, warnings, tuple(map(str, made.dependencies)))
    result = key("object file", request, hashlib.sha256(data).hexdigest())
    if session.cache.put(result, _files(compiled)) is not None:
        manifests.record(request, made.dependencies, result, started)
    return compiled


def link_device_code(session: Session, name: str, codes: Sequence[DeviceCode], mapping: str = "auto") -> bytes:
    """The object file of the kernels of a program called `name`, whose files were compiled with `relocatable`.
    CompileError for a symbol that two files define, or none."""
    unit = LinkedUnit(name, tuple(codes), DEFAULT_ARCH)
    request = key("device link", unit.digest, mapping)
    found = session.cache.get(request, _OBJECT)
    looked_up(f"device code of {name}", found=found is not None)
    if found is not None:
        return found.read_bytes()
    translation = translate(unit, {"mapping": mapping}, session.cache)
    sizes = {kernel: of for code in codes for kernel, of in code.sizes.items()}
    data = join_objects(device_objects(translation, request[: 2 * ID_BYTES], name, lambda: sizes, linked=True))
    session.cache.put(request, {_OBJECT: data})
    return data


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


def device_objects(
    translation: TranslatedUnit, unit: str, name: str, sizes: Callable[[], Sizes], linked: bool = False
) -> list[bytes]:
    """The object files of all kernels, their functions and the image. `sizes`: those of launches. `linked`: the image
    registers the kernels of all files of the program."""
    program, info = translation.program, translation.info
    kernels = kernels_of(program, info, unit, sizes)
    if linked:
        _require_definitions(kernels)
    variables = images_from_json(images_json(program))
    symbols = frozenset(variable.symbol for variable in variables)
    points_to_functions = any(s not in symbols for variable in variables for _, s, _ in variable.pointers)
    called = None
    if points_to_functions or reaches_functions(kernels, symbols):
        called = called_code(program, unit)
    kinds = variable_kinds(program)
    with step("compile the image"):
        image = compile_image(image_source(unit, name, kernels, variables, kinds, called, linked))
    codes = [code.machine_code for kernel in kernels for code in kernel.codes]
    return [*codes, *([] if called is None else [called.machine_code]), image]


def _require_definitions(kernels: Sequence[KernelCode]) -> None:
    """CompileError for a function that a kernel calls and no file defines."""
    for kernel in kernels:
        found = _UNDEFINED.search(kernel.refusal)
        if found is not None:
            raise CompileError(
                f"nvlink error   : Undefined reference to '{found[1]}' in kernel {kernel.info.qualified}"
            )
