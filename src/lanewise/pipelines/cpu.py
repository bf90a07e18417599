# SPDX-License-Identifier: Apache-2.0
"""From the front end's kernel IR to the IR of a work-group function: the CPU's pipeline."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.analysis.call_graph import CallGraph
from lanewise.analysis.denormals import asks_to_flush_denormals, computes_in_double
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine, run_passes
from lanewise.log import step
from lanewise.passes import assume_apart, forget_restrict, spell_funnel_shifts, widen_indices
from lanewise.pipelines.byval import copy_byval_parameters
from lanewise.pipelines.contraction import decide_contraction
from lanewise.pipelines.isolate import declare, isolate, isolate_kernel
from lanewise.pipelines.lines import flatten_lines, text_without_lines
from lanewise.pipelines.open_cl_limits import has_limits_of_open_cl, hidden, may_count_groups_along_y, shown
from lanewise.pipelines.positions import mark_positions
from lanewise.workgroup.function import WorkGroupFunction, build_work_group_function
from lanewise.workgroup.local_size import Extent
from lanewise.workgroup.mapping import AUTO, Mapping
from lanewise.workgroup.outlined.functions import NONE, Outlined, outlined_functions
from lanewise.workgroup.outlined.object import OutlinedObject, build_outlined_object
from lanewise.workgroup.processor import Processor, first_cache_ways
from lanewise.workgroup.promise import ALL, Promise

Watch = Callable[[str, Callable[[], str]], None]
"""Told the name of each stage when it is done, and how to get its IR as text."""

STAGES: Final = ("isolate", "simplify", "work-group")
"""Stages that a watcher hears of, in order."""

CALLEES: Final = ("sroa", "instcombine", "simplifycfg")
"""Simplification of the functions of a large program before they are inlined, each for once rather than at each call:
kernels of hashcat have 25,000 instructions then instead of 130,000."""
MANY: Final = 3_000
"""Instructions of a program that is large."""
INLINE: Final = ("always-inline", "globaldce")
THREAD: Final = ("sroa", "jump-threading")
"""An early return out of a scope with variables shares that scope's clean-up with those that stay, and a flag tells
afterwards who returns. Threading gives each a way of its own, so that who returns is seen to meet no barrier. LLVM
threads jumps only for targets without divergent branches, hence it is asked for the host."""

MAX_ROUNDS: Final = 4
"""Times that a kernel is simplified again because a call through a pointer has become one of a known function. Each
may uncover another; what is left then is called."""

_ANY_GPU: Final = Machine.nvptx("sm_80", 78)
"""The target that simplification asks for costs: the IR is still a GPU's."""


def compile_for_cpu(
    text: str,
    symbol: str,
    block: Extent | None,
    watch: Watch = lambda stage, ir: None,
    promise: Promise = ALL,
    fused: bool = True,
    mapping: Mapping = AUTO,
    explain: bool = False,
) -> WorkGroupFunction:
    """The work-group function of kernel `symbol` for a local size of `block`, from kernel IR as text; None: for any.

    `promise`: what its launches keep. `fused`: the processor multiplies and adds in one rounding. `mapping`: how
    regions become loops or vector code. `explain`: with the tables of shapes.

    CompileError where the kernel does what the CPU device can't.
    """
    with step(f"isolate {symbol}"):
        isolated = _isolated(text, symbol, fused)
    watch("isolate", lambda: text_without_lines(isolated.module))
    with step(f"simplify {symbol}"):
        simplified = _simplified_for(isolated, promise)
    watch("simplify", lambda: text_without_lines(simplified.module))
    with step(f"make the work-group function of {symbol}"):
        function = _work_group_function(isolated, simplified, block, promise, mapping, explain)
    watch("work-group", lambda: text_without_lines(function.module))
    return function


