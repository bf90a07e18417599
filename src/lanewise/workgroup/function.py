# SPDX-License-Identifier: Apache-2.0
"""Builds the function of a whole work-group from a kernel, by the steps of this package in order."""

from math import prod
from typing import Final, NamedTuple, NoReturn, final

from lanewise.analysis.flow import Flow
from lanewise.analysis.uniformity import uniformity
from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.counters import VARIABLE
from lanewise.ir.function import Block, Function
from lanewise.ir.module import IN_VECTORS, Module
from lanewise.ir.parameters import parameters
from lanewise.ir.reached_blocks import drop_unreachable_blocks
from lanewise.ir.values import Argument, Value
from lanewise.workgroup.alternatives import has_same_results, is_inexact
from lanewise.workgroup.items.emission import Emission, KernelRegions
from lanewise.workgroup.items.narrow_indices import hide_narrow_indices
from lanewise.workgroup.items.storage import Kept, Storage, stored_type
from lanewise.workgroup.items.work_item_loops import emit_regions
from lanewise.workgroup.lanes.analysis.budget import Budget
from lanewise.workgroup.lanes.analysis.nontemporal import NontemporalArrays
from lanewise.workgroup.lanes.control import branch_weights
from lanewise.workgroup.lanes.control.units import LaneTarget
from lanewise.workgroup.lanes.mapper import LaneMapper, LaneOptions, wants_lanes
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE
from lanewise.workgroup.lanes.warps.warp_calls import (
    has_warp_operations,
    is_warp_synchronous,
    only_synchronises,
    warp_size_of,
)
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.arena import Arena
from lanewise.workgroup.layout.frame import Frame
from lanewise.workgroup.layout.host_object import HostObject
from lanewise.workgroup.layout.interleaved_arrays import interleave_private_arrays
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.layout.out_of_line import NONE, OutOfLine
from lanewise.workgroup.layout.own_counters import OwnCounters
from lanewise.workgroup.layout.symbols import Symbols
from lanewise.workgroup.lines import take_over_lines
from lanewise.workgroup.lowering.lowering import Lowering
from lanewise.workgroup.mapping import AUTO, LOCK_STEP, Mapping
from lanewise.workgroup.processor import USUAL, Processor
from lanewise.workgroup.regions.barriers import fold_single_phis, isolate_barriers, widen_warp_barriers
from lanewise.workgroup.regions.computed_goto import refuse_computed_goto
from lanewise.workgroup.regions.cuts import MIN_WIDTH, find_cuts
from lanewise.workgroup.regions.in_step import has_exchanges, regions_in_step
from lanewise.workgroup.regions.live_values import LiveValues
from lanewise.workgroup.regions.regions import Region, RegionGraph
from lanewise.workgroup.regions.warp_waits import has_warp_waits, part_barriers
from lanewise.workgroup.threads.lane_exchanges import LaneExchanges
from lanewise.workgroup.threads.needs_threads import needs_threads
from lanewise.workgroup.threads.wait_decision import WaitDecision
from lanewise.workgroup.threads.waiting_threads import waiting, waiting_warps
from lanewise.workgroup.waiting.progress import instrument_spin_loops
from lanewise.workgroup.waiting.spin_loops import may_spin


class WorkGroupFunction(NamedTuple):
    """A module with one function, `abi.ENTRY_SYMBOL`, for one local size or any, and facts about it."""

    module: Module
    facts: LaunchFacts
    regions: str
    """The regions as text, one per line."""
    kept: tuple[Kept, ...]
    """Values that are saved between regions, and private memory."""
    shapes: tuple[str, ...] = ()
    """Tables of how values differ between lanes, one for each region in lanes; empty unless they were asked for."""
    is_looped: bool = False
    """All regions have become loops, since they are predicted to be faster than lanes."""
    is_for_nothing: bool = False
    """Private arrays are laid out for lanes, and all regions have become loops, since they are predicted to be faster:
    mapped to a loop from the start, the kernel is faster still."""


