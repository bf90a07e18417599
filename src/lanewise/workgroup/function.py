# SPDX-License-Identifier: Apache-2.0
"""Builds the function of a whole work-group from a kernel: the way through this package, in order."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from lanewise.analysis.uniformity import uniformity
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.module import IN_VECTORS, Module
from lanewise.ir.parameters import parameters
from lanewise.ir.values import Argument, Value
from lanewise.workgroup import abi, expected
from lanewise.workgroup.arena import Arena
from lanewise.workgroup.barriers import fold_single_phis, isolate_barriers, widen_warp_barriers
from lanewise.workgroup.blocks import drop_unreachable_blocks, refuse_computed_goto
from lanewise.workgroup.contexts import Contexts
from lanewise.workgroup.cuts import MIN_WIDTH, find_cuts
from lanewise.workgroup.frame import Frame
from lanewise.workgroup.global_ids import mark_global_ids
from lanewise.workgroup.group import Group
from lanewise.workgroup.host_object import HostObject
from lanewise.workgroup.in_step import has_exchanges, regions_in_step
from lanewise.workgroup.lanes.mapping import lane_mapping
from lanewise.workgroup.lanes.private_arrays import interleave_private_arrays
from lanewise.workgroup.lanes.streams import Streams
from lanewise.workgroup.lanes.warp_calls import has_warp_operations, is_warp_synchronous, only_synchronises
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.lines import take_over_lines
from lanewise.workgroup.local_size import Extent
from lanewise.workgroup.lowering import Lowering
from lanewise.workgroup.mapping import AUTO, Mapping
from lanewise.workgroup.narrow_indices import hide_narrow_indices
from lanewise.workgroup.outlined.functions import NONE, Outlined
from lanewise.workgroup.processor import USUAL, Processor
from lanewise.workgroup.regions import Region, RegionGraph
from lanewise.workgroup.storage import Kept, Storage, stored_type
from lanewise.workgroup.symbols import Symbols
from lanewise.workgroup.waiting import tell_of_waiting
from lanewise.workgroup.waiting_loops import may_wait
from lanewise.workgroup.work_item_loop import emit_work_item_loops


class WorkGroupFunction(NamedTuple):
    """A module with one function, `abi.ENTRY_SYMBOL`, for one local size or any, and facts about it."""

    module: Module
    facts: LaunchFacts
    regions: str
    """The regions as text, a line each."""
    kept: tuple[Kept, ...]
    """Values that are kept between regions, and private memory."""
    shapes: tuple[str, ...] = ()
    """How values differ between lanes: a table for each region in lanes, if they were asked for."""


def build_work_group_function(
    source: Module,
    kernel: Function,
    block: Extent | None,
    small_grid: bool = True,
    outlined: Outlined = NONE,
    mapping: Mapping = AUTO,
    explain: bool = False,
    processor: Processor = USUAL,
) -> WorkGroupFunction:
    """The work-group function of `kernel` for `block` work-items in x, y, z; None: for any local size. The kernel is
    used up.

    `small_grid`: it is launched only on grids of at most 2^31 - 1 work-items along each axis.
    `mapping`: how its regions become loops or vector code. `explain`: with the tables of shapes.
    `processor`: what it is to run on, where `mapping` doesn't say otherwise.

    Everything that the kernel calls must be inlined, but library functions of the host and `outlined` functions.
    CompileError names what the CPU can't do.
    """
    calls = outlined.called_from(kernel)
    loop = mapping.kind == "loop" or (calls and only_synchronises(kernel))
    required = not loop and has_warp_operations(kernel)
    warps = required or (not loop and is_warp_synchronous(kernel))
    prepare(source, kernel, warps)
    waits = may_wait(kernel)
    in_step = block is None and not warps and mapping.kind != "loop" and has_exchanges(kernel, source.types)
    size = sum(not i.is_debug_record for i in kernel.instructions())
    lanes = lane_mapping(mapping, block, warps, required, processor, in_step, size)
    interleaved = interleave_private_arrays(source, kernel, block) if lanes else {}
    streams = Streams(kernel, prod(block)) if lanes and processor.streams and block is not None else None
    needs_small_grid = small_grid and mark_global_ids(kernel, block)
    target = Module()
    target.metadata = {name: body for name, body in source.metadata.items() if name[1:].isdigit()}
    parameters = [Argument(p, n) for p, n in zip(abi.GROUP_FUNCTION.fields, _PARAMETER_NAMES, strict=True)]
    parameters[0].attributes = ("noalias", "noundef", "readonly")
    parameters[1].attributes = ("noalias", "noundef", "align 64")
    function = Function(abi.ENTRY_SYMBOL, abi.GROUP_FUNCTION, parameters, suffix="nounwind")
    frame = Frame(target, Builder(function.add_block("entry")), parameters, block)
    arena = Arena(None if block is None else prod(block))
    host = HostObject(source, target)
    symbols = Symbols(kernel, host, frame, arena, outlined)
    shared_bytes = arena.end
    facts = uniformity(kernel)
    width = 0 if lanes else MIN_WIDTH if block is None else block[0]
    graph = RegionGraph(kernel, find_cuts(kernel, facts, width), facts.exit_edges)
    stepped = frozenset[Region]() if warps else regions_in_step(graph, facts, block, source.types)
    contexts = Contexts(graph, facts)
    storage = Storage(graph, contexts, frame, arena, symbols, interleaved)
    lowering = Lowering(f"kernel {kernel.symbol}", frame, symbols, warps=warps)
    arguments = _load_arguments(source, kernel, frame)
    if streams is not None:
        streams.place(frame, target, arguments)
    shapes: list[str] | None = [] if explain else None
    group = Group(
        graph, facts, contexts, storage, lowering, arguments, function, target, lanes, stepped, shapes, streams
    )
    first = emit_work_item_loops(group)
    if waits:
        tell_of_waiting(function, first, frame, symbols.external, group.items, lock_step=warps)
    frame.entry.branch(first)
    if group.has_loops:
        hide_narrow_indices(target, function)
    else:
        target.metadata[IN_VECTORS] = "!{}"
        expected.declare_profile(function)
    symbols.finish()
    host.finish()
    take_over_lines(source, kernel, target, function)
    target.add(function)
    return WorkGroupFunction(
        target,
        LaunchFacts(
            arena.fixed_bytes,
            shared_bytes,
            host.table,
            arena.item_bytes,
            needs_small_grid,
            calls,
            tuple(group.remarks),
        ),
        str(graph),
        tuple(storage.kept),
        tuple(shapes or ()),
    )


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


_PARAMETER_NAMES = ("launch", "arena", "group.x", "group.y", "group.z")


def _load_arguments(source: Module, kernel: Function, frame: Frame) -> dict[Value, Value]:
    """Load the kernel's arguments from where the launch has packed them."""
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
