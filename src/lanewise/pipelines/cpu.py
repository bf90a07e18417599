# SPDX-License-Identifier: Apache-2.0
"""The CPU's pipeline: kernel IR to the function of a whole work-group.

`CPU` has the steps of a kernel in order, `OUT_OF_LINE` those of the functions that can't be inlined. LLVM simplifies
the IR as that of a GPU: its target has divergent branches, so that control flow around barriers stays as it is.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.call_graph import CallGraph
from lanewise.analysis.denormals import computes_in_double
from lanewise.analysis.traffic import traffic_of
from lanewise.ir.denormals import asks_to_flush_denormals
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine, run_passes
from lanewise.log import step as logged
from lanewise.passes import (
    assume_noalias,
    compose_linear_steps,
    contract_multiply_add,
    copy_byval,
    drop_noalias,
    expand_funnel_shifts,
    freeze_element_indices,
    inline_texture_fetches,
    know_sub_group_size,
    load_bits_as_words,
    mark_global_ids,
    return_at_exit,
    round_by_remainder,
    scale_in_one_instruction,
    split_inductions,
    unroll_private_arrays,
    widen_indices,
)
from lanewise.passes.unroll_private_arrays import UnrollOptions
from lanewise.pipelines.check_faults import tell_by_service
from lanewise.pipelines.counters import tally
from lanewise.pipelines.drive import PLAIN, Drive, Stage, View, check
from lanewise.pipelines.flags import has_flags
from lanewise.pipelines.group_function import group_function
from lanewise.pipelines.isolate import declare, isolate_kernel
from lanewise.pipelines.kernel_compilation import KernelCompilation
from lanewise.pipelines.lines import flatten_lines
from lanewise.pipelines.open_cl_limits import (
    LimitOptions,
    has_limits_of_open_cl,
    hide_limits,
    may_count_groups_along_y,
    show_limits,
)
from lanewise.pipelines.positions import mark_positions
from lanewise.pipelines.simplified_kernel import SimplifiedKernel
from lanewise.pipelines.source import Source, read
from lanewise.pipelines.step import Group, LlvmPasses, Pass, Table, names, on_functions, on_functions_with, on_module
from lanewise.pipelines.target import CpuTarget
from lanewise.workgroup.function import WorkGroupFunction
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.layout.out_of_line import NONE, OutOfLine, out_of_line_functions
from lanewise.workgroup.mapping import AUTO, Mapping

MANY: Final = 3_000
"""Instructions of a program whose functions are simplified once, before they are inlined, rather than at each call:
kernels of hashcat have 25,000 instructions then, in place of 130,000."""
MOST_BLOCKS: Final = 2_000
"""Blocks of a function in whose loops LLVM brings memory into registers (see `llvm/tuning.py`)."""
MAX_ROUNDS: Final = 5
"""Times that a kernel is simplified because a call through a pointer has become one of a known function. Each may
uncover another; what is left then is called."""

_UNROLLED: Final = UnrollOptions(most_bytes=256, most_operations=1_000, meeting=False)
"""Limits of what is unrolled: arrays that fill the registers of 16 lanes twice, and what is compiled in some 100 ms."""

_ANY_GPU: Final = Machine.nvptx("sm_80", 78)
"""The target that simplification asks for costs: the IR is still a GPU's."""


def _contract(function: Function, module: Module, kernel: KernelCompilation) -> bool:
    return contract_multiply_add.run(function, module, contract_multiply_add.ContractOptions(kernel.fused))


def _round_by_remainder(function: Function, module: Module, kernel: KernelCompilation) -> bool:
    return round_by_remainder.run(function, module, round_by_remainder.RemainderOptions(kernel.fused))


def _inline_fetches(function: Function, module: Module, kernel: KernelCompilation) -> bool:
    del kernel
    return inline_texture_fetches.run(function, module)


def _scale(function: Function, module: Module, kernel: KernelCompilation) -> bool:
    return kernel.target.processor.scales and scale_in_one_instruction.run(function, module)


def _isolate(module: Module, kernel: KernelCompilation) -> bool:
    tell_by_service(module)
    isolate_kernel(module, kernel.symbol)
    kernel.is_large = sum(len(block.instructions) for f in module.functions for block in f.blocks) > MANY
    return True


