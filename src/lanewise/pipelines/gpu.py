# SPDX-License-Identifier: Apache-2.0
"""The GPU's pipeline: kernel IR to PTX, by LLVM's optimiser and its NVPTX back end."""

from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.backend.nvptx import atomics, grid_sync, textures, warp_waits
from lanewise.backend.nvptx.capabilities import check as check_capabilities
from lanewise.backend.nvptx.prepare import hide_kernels, keep_debug_directives, prepare_symbols
from lanewise.backend.nvptx.targets import Target, target
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine
from lanewise.log import step as logged
from lanewise.passes import (
    bypass_64_bit_division,
    compose_linear_steps,
    contract_multiply_add,
    copy_in_words,
    drop_noalias,
    eliminate_dead_stores,
    hoist_address_terms,
    merge_counters,
    narrow_comparisons,
    narrow_shared_addresses,
    reassociate_pointer_arithmetic,
    reuse_loads,
    speculate,
    step_pointers,
    sum_absolute_differences,
    unroll_private_arrays,
    unroll_remainders,
    version_by_alignment,
)
from lanewise.passes.contract_multiply_add import ContractOptions
from lanewise.passes.copy_in_words import CopyOptions
from lanewise.pipelines.drive import PLAIN, Drive, Stage, View, check
from lanewise.pipelines.source import Source, read
from lanewise.pipelines.step import LlvmPasses, Pass, Table, names, on_functions, on_functions_with, on_module


class Goal(NamedTuple):
    """The target of a compilation to PTX, and the kernels that are wanted."""

    target: Target
    kernel: str | None
    """The symbol of the only kernel that is to be visible; None: all are."""
    source: Callable[[], Module]
    """The kernel IR as it came, which says where in the source something is."""
    without: tuple[str, ...] = ()
    """The symbols of kernels that are left out."""

    @property
    def machine(self) -> Machine:
        return Machine.nvptx(self.target.name, self.target.ptx)