class _Isolated(NamedTuple):
    """A kernel with what it reaches; `flush_denormals`: its program asks for that. `counts_groups`: it is in OpenCL C
    and may ask for the groups along y and z."""

    module: Module
    kernel: Function
    outlined: Outlined
    flush_denormals: bool
    counts_groups: bool


class _Simplified(NamedTuple):
    """A kernel after LLVM's simplification; `apart` are the parameters that are taken to overlap no other array."""

    module: Module
    kernel: Function
    apart: tuple[int, ...]


def _isolated(text: str, symbol: str, fused: bool) -> _Isolated:
    module, outlined = read_for(symbol, text)
    decide_contraction(module, fused=fused)
    mark_positions(module)
    flush_denormals = asks_to_flush_denormals(module, module.function(symbol))
    kernel = isolate_kernel(module, symbol)
    _forget_restrict(module)
    copy_byval_parameters(module, kernel)
    counts_groups = has_limits_of_open_cl(module) and may_count_groups_along_y(module)
    return _Isolated(module, kernel, outlined, flush_denormals, counts_groups)


def _simplified_for(isolated: _Isolated, promise: Promise) -> _Simplified:
    module, kernel = simplify(isolated.module, isolated.kernel, promise.small_grid)
    apart = _assume_apart(kernel) if promise.apart else ()
    if apart:
        module, kernel = simplify(module, kernel, promise.small_grid)
    flatten_lines(module)
    return _Simplified(module, kernel, apart)


def _work_group_function(
    isolated: _Isolated,
    simplified: _Simplified,
    block: Extent | None,
    promise: Promise,
    mapping: Mapping,
    explain: bool,
) -> WorkGroupFunction:
    module, kernel, apart = simplified
    outlined = isolated.outlined
    flush_denormals = isolated.flush_denormals and outlined is NONE and not computes_in_double(kernel)
    function = build_work_group_function(
        module, kernel, block, promise.small_grid, outlined, mapping, explain, host_processor()
    )
    needs_small_grid = function.needs_small_grid or (promise.small_grid and isolated.counts_groups)
    function = function._replace(flush_denormals=flush_denormals, apart=apart, needs_small_grid=needs_small_grid)
    if apart:
        names = ", ".join(kernel.arguments[number].name or f"argument {number + 1}" for number in apart)
        function = function._replace(remarks=(*function.remarks, f"taken to overlap no other array: {names}"))
    return function


def host_lanes() -> int:
    """Lanes of 32 bits in a vector of this host: 16 with AVX-512, 8 with AVX2, 4 with SSE or NEON."""
    features = Machine.host().features.split(",")
    if "+avx512f" in features and "+avx512vl" in features:
        return 16
    return 8 if "+avx2" in features else 4


@functools.cache
def host_processor() -> Processor:
    """What of this host decides how work-groups are mapped. x86-64 has the stores past the caches that
    `workgroup/lanes/streams.py` needs. Sixteen rows are walked along faster than eight where the first cache has twelve
    ways, and more slowly where it has eight (gemv of bench/cpu, on EPYC 9005 and 9004)."""
    rows = 16 if first_cache_ways() >= 12 else 8
    machine = Machine.host()
    truncating_stores = "+avx512f" in machine.features.split(",")
    return Processor(host_lanes(), machine.triple.startswith("x86_64"), rows, truncating_stores)


def ir_after(
    stage: str, text: str, symbol: str, block: Extent | None, fused: bool = True, mapping: Mapping = AUTO
) -> str:
    """The IR of a kernel after one of `STAGES`, without running those that follow; otherwise as `compile_for_cpu`."""
    isolated = _isolated(text, symbol, fused)
    if stage == "isolate":
        return text_without_lines(isolated.module)
    simplified = _simplified_for(isolated, ALL)
    if stage == "simplify":
        return text_without_lines(simplified.module)
    return text_without_lines(_work_group_function(isolated, simplified, block, ALL, mapping, explain=False).module)