def _copy_byval(module: Module, kernel: KernelCompilation) -> bool:
    return copy_byval.run(module.function(kernel.symbol), module)


def _hide_limits(module: Module, kernel: KernelCompilation) -> bool:
    kernel.counts_groups |= has_limits_of_open_cl(module) and may_count_groups_along_y(module)
    return hide_limits(module, LimitOptions(kernel.assumptions.small_grid))


def _simplify_callees(llvm: LlvmModule, kernel: KernelCompilation) -> None:
    if kernel.is_large:
        run_passes(llvm, ("sroa", "instcombine", "simplifycfg"), _ANY_GPU)


def _inline(llvm: LlvmModule, kernel: KernelCompilation) -> None:
    del kernel
    run_passes(llvm, ("always-inline", "globaldce"), _ANY_GPU)


def _thread_jumps(llvm: LlvmModule, kernel: KernelCompilation) -> None:
    run_passes(llvm, ("sroa",), kernel.target.machine)
    if has_flags(llvm):
        run_passes(llvm, ("jump-threading",), kernel.target.machine)


def _widen(function: Function, module: Module, kernel: KernelCompilation) -> bool:
    del kernel
    return widen_indices.run(function, module, widen_indices.WidenOptions())


def _simplify(llvm: LlvmModule, kernel: KernelCompilation) -> None:
    _ANY_GPU.simplify(llvm, promotes=not (kernel.is_large and llvm.has_blocks(MOST_BLOCKS)))


def _unroll_arrays(module: Module, kernel: KernelCompilation) -> bool:
    if not kernel.says_how_to_unroll:
        kernel.unrolls = unroll_private_arrays.run(module.function(kernel.symbol), module, _UNROLLED)
    return kernel.unrolls


def _is_marked(kernel: KernelCompilation) -> bool:
    return kernel.unrolls


def _assume_noalias(module: Module, kernel: KernelCompilation) -> bool:
    if not kernel.assumptions.apart:
        return False
    arguments = module.function(kernel.symbol).arguments
    before = [argument.attributes for argument in arguments]
    changed = assume_noalias.run(module.function(kernel.symbol))
    kernel.noalias = tuple(n for n, argument in enumerate(arguments) if argument.attributes != before[n])
    return changed


def _has_noalias(kernel: KernelCompilation) -> bool:
    return bool(kernel.noalias)


def _calls_known_functions(module: Module, kernel: KernelCompilation) -> bool:
    calls = (i for i in module.function(kernel.symbol).instructions() if i.op == "call")
    return any(isinstance(call.operands[0], Function) and call.operands[0].blocks for call in calls)


def _mark_global_ids(module: Module, kernel: KernelCompilation) -> bool:
    options = mark_global_ids.GlobalIdOptions(kernel.assumptions.small_grid, kernel.block)
    kernel.marks_global_ids = mark_global_ids.run(module.function(kernel.symbol), options)
    return kernel.marks_global_ids


def _work_group(module: Module, kernel: KernelCompilation) -> Module:
    function = module.function(kernel.symbol)
    out_of_line = kernel.out_of_line
    flush_denormals = kernel.flush_denormals and out_of_line is NONE and not computes_in_double(function)
    if kernel.explain:
        kernel.traffic = traffic_of(function)
    made = group_function(module, kernel)
    facts = made.facts
    apart = tuple(sorted({*kernel.noalias, *facts.apart}))
    names = [function.arguments[number].name or f"argument {number + 1}" for number in apart]
    facts = facts._replace(
        flush_denormals=flush_denormals,
        apart=apart,
        needs_small_grid=kernel.marks_global_ids or (kernel.assumptions.small_grid and kernel.counts_groups),
        remarks=(*facts.remarks, f"taken to overlap no other array: {', '.join(names)}") if names else facts.remarks,
    )
    kernel.made = made._replace(facts=facts)
    return made.module