def build_work_group_function(
    source: Module,
    kernel: Function,
    block: Extent | None,
    out_of_line: OutOfLine = NONE,
    mapping: Mapping = AUTO,
    explain: bool = False,
    processor: Processor = USUAL,
    apart: bool = False,
) -> WorkGroupFunction:
    """The work-group function of `kernel` for `block` work-items in x, y, z; None: for any local size. The kernel is
    used up.

    `mapping`: the way its regions become loops or vector code. `explain`: make the tables of shapes. `processor`: the
    one that the code is for, as far as `mapping` leaves a choice. `apart`: launches whose arrays overlap may get other
    code.

    All calls must be inlined, but those of library functions of the host and of `out_of_line` functions. CompileError
    names what the CPU can't do.
    """
    calls = out_of_line.called_from(kernel)
    threads = _needs_threads(source, kernel, block, mapping, bool(calls), apart)
    plan = _plan(source, kernel, block, mapping, bool(calls), threads.too_late, apart)
    interleaved = interleave_private_arrays(source, kernel, block) if plan.lanes else {}
    made = _Made(source, kernel, block, out_of_line)
    if plan.waits:
        made.function.arguments[1].attributes = ("noundef", "align 64")  # others write to it meanwhile
    if plan.threads:
        made.frame.take_one_thread()
    elif plan.waits:
        made.frame.take_one_warp()
    shared_bytes = made.arena.end
    regions = _find_regions(source, kernel, block, plan, mapping.outside)
    inexact = is_inexact(kernel)
    may_differ = _has_alternative(source, kernel, plan, mapping, bool(calls), regions)
    storage = Storage(regions.graph, regions.live_values, made.frame, made.arena, made.symbols, interleaved)
    exchanges = LaneExchanges(made.frame, made.symbols.external) if plan.threads else None
    owner, saturates = f"kernel {kernel.symbol}", processor.saturates
    lowering = Lowering(owner, made.frame, made.symbols, None, plan.warps, exchanges, saturates)
    arguments = _load_arguments(source, kernel, made.frame)
    mapper = _lane_mapper(kernel, made, plan, arguments, LaneOptions(mapping, block, processor, explain))
    emission = Emission(regions, storage, lowering, arguments, made.function, made.module, mapper)
    _emit(emission, made, plan)
    made.finish(source, kernel)
    facts = LaunchFacts(
        made.arena.fixed_bytes,
        shared_bytes,
        made.host.table,
        made.arena.item_bytes,
        calls=calls,
        remarks=(*emission.remarks, *([_TURNS] if plan.waits and not plan.threads else [])),
        apart=tuple(sorted(threads.apart | plan.apart)),
        is_inexact=inexact,
    )
    if mapper is not None and may_differ and mapper.other_mapping:
        facts = facts._replace(other_mapping=mapper.other_mapping, is_unsure=mapper.is_unsure)
    shapes = tuple(mapper.shapes) if mapper else ()
    looped = mapper is not None and not mapper.required and mapper.declined_all
    for_nothing = looped and bool(interleaved)
    return WorkGroupFunction(made.module, facts, str(regions.graph), tuple(storage.kept), shapes, looped, for_nothing)


class _Plan(NamedTuple):
    """Facts about a kernel that decide how its code is made."""

    warps: bool
    """True if warps are in lock-step: units of lanes are warps."""
    required: bool
    """True if there are operations of the warp, which loops over work-items can't do."""
    lanes: bool
    """True if some regions are to become lanes."""
    waits: bool
    """True if warps wait for one another, so that each has a stack of its own."""
    threads: bool
    """True if each work-item has a stack of its own."""
    spins: bool
    """True if there may be loops that wait for other work-items."""
    size: int
    """Number of instructions."""
    apart: frozenset[int]
    """Numbers of the parameters whose arrays overlap no other argument's, or else warps may wait for one another."""