def _contract(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return contract_multiply_add.run(function, module, ContractOptions(fused=True))


def _hide_others(module: Module, goal: Goal) -> bool:
    return hide_kernels(module, goal.kernel, goal.without)


def _compose_linear_steps(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return compose_linear_steps.run(function, module)


def _optimise(llvm: LlvmModule, goal: Goal) -> None:
    goal.machine.claim(llvm)
    goal.machine.optimise(llvm, vectorise=False)


def _unroll_arrays(module: Module, goal: Goal) -> bool | Module:
    if not any(each.op == "alloca" for function in module.functions for each in function.instructions()):
        return False
    if unroll_private_arrays.says_how_to_unroll(goal.source()):
        return False
    marked = frozenset(each.symbol for each in module.functions if unroll_private_arrays.run(each, module))
    if not marked:
        return False
    llvm = LlvmModule.parse(write_module(module))
    goal.machine.claim(llvm)
    goal.machine.simplify(llvm, only=marked)
    return read_module(llvm.text())


def _copy_in_words(function: Function, module: Module, goal: Goal) -> bool:
    del module
    return copy_in_words.run(function, CopyOptions(goal.target.widest_access))


def _eliminate_stores(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return eliminate_dead_stores.run(function, module)


def _reuse_loads(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return reuse_loads.run(function, module)


def _reassociate_pointers(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return reassociate_pointer_arithmetic.run(function, module)


def _step_pointers(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return step_pointers.run(function, module)


def _hoist_address_terms(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return hoist_address_terms.run(function, module)


def _version_by_alignment(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return version_by_alignment.run(function, module)


def _narrow_shared(function: Function, module: Module, goal: Goal) -> bool:
    del goal
    return narrow_shared_addresses.run(function, module)


def _check(module: Module, goal: Goal) -> bool:
    check_capabilities(module, goal.target, goal.source)
    return False


def _write_atomics(module: Module, goal: Goal) -> bool:
    return atomics.run(module, goal.target)


GPU: Final[Table[Goal]] = (
    Pass("define-grid-sync", on_module(grid_sync.run), "a barrier of the whole grid", required=True),
    Pass(
        "contract-multiply-add",
        on_functions_with(_contract),
        "one decision on rounding for every device",
        required=True,
    ),
    Pass(
        "hide-other-kernels",
        _hide_others,
        "one kernel was asked for, or some have no PTX",
    ),
    Pass("drop-warp-waits", on_module(warp_waits.run), "warps of a GPU wait side by side", required=True),
    Pass("keep-debug-directives", on_module(keep_debug_directives), "PTX has lines only if asked for"),
    Pass(
        "drop-noalias",
        on_functions(drop_noalias.run),
        "LLVM believes noalias across barriers",
        required=True,
    ),
    Pass(
        "prepare-symbols",
        on_module(prepare_symbols),
        "what stays visible is kept though all its calls are inlined",
        required=True,
    ),
    LlvmPasses("optimise", _optimise, "LLVM's O3 for the target, which has no vectors: it would take them apart again"),
    Pass("unroll-private-arrays", _unroll_arrays, "registers have no addresses, and LLVM's threshold knows no arrays"),
    Pass(
        "copy-in-words",
        on_functions_with(_copy_in_words),
        "LLVM copies 8 bytes at a time, and structs of more than 64 bytes byte by byte",
        only_for="@llvm.mem",
    ),
    Pass(
        "unroll-remainders",
        on_functions(unroll_remainders.run),
        "each turn that an unrolled loop leaves waits for its loads",
    ),
    Pass(
        "compose-linear-steps",
        on_functions_with(_compose_linear_steps),
        "LLVM folds no sums and products that are rounded together",
        only_for="@llvm.fma.",
        on_request=True,
    ),
    Pass(
        "bypass-64-bit-division",
        on_functions(bypass_64_bit_division.run),
        "one test for all divisions that depend on each other; LLVM tests each",
    ),
    Pass(
        "sum-absolute-differences",
        on_functions(sum_absolute_differences.run),
        "one instruction, where LLVM makes a maximum, a minimum and their difference",
    ),
    Pass(
        "eliminate-dead-stores",
        on_functions_with(_eliminate_stores),
        "parameters of kernels don't point to shared memory",
        on_request=True,
    ),
    Pass(
        "reuse-loads",
        on_functions_with(_reuse_loads),
        "a turn of a loop loads what the one before it has loaded or stored, at multiples of a length of rows",
        on_request=True,
    ),
    Pass(
        "version-by-alignment",
        on_functions_with(_version_by_alignment),
        "most rows are aligned, though nothing proves it",
    ),
    Pass(
        "speculate",
        on_functions(speculate.run),
        "a warp executes both arms, and addresses of different arms share terms",
        on_request=True,
    ),
    Pass(
        "reassociate-pointer-arithmetic",
        on_functions_with(_reassociate_pointers),
        "an access adds a constant to its address for nothing",
    ),
    Pass(
        "step-pointers",
        on_functions_with(_step_pointers),
        "a pointer down a column costs less than a product per turn",
    ),
    Pass(
        "hoist-address-terms",
        on_functions_with(_hoist_address_terms),
        "a sum of 32 bits, extended, costs an instruction more than its varying part",
    ),
    Pass("merge-counters", on_functions(merge_counters.run), "LLVM's unroller adds a counter to each loop"),
    Pass(
        "narrow-comparisons",
        on_functions(narrow_comparisons.run),
        "a comparison of 64 bits takes two instructions",
        on_request=True,
    ),
    Pass(
        "narrow-shared-addresses",
        on_functions_with(_narrow_shared),
        "an access scales a 32-bit address for nothing",
    ),
    Pass("check-capabilities", _check, "LLVM ends the process on what it can't select", required=True),
    Pass(
        "write-scoped-atomics",
        _write_atomics,
        "LLVM 22 drops order and scope of atomicrmw",
        required=True,
    ),
    Pass("write-texture-calls", on_module(textures.run), "tex, tld4, suld, sust", required=True),
)
"""From the kernel IR of a program, with all that it calls, to the module that code is generated of."""


def steps() -> tuple[str, ...]:
    """The names of all steps that run unasked, in order."""
    on_request = {step.name for step in GPU if isinstance(step, Pass) and step.on_request}
    return tuple(name for name in names(GPU) if name not in on_request)


def compile_ptx(
    ir: Source,
    arch: str,
    ptx_version: int | None = None,
    kernel: str | None = None,
    without: tuple[str, ...] = (),
) -> str:
    """PTX of all kernels in a module but those in `without`, or of the one with the symbol `kernel`, for `arch`
    (`sm_80`, `sm_90a`); equal input gives equal text.

    `ptx_version` is the version to state, 78 for 7.8; by default the least that has the architecture, from 7.8 on.
    Kernels and the `__device__` and `__constant__` variables that a host can name are visible, nothing else; no symbol
    is left unresolved but CUDA's own system calls. Inline assembly is passed on unread.

    Raises `CompileError` for an unknown architecture, and for what it can't have: it names the function, the kernel
    and the reason.
    """
    goal = Goal(target(arch, ptx_version), kernel, lambda: read(ir), without)
    with logged("optimise for PTX"):
        drive = Drive(goal.source(), goal, f"PTX for {arch}").run(GPU)
        goal.machine.claim(drive.llvm)
    with logged("generate PTX by LLVM"):
        return goal.machine.assembly(drive.llvm)


def stages(
    ir: Source, arch: str, ptx_version: int | None = None, kernel: str | None = None, view: View = PLAIN
) -> list[Stage]:
    """The effect of each step of the pipeline; otherwise as `compile_ptx`. Error for a wrong `view`."""
    check(view, GPU)
    goal = Goal(target(arch, ptx_version), kernel, lambda: read(ir))
    return Drive(goal.source(), goal, f"PTX for {arch}", view).run(GPU).stages