def ir_with_lines(text: str, symbol: str, block: Extent | None, fused: bool, mapping: Mapping) -> str:
    """The IR of a work-group function with its places in the source, which `ir_after` leaves out."""
    return write_module(compile_for_cpu(text, symbol, block, fused=fused, mapping=mapping).module)


def read_for(symbol: str, text: str) -> tuple[Module, Outlined]:
    """What kernel `symbol` needs of a program, or all of it where it may call outlined functions, which are numbered
    over the whole program: then with those. Those that call themselves lose their bodies; one whose address is taken
    keeps it, since the pointer may turn out to be a constant."""
    module = read_module(text, [symbol])
    graph = CallGraph(module)
    reached = graph.reached([module.function(symbol)])
    if not graph.cyclic.intersection(reached) and not any(map(graph.has_indirect_calls, reached)):
        return module, NONE
    module = read_module(text)
    graph = CallGraph(module)
    outlined = outlined_functions(graph)
    for function in graph.cyclic:
        declare(function)
    return module, outlined


def simplify(module: Module, kernel: Function, small_grid: bool = False) -> tuple[Module, Function]:
    """LLVM's general simplification: all calls inlined, memory in registers, constants folded, loops in order.
    `small_grid`: launches keep that promise."""
    simplified = _simplified(module, small_grid)
    for _ in range(MAX_ROUNDS):
        calls = [i for i in simplified.function(kernel.symbol).instructions() if i.op == "call"]
        if not any(isinstance(c.operands[0], Function) and c.operands[0].blocks for c in calls):
            break
        simplified = _simplified(simplified, small_grid)
    function = simplified.function(kernel.symbol)
    spell_funnel_shifts.run(function)
    return simplified, function


def _forget_restrict(module: Module) -> None:
    for function in module.functions:
        forget_restrict.run(function)


def _assume_apart(kernel: Function) -> tuple[int, ...]:
    """Numbers of the parameters that now are taken to be apart from others."""
    before = [argument.attributes for argument in kernel.arguments]
    assume_apart.run(kernel)
    return tuple(n for n, argument in enumerate(kernel.arguments) if argument.attributes != before[n])


def _simplified(module: Module, small_grid: bool = False) -> Module:
    hide = has_limits_of_open_cl(module)
    text = write_module(module)
    llvm = LlvmModule.parse(hidden(text, small_grid=small_grid) if hide else text)
    large = sum(len(block.instructions) for function in module.functions for block in function.blocks) > MANY
    run_passes(llvm, (*CALLEES, *INLINE) if large else INLINE, _ANY_GPU)
    run_passes(llvm, THREAD, Machine.host())
    llvm = _with_wide_indices(llvm)
    _ANY_GPU.simplify(llvm)
    return read_module(shown(llvm.text()) if hide else llvm.text())


def _with_wide_indices(llvm: LlvmModule) -> LlvmModule:
    text = llvm.text()
    if " sext i32 " not in text:
        return llvm
    module = read_module(text)
    options = widen_indices.WidenOptions()
    changed = [widen_indices.run(function, module, options) for function in module.functions if function.blocks]
    return LlvmModule.parse(write_module(module)) if any(changed) else llvm


def compile_outlined(text: str, fused: bool = True) -> OutlinedObject:
    """The object of all functions of a program that can't be inlined, from its kernel IR as text. `fused`: as in
    `compile_for_cpu`."""
    module = read_module(text)
    decide_contraction(module, fused=fused)
    names = DebugInfo(module.metadata).function_names(module.functions)
    mark_positions(module)
    graph = CallGraph(module)
    outlined = outlined_functions(graph)
    roots = graph.outlined
    isolate(module, roots)
    _forget_restrict(module)
    for function in roots:
        copy_byval_parameters(module, function)
    simplified = _simplified(module)
    flatten_lines(simplified)
    functions = [simplified.function(f.symbol) for f in roots]
    for function in functions:
        spell_funnel_shifts.run(function)
    return build_outlined_object(simplified, functions, outlined, names)