def _needs_threads(
    source: Module, kernel: Function, block: Extent | None, mapping: Mapping, calls: bool, apart: bool
) -> WaitDecision:
    """Decide whether each work-item gets a stack of its own. `calls`: as for `_plan`."""
    if warp_size_of(kernel) != WARP_SIZE:
        if mapping.kind == "threads":
            _refuse_wide(kernel, 'mapping="threads"')
        if mapping.kind in ("loop", LOCK_STEP):
            return WaitDecision(False)
        decision = waiting(kernel, block, lock_step=True, apart=apart)
        if decision.too_late:
            _refuse_wide(kernel, "code whose work-items wait for one another in loops")
        return decision
    if mapping.kind in ("threads", "loop", LOCK_STEP):
        return WaitDecision(mapping.kind == "threads")
    counts_on_lock_step = is_warp_synchronous(kernel) and not has_warp_operations(kernel)
    if counts_on_lock_step and (calls or _is_irreducible(kernel)):
        # Lanes can do neither, and a loop over the threads of a warp can't wait for other warps.
        decision = waiting_warps(kernel, block, apart)
        if decision.too_late:
            return decision
    return needs_threads(source, kernel, block, apart)


def _refuse_wide(kernel: Function, what: str) -> NoReturn:
    raise CompileError(f"kernel {kernel.symbol}: {what} has no sub-groups of {warp_size_of(kernel)} on the CPU device")


def _is_irreducible(kernel: Function) -> bool:
    """Return whether a kernel has cycles that are no loops."""
    end = Block()
    return Flow(kernel.blocks[0], end, lambda block: dict.fromkeys(block.successors) or [end]).irreducible


def _plan(
    source: Module, kernel: Function, block: Extent | None, mapping: Mapping, calls: bool, threads: bool, apart: bool
) -> _Plan:
    """Bring the kernel into the form that regions are made from, and look at it. `calls`: it calls out-of-line
    functions. `threads`: each work-item has a stack of its own. `apart`: as for `build_work_group_function`."""
    loop = not threads and (mapping.kind == "loop" or (calls and only_synchronises(kernel)))
    required = not loop and not threads and has_warp_operations(kernel)
    warps = required or (not loop and not threads and is_warp_synchronous(kernel))
    awaited = waiting_warps(kernel, block, apart) if warps else WaitDecision(False)
    waits = threads or (required and has_warp_waits(kernel)) or awaited.too_late
    if waits and warp_size_of(kernel) != WARP_SIZE:
        _refuse_wide(kernel, "a work-group whose sub-groups wait for one another in loops")
    if waits:
        part_barriers(source, kernel)
        required = not threads  # a barrier of all warps is an operation of the warp
    prepare(source, kernel, warps or threads)
    spins = may_spin(kernel)
    in_step = (
        block is None and not warps and not threads and mapping.kind != "loop" and has_exchanges(kernel, source.types)
    )
    size = sum(not i.is_debug_record for i in kernel.instructions())
    lanes = not threads and wants_lanes(mapping, block, warps or in_step)
    return _Plan(warps, required, lanes, waits, threads, spins, size, awaited.apart)


def _has_alternative(
    source: Module, kernel: Function, plan: _Plan, mapping: Mapping, calls: bool, regions: KernelRegions
) -> bool:
    """Return whether work-groups may run by another mapping, too. `calls`: as for `_plan`."""
    in_turn = plan.warps or plan.threads or plan.waits or calls or regions.in_step
    return mapping.kind == "auto" and not mapping.against_model and not in_turn and has_same_results(source, kernel)


@final
class _Made:
    """The function that is made, with the module and the arena that go with it."""

    def __init__(self, source: Module, kernel: Function, block: Extent | None, out_of_line: OutOfLine) -> None:
        self.module: Final = Module()
        self.module.metadata = {name: body for name, body in source.metadata.items() if name[1:].isdigit()}
        parameters = [Argument(p, n) for p, n in zip(abi.GROUP_FUNCTION.fields, _PARAMETER_NAMES, strict=True)]
        parameters[0].attributes = ("noalias", "noundef", "readonly")
        parameters[1].attributes = ("noalias", "noundef", "align 64")
        self.function: Final = Function(abi.ENTRY_SYMBOL, abi.GROUP_FUNCTION, parameters, suffix="nounwind")
        self.frame: Final = Frame(self.module, Builder(self.function.add_block("entry")), parameters, block)
        self.arena: Final = Arena(None if block is None else prod(block))
        self.counters: Final = OwnCounters(self.frame, VARIABLE in source.symbols)
        self.host: Final = HostObject(source, self.module)
        self.symbols: Final = Symbols(kernel, self.host, self.frame, self.arena, out_of_line)

    def finish(self, source: Module, kernel: Function) -> None:
        """Put the function into the module."""
        self.symbols.finish()
        self.host.finish()
        take_over_lines(source, kernel, self.module, self.function)
        self.module.add(self.function)


