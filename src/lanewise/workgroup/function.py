# SPDX-License-Identifier: Apache-2.0
"""Builds the function of a whole work-group from a kernel: the way through this package, in order."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from lanewise.analysis.uniformity import uniformity
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.parameters import parameters
from lanewise.ir.values import Argument, Value
from lanewise.workgroup import abi
from lanewise.workgroup.arena import Arena
from lanewise.workgroup.barriers import fold_single_phis, isolate_barriers, widen_warp_barriers
from lanewise.workgroup.blocks import drop_unreachable_blocks, refuse_computed_goto
from lanewise.workgroup.contexts import Contexts
from lanewise.workgroup.cuts import MIN_WIDTH, find_cuts
from lanewise.workgroup.frame import Frame
from lanewise.workgroup.global_ids import mark_global_ids
from lanewise.workgroup.group import Group
from lanewise.workgroup.host_object import HostObject
from lanewise.workgroup.local_size import Extent
from lanewise.workgroup.lowering import Lowering
from lanewise.workgroup.narrow_indices import hide_narrow_indices
from lanewise.workgroup.outlined.functions import NONE, Outlined
from lanewise.workgroup.regions import RegionGraph
from lanewise.workgroup.storage import Kept, Storage, stored_type
from lanewise.workgroup.symbols import Symbols
from lanewise.workgroup.work_item_loop import emit_work_item_loops


class WorkGroupFunction(NamedTuple):
    """A module with one function, `abi.ENTRY_SYMBOL`, for one local size or any, and what its launch must know."""

    module: Module
    arena_bytes: int
    """Of each worker, without dynamic shared memory; in code for any local size without `item_bytes`."""
    shared_bytes: int
    """Static shared memory."""
    variables: tuple[str, ...]
    """Symbols, of variables and of outlined functions, whose addresses go into the table `abi.VARIABLES_SYMBOL`."""
    regions: str
    """The regions as text, a line each."""
    item_bytes: int
    """For each work-item in code for any local size, else 0: `abi.arena_bytes` gives the arena's size."""
    needs_small_grid: bool
    """It is not right for grids of 2^31 and more work-items along an axis."""
    calls: tuple[str, ...]
    """Outlined functions that may run when it does."""
    kept: tuple[Kept, ...]
    """What is kept between regions, and private memory."""


def build_work_group_function(
    source: Module, kernel: Function, block: Extent | None, small_grid: bool = True, outlined: Outlined = NONE
) -> WorkGroupFunction:
    """The work-group function of `kernel` for `block` work-items in x, y, z; None: for any local size. The kernel is
    used up.

    `small_grid`: it is launched only on grids of at most 2^31 - 1 work-items along each axis.

    Everything that the kernel calls must be inlined, but library functions of the host and `outlined` functions.
    CompileError names what the CPU can't do.
    """
    prepare(source, kernel)
    calls = outlined.called_from(kernel)
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
    graph = RegionGraph(kernel, find_cuts(kernel, facts, MIN_WIDTH if block is None else block[0]), facts.exit_edges)
    contexts = Contexts(graph, facts)
    storage = Storage(graph, contexts, frame, arena, symbols)
    lowering = Lowering(f"kernel {kernel.symbol}", frame, symbols)
    arguments = _load_arguments(source, kernel, frame)
    group = Group(graph, facts, contexts, storage, lowering, arguments, function, target)
    frame.entry.branch(emit_work_item_loops(group))
    hide_narrow_indices(target, function)
    symbols.finish()
    host.finish()
    target.add(function)
    return WorkGroupFunction(
        target,
        arena.fixed_bytes,
        shared_bytes,
        host.table,
        str(graph),
        arena.item_bytes,
        needs_small_grid,
        calls,
        tuple(storage.kept),
    )


def prepare(module: Module, kernel: Function) -> None:
    """Bring a kernel into the form that regions are made from."""
    drop_unreachable_blocks(kernel)
    refuse_computed_goto(kernel, f"kernel {kernel.symbol}")
    fold_single_phis(kernel)
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
