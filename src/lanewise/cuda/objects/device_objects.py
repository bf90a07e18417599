# SPDX-License-Identifier: Apache-2.0
"""The object files of a translation unit's kernels: their machine code, and the image that names it."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cuda.objects.assumed import Assumed
from lanewise.cuda.objects.gpu_code import gpu_codes
from lanewise.cuda.objects.image import compile_image, image_source
from lanewise.cuda.objects.kernel_code import KernelCode, called_code, kernels_of, reaches_functions, split_code
from lanewise.cuda.objects.launch_sizes import Sizes
from lanewise.cuda.objects.loaded_image import is_plain, loaded_image
from lanewise.cuda.objects.packed_ir import packed_ir
from lanewise.cuda.objects.variable_kinds import variable_kinds
from lanewise.device.program import Program
from lanewise.device.variable_images import images_from_json, images_json
from lanewise.errors import CompileError
from lanewise.log import step
from lanewise.pipelines.split_program import split_program
from lanewise.program.source.translation import TranslatedUnit

_LARGE_TEXT: Final = 100_000
"""Characters of kernel IR, some 1,000 instructions."""
_UNDEFINED: Final = re.compile(r"calls (.+?)(?:\(\))?, which is declared but defined nowhere")


def device_objects(
    translation: TranslatedUnit,
    unit: str,
    name: str,
    sizes: Callable[[], Sizes],
    gpus: Sequence[str],
    *,
    linked: bool = False,
    loaded: bool = False,
    assumed: Assumed = Assumed.BOTH,
    text: str | None = None,
    splits: bool = False,
) -> list[bytes]:
    """The object files of all kernels, their functions and the image. `sizes`: those of launches. `gpus`: the
    architectures that the image has PTX for. `linked`: it registers the kernels of all files of the program. `loaded`:
    who loads it finds it by a symbol. `assumed`: what code is made. `text`: that of the source,
    if no file has it. `splits`: a large program's repeated functions stay out of line in code for any local size."""
    program, info = translation.program, translation.info
    split = split_program(program.reader(fused=has_fused_multiply_add())) if splits and may_repeat(program) else None
    called = None
    if split is None:
        kernels = kernels_of(program, info, unit, sizes, assumed)
    else:
        kernels, called = split_code(program, info, unit, split, assumed)
    if linked:
        _require_definitions(kernels)
    variables = images_from_json(images_json(program))
    symbols = frozenset(variable.symbol for variable in variables)
    points_to_functions = any(s not in symbols for variable in variables for _, s, _ in variable.pointers)
    if called is None and (points_to_functions or reaches_functions(kernels, symbols)):
        called = called_code(program, unit)
    kinds = variable_kinds(program)
    ptx = gpu_codes(translation, gpus)
    with step("compile the image"):
        ir = packed_ir(program, info, text)
        if loaded and called is None and not ptx and is_plain(variables, kinds):
            image = loaded_image(unit, name, kernels, variables, kinds, ir)
        else:
            source = image_source(unit, name, kernels, variables, kinds, called, ptx, linked=linked, loaded=loaded)
            image = compile_image(source, ir)
    codes = [code.machine_code for kernel in kernels for code in kernel.codes]
    return [*codes, *([] if called is None else [called.machine_code]), image]


def may_repeat(program: Program) -> bool:
    """Return whether a program is worth a look for repeated functions, which takes as long as it is large."""
    return len(program.ir()) > _LARGE_TEXT


def _require_definitions(kernels: Sequence[KernelCode]) -> None:
    """CompileError for a function that a kernel calls and no file defines."""
    for kernel in kernels:
        found = _UNDEFINED.search(kernel.refusal)
        if found is not None:
            raise CompileError(
                f"nvlink error   : Undefined reference to '{found[1]}' in kernel {kernel.info.qualified}"
            )