def _find_regions(source: Module, kernel: Function, block: Extent | None, plan: _Plan, outside: bool) -> KernelRegions:
    facts = uniformity(kernel)
    width = 0 if plan.lanes or plan.threads or outside else MIN_WIDTH if block is None else block[0]
    graph = RegionGraph(kernel, find_cuts(kernel, facts, width), facts.exit_edges)
    in_step = frozenset[Region]() if plan.warps or plan.threads else regions_in_step(graph, facts, block, source.types)
    return KernelRegions(graph, facts, LiveValues(graph, facts), in_step)


def _lane_mapper(
    kernel: Function, made: _Made, plan: _Plan, arguments: dict[Value, Value], options: LaneOptions
) -> LaneMapper | None:
    """The mapping to lanes; None if no region is to become lanes."""
    if not plan.lanes:
        return None
    block, processor = options.block, options.processor
    nontemporal = None
    if processor.nontemporal_stores and block is not None:
        nontemporal = NontemporalArrays(kernel, made.frame, made.module, arguments, prod(block))
    budget = Budget(None if options.mapping.kind == "lanes" or plan.required else plan.size)
    target = LaneTarget(
        made.function, made.frame, made.symbols.external, made.module, nontemporal, processor, budget, made.counters
    )
    return LaneMapper(target, options, warp_size_of(kernel) if plan.warps else 0, plan.required)


def _emit(emission: Emission, made: _Made, plan: _Plan) -> None:
    """Make the code of all regions, with hints for LLVM and instrumentation for the runtime core."""
    first = emit_regions(emission)
    if plan.spins:
        instrument_spin_loops(
            made.function, first, made.frame, made.symbols.external, emission.items, lock_step=plan.warps
        )
    made.counters.finish(made.function)
    made.frame.enter(made.function, first)
    if emission.has_loops:
        hide_narrow_indices(made.module, made.function)
    else:
        made.module.metadata[IN_VECTORS] = "!{}"
        branch_weights.declare_profile(made.function)


def prepare(module: Module, kernel: Function, warps: bool = False) -> None:
    """Bring a kernel into the form that regions are made from. `warps`: its warps will be in lock-step."""
    drop_unreachable_blocks(kernel)
    refuse_computed_goto(kernel, f"kernel {kernel.symbol}")
    fold_single_phis(kernel)
    if not warps:
        widen_warp_barriers(module, kernel)
    isolate_barriers(kernel)
    for number, block in enumerate(kernel.blocks):
        block.name = block.name or f"b{number}"


_TURNS = "warps take turns, since they wait for one another"
_PARAMETER_NAMES = ("launch", "arena", "group.x", "group.y", "group.z")


def _load_arguments(source: Module, kernel: Function, frame: Frame) -> dict[Value, Value]:
    """Load the kernel's arguments from the memory into which the launch has packed them."""
    entry = frame.entry
    packed = entry.load(ty.PTR, entry.offset(frame.launch, abi.LAUNCH_ARGS), "args", align=8)
    places = parameters(kernel, source)
    loaded: dict[Value, Value] = {}
    for argument, place in zip(kernel.arguments, places, strict=True):
        address = entry.offset(packed, place.offset)
        if place.byval:
            loaded[argument] = address
            continue
        value = entry.load(stored_type(argument.type), address, argument.name)
        loaded[argument] = entry.cast("trunc", value, ty.I1) if argument.type is ty.I1 else value
    return loaded