FRONT: Final[Table[KernelCompilation]] = (
    Pass(
        "contract-multiply-add",
        on_functions_with(_contract),
        "one decision on rounding for every device",
        required=True,
    ),
    Pass("mark-positions", on_module(mark_positions), "failures of -g code tell their line"),
    Pass(
        "inline-texture-fetches",
        on_functions_with(_inline_fetches),
        "a fetch of whole texels is a load, which lanes may share",
        only_for="@__lw_tex_fetch(",
    ),
    Pass(
        "tally",
        on_module(tally),
        "warps in lock-step count in code of their own",
        required=True,
        only_for="@__lw_count_",
    ),
    Pass(
        "scale-in-one-instruction",
        on_functions_with(_scale),
        "the last step of exponentials is one instruction in place of eight",
        only_for="@__lw_",
    ),
    Pass("isolate", _isolate, "only what the kernel reaches is compiled, and all of it is inlined", required=True),
    Pass(
        "drop-noalias",
        on_functions(drop_noalias.run),
        "LLVM believes noalias across barriers",
        required=True,
    ),
    Pass(
        "know-sub-group-size",
        on_module(know_sub_group_size.run),
        "distances and masks of shuffles are constants",
        only_for="@lw.sub_group_size",
    ),
    Pass(
        "copy-byval",
        _copy_byval,
        "work-items share the packed arguments, and may write to their own copy",
        required=True,
    ),
)

_HIDE: Final[Pass[KernelCompilation]] = Pass(
    "hide-opencl-limits", _hide_limits, "LLVM takes local sizes to be within CUDA's limits", required=True
)
# An early return out of a scope with variables shares that scope's clean-up with those that stay, and a flag tells
# afterwards who returns. LLVM threads jumps only for targets without divergent branches, hence for the host. It also
# threads those of conditions that exclude each other, and a warp then does one arm before the other in another order
# than the source: kernels that count on warps in lock-step, and have no flags, are left as they are.
_THREAD: Final[LlvmPasses[KernelCompilation]] = LlvmPasses(
    "thread-jumps",
    _thread_jumps,
    "an early return gets an edge of its own, so that who returns is seen to meet no barrier",
)
_FUNCTIONS: Final[LlvmPasses[KernelCompilation]] = LlvmPasses(
    "simplify-functions", _simplify, "variables in registers, common code once"
)
_FREEZE: Final[Pass[KernelCompilation]] = Pass(
    "freeze-element-indices",
    on_functions(freeze_element_indices.run),
    "LLVM 22 ends the process on indices that may be poison",
    required=True,
    only_for="element <",
)
_SHOW: Final[Pass[KernelCompilation]] = Pass(
    "show-opencl-limits", on_module(show_limits), "work-item functions have their own names again", required=True
)

_CALLEES: Final[LlvmPasses[KernelCompilation]] = LlvmPasses(
    "simplify-callees", _simplify_callees, "a large function is simplified once, not at each of its calls"
)
_INLINE: Final[LlvmPasses[KernelCompilation]] = LlvmPasses(
    "inline",
    _inline,
    "regions are formed within one function",
    required=True,
)

_ONCE: Final[Table[KernelCompilation]] = (
    _HIDE,
    _CALLEES,
    _INLINE,
    Pass(
        "return-at-exit",
        on_functions(return_at_exit.run),
        "a thread that ends in a function has returned from the kernel",
        required=True,
        only_for="@llvm.nvvm.exit(",
    ),
    _THREAD,
    _FREEZE,
    Pass(
        "widen-indices",
        on_functions_with(_widen),
        "neighbours in x are known to be neighbours in memory",
        only_for=" sext i32 ",
    ),
    _FUNCTIONS,
    _SHOW,
)

_AGAIN: Final[Table[KernelCompilation]] = (_HIDE, _THREAD, _FREEZE, _FUNCTIONS, _SHOW)
"""For code that is simplified already. 15 kernels in the style of PolyBench become the same code as by all of `_ONCE`,
in 10 % less time; without `thread-jumps` one of them doesn't. llvmlite can't run LLVM's licm and gvn alone."""

