# SPDX-License-Identifier: Apache-2.0
"""Builds the function of a whole work-group from a kernel: the way through this package, in order."""

from __future__ import annotations

from typing import NamedTuple

from lanewise.analysis.uniformity import uniformity
from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.parameters import parameters
from lanewise.ir.values import Argument, Value
from lanewise.workgroup import abi
from lanewise.workgroup.arena import Arena
from lanewise.workgroup.barriers import fold_single_phis, isolate_barriers, widen_warp_barriers
from lanewise.workgroup.contexts import Contexts
from lanewise.workgroup.cuts import find_cuts
from lanewise.workgroup.frame import Frame
from lanewise.workgroup.global_ids import mark_global_ids
from lanewise.workgroup.group import Group
from lanewise.workgroup.lowering import Lowering
from lanewise.workgroup.regions import RegionGraph
from lanewise.workgroup.storage import Storage, stored_type
from lanewise.workgroup.symbols import Symbols
from lanewise.workgroup.work_item_loop import emit_work_item_loops


class WorkGroupFunction(NamedTuple):
    """A module with one function, `abi.ENTRY_SYMBOL`, for one local size, and what its launch must know."""

    module: Module
    arena_bytes: int
    """Of each worker, without dynamic shared memory."""
    shared_bytes: int
    """Static shared memory."""
    variables: tuple[str, ...]
    """Symbols whose addresses go into the table `abi.VARIABLES_SYMBOL`."""
    regions: str
    """The regions as text, a line each."""


def build_work_group_function(
    source: Module, kernel: Function, block: tuple[int, int, int], small_grid: bool = True
) -> WorkGroupFunction:
    """The work-group function of `kernel` for `block` work-items in x, y, z. The kernel is used up.

    `small_grid`: it is launched only on grids of at most 2^31 - 1 work-items along each axis.

    Everything that the kernel calls must be inlined, but library functions of the host. CompileError names what the
    CPU can't do.
    """
    prepare(source, kernel)
    if small_grid:
        mark_global_ids(kernel, block)
    target = Module()
    target.metadata = {name: body for name, body in source.metadata.items() if name[1:].isdigit()}
    parameters = [Argument(p, n) for p, n in zip(abi.GROUP_FUNCTION.fields, _PARAMETER_NAMES, strict=True)]
    parameters[0].attributes = ("noalias", "noundef", "readonly")
    parameters[1].attributes = ("noalias", "noundef", "align 64")
    function = Function(abi.ENTRY_SYMBOL, abi.GROUP_FUNCTION, parameters, suffix="nounwind")
    frame = Frame(function, block)
    arena = Arena()
    symbols = Symbols(source, kernel, target, frame, arena)
    shared_bytes = arena.end
    facts = uniformity(kernel)
    graph = RegionGraph(kernel, find_cuts(kernel, facts, block[0]), facts.exit_edges)
    contexts = Contexts(graph, facts)
    storage = Storage(graph, contexts, frame, arena, symbols)
    lowering = Lowering(kernel, frame, symbols)
    arguments = _load_arguments(source, kernel, frame)
    group = Group(graph, facts, contexts, storage, lowering, arguments, function, target)
    frame.entry.branch(emit_work_item_loops(group))
    symbols.finish()
    target.add(function)
    return WorkGroupFunction(target, arena.dynamic, shared_bytes, tuple(symbols.variables), str(graph))


def prepare(module: Module, kernel: Function) -> None:
    """Bring a kernel into the form that regions are made from."""
    _drop_unreachable_blocks(kernel)
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


def _drop_unreachable_blocks(kernel: Function) -> None:
    reached: set[Block] = set()
    work = [kernel.entry]
    while work:
        block = work.pop()
        if block not in reached:
            reached.add(block)
            work.extend(block.successors)
    dead = [block for block in kernel.blocks if block not in reached]
    for block in dead:
        for successor in block.successors:
            for phi in successor.phis:
                _remove_incoming(phi, block)
    for block in dead:
        for instruction in block.instructions:
            instruction.drop_operands()
    kernel.blocks = [block for block in kernel.blocks if block in reached]
    if any(i.op == "indirectbr" for i in kernel.instructions()):
        raise CompileError(f"kernel {kernel.symbol}: computed goto is not supported on the CPU device")


def _remove_incoming(phi: Instruction, block: Block) -> None:
    pairs = [(value, before) for value, before in phi.incoming() if before is not block]
    phi.drop_operands()
    for value, before in pairs:
        phi.append_operand(value)
        phi.append_operand(before)
