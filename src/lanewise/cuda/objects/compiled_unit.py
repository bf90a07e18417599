# SPDX-License-Identifier: Apache-2.0
"""A compiled translation unit: the passes of clang for the host and the device beside each other, and their results."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from lanewise.cuda.objects.device_code import DeviceCode, object_of
from lanewise.cuda.objects.host_code import compile_host_code, host_object
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.launch_sizes import Sizes, launch_sizes
from lanewise.frontend.cuda.unit import CudaUnit
from lanewise.frontend.source import Source
from lanewise.garbage import with_rare_searches
from lanewise.log import step
from lanewise.program.source.translation import translate
from lanewise.session import Session
from lanewise.toolchain import join_objects


class CompiledUnit(NamedTuple):
    """An object file, the warnings of both passes, the files that the source included, and those that it would include
    if they were there."""

    data: bytes
    warnings: tuple[str, ...]
    dependencies: tuple[Path, ...]
    absent: tuple[str, ...]


@with_rare_searches
def compile_both_sides(
    session: Session,
    source: Source,
    unit: CudaUnit,
    id_: str,
    host_options: Sequence[str],
    compiler: HostCompiler,
    *,
    mapping: str,
    relocatable: bool,
    gpus: Sequence[str],
) -> CompiledUnit:
    """The object file of `source`: of its host code, by clang's `host_options`, and of `unit`, its kernels, which the
    runtime knows by `id_`, with PTX for the architectures `gpus`. CompileError with the compiler's diagnostics, the
    host's first."""
    with ThreadPoolExecutor(2) as beside:
        host = beside.submit(compile_host_code, source, id_, unit.arch, host_options, compiler)
        code_generation = beside.submit(import_module, "lanewise.cuda.objects.device_objects")
        compiled_host = beside.submit(lambda: host_object(host.result().ir, host_options))

        def sizes() -> Sizes:
            return launch_sizes(host.result().ir.decode(errors="replace"))

        try:
            translation = translate(unit, {"mapping": mapping}, session.cache)
            if relocatable:
                objects = [object_of(DeviceCode(source.name, translation.program.ir(), sizes()))]
            else:
                code_generation.result()  # its modules take as long as starting Python, so they load while clang runs
                from lanewise.cuda.objects.device_objects import device_objects

                objects = device_objects(translation, id_, source.name, sizes, gpus)
        except Exception:
            host.result()  # its diagnostics are the better ones
            raise
        made = host.result()
    with step("join the objects"):
        data = join_objects([compiled_host.result(), *objects])
    warnings = tuple(dict.fromkeys((*made.warnings, *translation.info.warnings)))
    return CompiledUnit(data, warnings, made.dependencies, made.absent)