SIMPLIFY: Final[Group[KernelCompilation]] = Group(
    "simplify", _ONCE, "all calls inlined, memory in registers, loops in order", again=_calls_known_functions,
    most=MAX_ROUNDS,
)  # fmt: skip
_EXPAND: Final[Pass[KernelCompilation]] = Pass(
    "expand-funnel-shifts",
    on_functions(expand_funnel_shifts.run),
    "LLVM 22 shifts vectors by varying amounts wrongly",
    required=True,
)
_WORDS: Final[Pass[KernelCompilation]] = Pass(
    "load-bits-as-words",
    on_functions(load_bits_as_words.run),
    "lanes take vectors in memory apart, and bits have no address",
    required=True,
)
_FLATTEN: Final[Pass[KernelCompilation]] = Pass(
    "flatten-lines", on_module(flatten_lines), "each place is one of the kernel itself"
)

_FOR_ALL_LAUNCHES: Final[Table[KernelCompilation]] = (
    *FRONT,
    SIMPLIFY,
    Pass(
        "unroll-private-arrays",
        _unroll_arrays,
        "registers have no addresses, and a loop over all work-items would go around each of these loops",
        only_for="alloca",
    ),
    Group("simplify-unrolled", _AGAIN, "LLVM unrolls what is marked, and takes arrays apart", when=_is_marked),
)
_FOR_SOME: Final[Table[KernelCompilation]] = (
    Pass("assume-noalias", _assume_noalias, "stores leave loops; the launch checks that arrays don't overlap"),
    Group("simplify-again", _AGAIN, "stores leave loops, as was assumed that they may", when=_has_noalias),
    _EXPAND,
    _WORDS,
    Pass(
        "round-by-remainder",
        on_functions_with(_round_by_remainder),
        "nvcc's exponential rounds downwards, for which binary32 does",
        only_for="@llvm.nvvm.fma.r",
    ),
    Pass(
        "compose-linear-steps",
        on_functions_with(lambda function, module, _: compose_linear_steps.run(function, module)),
        "LLVM folds no sums and products that are rounded together",
        only_for="@llvm.fma.",
    ),
    _FLATTEN,
    Pass("mark-global-ids", _mark_global_ids, "neighbours in x are known to be neighbours in memory, unsigned ids too"),
    Pass(
        "split-inductions",
        on_functions(split_inductions.run),
        "what each work-item adds to its start is kept once for all, from one region to the next",
    ),
    Pass("work-group", _work_group, "the kernel becomes the function of a whole work-group", required=True),
)
CPU: Final[Table[KernelCompilation]] = (*_FOR_ALL_LAUNCHES, *_FOR_SOME)
"""From the kernel IR of a program, with all that it calls, to the function of a whole work-group."""

OUT_OF_LINE: Final[Table[KernelCompilation]] = (*_ONCE, _EXPAND, _FLATTEN)
"""For functions that can't be inlined, once they are isolated."""

REPEATED: Final[Table[KernelCompilation]] = (_HIDE, _CALLEES, _INLINE, _FREEZE, _SHOW, _EXPAND, _FLATTEN)
"""For functions that stay out of line so that little code is made: LLVM simplifies them once, for the processor."""


def steps() -> tuple[str, ...]:
    """The names of all steps of a kernel, in order."""
    return tuple(dict.fromkeys(names(CPU)))


def simplified_for_cpu(
    source: Source, symbol: str, fused: bool = True, repeated: OutOfLine = NONE
) -> SimplifiedKernel | None:
    """The kernel for `compile_for_cpu` to start from in place of `source`, with any local size and assumptions.

    None for kernels of OpenCL C, which are simplified by what launches are assumed to meet, and for those that may call
    out-of-line functions. CompileError as from `compile_for_cpu`.
    """
    kernel = KernelCompilation(symbol, fused=fused, repeated=repeated)
    module = _read(source, kernel)
    if kernel.out_of_line is not NONE or has_limits_of_open_cl(module):
        return None
    with logged(f"simplify {symbol}"):
        drive = Drive(module, kernel, f"kernel {symbol}").run(_FOR_ALL_LAUNCHES)
        return SimplifiedKernel(write_module(drive.module), kernel.flush_denormals)


