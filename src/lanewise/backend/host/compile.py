# SPDX-License-Identifier: Apache-2.0
"""From the text of a host module to machine code: LLVM's O3 with both vectorisers, then code generation.

Loops whose `llvm.loop` metadata names `llvm.loop.parallel_accesses` are vectorised without dependence checks.
512-bit vectors are used where the processor has AVX-512, unless a function's own `prefer-vector-width` says
otherwise (a "min-legal-vector-width" of 0 would split them: don't emit it). Floating-point operations are
contracted only where the IR's own flags allow it. `"target-cpu"` attributes of another target must be gone.

Code that is in vectors already (`IN_VECTORS`) goes without the SLP vectoriser, which makes nothing of it faster and
takes up to five times as long as everything else.

Modules of more than `LARGE` lines get less, since some passes of LLVM take four times as long for twice the code. Loops
are not unrolled, memory that they write to isn't brought into registers, and code in vectors is optimised at level 1.
Over the kernels of bench/cpu level 1 without unrolling is as fast as level 3 (geometric mean 1.01 of its time; dct
1.15, all others between 0.96 and 1.05).

Very long blocks are cut into pieces of some hundred instructions for it (`cut_blocks.py`).
"""

from typing import Final, NamedTuple

from lanewise.backend.host.arithmetic import arithmetic_object, needs_arithmetic
from lanewise.backend.host.cleared_masks import clear_masks_by_and
from lanewise.backend.host.cut_blocks import cut_blocks
from lanewise.backend.host.divisions import divide_without_estimates, has_estimates_of_normal_numbers_only
from lanewise.backend.host.load_masks import lanes_of_mask_registers, part_load_masks
from lanewise.backend.host.mask_moves import hide_moved_masks, may_have_wrong_mask, without_mask_moves
from lanewise.backend.host.plain_link import plain_link
from lanewise.backend.host.scalings import without_scalings
from lanewise.backend.host.wide_masks import has_no_mask_registers, widen_masks
from lanewise.ir.module import IN_VECTORS
from lanewise.llvm import LlvmModule, Machine
from lanewise.log import step
from lanewise.toolchain import link_shared_object

LARGE: Final = 10_000
"""Lines of a module. Kernels of bench/cpu have up to 4,100."""


def compile_shared_object(ir_text: str, machine: Machine | None = None) -> bytes:
    """The bytes of a shared object with the module's external definitions, for `machine`; None: this host.

    The module's triple and data layout are replaced by the machine's. Functions that it declares and doesn't
    define, such as libm's, are resolved when the object is loaded; what code generation calls is linked in. Raises
    `LlvmError` for IR that LLVM refuses.
    """
    made = _generated(ir_text, machine or Machine.host())
    needed = [arithmetic_object(made.machine.architecture)] if needs_arithmetic(made.machine_code) else []
    objects = [made.machine_code, *needed]
    return plain_link(objects) or link_shared_object(objects)


def compile_object(ir_text: str, machine: Machine | None = None) -> bytes:
    """The bytes of a relocatable object, otherwise as `compile_shared_object`: what code generation calls is left for
    a linker to find, in the library of the compiler that links the program."""
    return _generated(ir_text, machine or Machine.host()).machine_code


def assembly(ir_text: str, wanted: Machine | None = None) -> str:
    """The assembly that `compile_shared_object` turns into machine code. `wanted`: the processor; None: this host."""
    made = _generated(ir_text, wanted or Machine.host())
    return made.machine.assembly(LlvmModule(made.ir))


class _Generated(NamedTuple):
    """An object file, the IR that it was generated from, and what for."""

    machine: Machine
    ir: str
    machine_code: bytes


def _generated(ir_text: str, machine: Machine) -> _Generated:
    """An object file for `machine`, or for the part of it for which LLVM's code is right."""
    made = _first_generated(ir_text, machine)
    if not may_have_wrong_mask(machine, made.machine_code):
        return made
    hidden = hide_moved_masks(made.ir, lanes_of_mask_registers(machine))
    if hidden is not None:
        with step("generate code by LLVM, with hidden masks"):
            made = _Generated(machine, hidden, machine.object(LlvmModule(hidden)))
        if not may_have_wrong_mask(machine, made.machine_code):
            return made
    return _first_generated(without_scalings(ir_text), without_mask_moves(machine))


def _first_generated(ir_text: str, machine: Machine) -> _Generated:
    with step("optimise by LLVM"):
        module = _optimised(ir_text, machine)
    with step("generate code by LLVM"):
        module, text = _prepared(module, machine)
        return _Generated(machine, text, machine.object(module))


def _prepared(module: LlvmModule, machine: Machine) -> tuple[LlvmModule, str]:
    """The module, and its text, with its masks widened, if `machine` has no registers for them, its long blocks cut,
    and divisions, moves among masks and masked loads made so that LLVM does them right."""
    text = before = module.text()
    text = divide_without_estimates(text, scales=has_estimates_of_normal_numbers_only(machine)) or text
    if has_no_mask_registers(machine):
        text = widen_masks(text) or text
    text = cut_blocks(text) or text
    if widest := lanes_of_mask_registers(machine):
        text = clear_masks_by_and(text) or text
        text = part_load_masks(text, widest) or text
    return module if text is before else LlvmModule(text), text


def _optimised(ir_text: str, machine: Machine) -> LlvmModule:
    module = LlvmModule.parse(ir_text)
    machine.claim(module)
    large = ir_text.count("\n") > LARGE
    in_vectors = IN_VECTORS in ir_text
    level = 1 if large and in_vectors else 3
    machine.optimise(module, level=level, slp=not in_vectors, unroll=not large, promotes=not large)
    return module