def compile_for_cpu(
    source: Source | SimplifiedKernel,
    symbol: str,
    block: Extent | None,
    assumptions: LaunchAssumptions = ALL,
    fused: bool = True,
    mapping: Mapping = AUTO,
    explain: bool = False,
    target: CpuTarget | None = None,
    repeated: OutOfLine = NONE,
) -> WorkGroupFunction:
    """The work-group function of kernel `symbol` for a local size of `block`, from kernel IR; None: for any.

    `assumptions`: what its launches meet. `fused`: the processor multiplies and adds in one rounding. `mapping`: how
    regions become loops or vector code. `explain`: with the tables of shapes. `target`: the processor; None: this host.
    `repeated`: the functions that `source` only declares, as `split_program` makes it.

    CompileError where the kernel does what the CPU device can't.
    """
    kernel = KernelCompilation(symbol, block, assumptions, fused, mapping, explain, target, repeated)
    made = compiled(source, kernel).made
    assert made is not None
    return made


def compiled(source: Source | SimplifiedKernel, kernel: KernelCompilation) -> KernelCompilation:
    """The kernel once all steps have run, from kernel IR. CompileError as from `compile_for_cpu`."""
    if isinstance(source, SimplifiedKernel):
        module, table = read_module(source.text), _FOR_SOME
        kernel.flush_denormals = source.flush_denormals
    else:
        module, table = _read(source, kernel), CPU
    with logged(f"make the work-group function of {kernel.symbol}"):
        Drive(module, kernel, f"kernel {kernel.symbol}").run(table)
    return kernel


def stages(
    source: Source, symbol: str, block: Extent | None, fused: bool = True, mapping: Mapping = AUTO, view: View = PLAIN
) -> list[Stage]:
    """The effect of each step of the pipeline on a kernel; otherwise as `compile_for_cpu`. Error for a wrong `view`."""
    check(view, CPU)
    kernel = KernelCompilation(symbol, block, fused=fused, mapping=mapping)
    module = _read(source, kernel)
    return Drive(module, kernel, f"kernel {symbol}", view).run(CPU).stages


def ir_with_lines(text: str, symbol: str, block: Extent | None, fused: bool, mapping: Mapping) -> str:
    """The IR of a work-group function with its places in the source, which `stages` leaves out."""
    return write_module(compile_for_cpu(text, symbol, block, fused=fused, mapping=mapping).module)


def _read(source: Source, kernel: KernelCompilation) -> Module:
    with logged(f"read the kernel IR of {kernel.symbol}"):
        module, kernel.out_of_line = _read_for(kernel.symbol, source, kernel.repeated)
    kernel.flush_denormals = asks_to_flush_denormals(module, module.function(kernel.symbol))
    kernel.says_how_to_unroll = unroll_private_arrays.says_how_to_unroll(module)
    return module


def _read_for(symbol: str, source: Source, repeated: OutOfLine) -> tuple[Module, OutOfLine]:
    """The part of a program that a kernel needs; or all of it, with its out-of-line functions, if the kernel may call
    some: they are numbered over the whole program. Functions that call themselves lose their bodies. A function whose
    address is taken keeps its body, since the pointer may turn out to be a constant. A program with `repeated`
    functions has no others."""
    module = read(source, [symbol])
    if repeated is not NONE:
        return module, repeated if _calls_declared(module, repeated.names) else NONE
    graph = CallGraph(module)
    reached = graph.reached([module.function(symbol)])
    if not graph.cyclic.intersection(reached) and not any(map(graph.has_indirect_calls, reached)):
        return module, NONE
    module = read(source)
    graph = CallGraph(module)
    out_of_line = out_of_line_functions(graph)
    for function in graph.cyclic:
        declare(function)
    return module, out_of_line


def _calls_declared(module: Module, symbols: frozenset[str]) -> bool:
    """Return whether the functions that have bodies call any of `symbols`."""
    return any(call.callee in symbols for f in module.functions for call in f.instructions() if call.op == "call")


def simplify(module: Module, symbol: str) -> Module:
    """The module after the step `simplify`, for a kernel that is isolated."""
    kernel = KernelCompilation(symbol, assumptions=LaunchAssumptions(small_grid=False))
    return Drive(module, kernel, f"kernel {symbol}").run((SIMPLIFY, _EXPAND)).module
