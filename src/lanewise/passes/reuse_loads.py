# SPDX-License-Identifier: Apache-2.0
"""reuse-loads: partial redundancy elimination of loads.

Why
    A load from global memory costs some hundred cycles, and a slot in the load unit. A loop over `a[i]` and `a[i + 1]`
    loads each element twice. Of 521 kernels, NVIDIA's compiler made 47 over 3 % faster by removing such loads, and 44
    over 3 % slower, since values stayed in registers for longer (cuda-compiling-and-optimizing-2012, 3.4 and Table 1).

Before
    define void @f(ptr noalias %out, ptr %in, i32 %first, i32 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %wide = zext nneg i32 %i to i64
      %p = getelementptr inbounds float, ptr %in, i64 %wide
      %a = load float, ptr %p, align 4
      %p.next = getelementptr inbounds i8, ptr %p, i64 4
      %b = load float, ptr %p.next, align 4
      %sum = fadd float %a, %b
      %q = getelementptr inbounds float, ptr %out, i64 %wide
      store float %sum, ptr %q, align 4
      %i.next = add nsw i32 %i, 1
      %done = icmp eq i32 %i.next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

After
    define void @f(ptr noalias %out, ptr %in, i32 %first, i32 %n) {
    entry:
      %0 = zext nneg i32 %first to i64
      %1 = getelementptr inbounds float, ptr %in, i64 %0
      %2 = load float, ptr %1, align 4
      br label %loop
    loop:
      %3 = phi float [ %2, %entry ], [ %b, %loop ]
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %wide = zext nneg i32 %i to i64
      %p = getelementptr inbounds float, ptr %in, i64 %wide
      %p.next = getelementptr inbounds i8, ptr %p, i64 4
      %b = load float, ptr %p.next, align 4
      %sum = fadd float %3, %b
      %q = getelementptr inbounds float, ptr %out, i64 %wide
      store float %sum, ptr %q, align 4
      %i.next = add nsw i32 %i, 1
      %done = icmp eq i32 %i.next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

Needs
    1. The load is neither volatile nor atomic.
    2. A load or store of the same type and address comes before it, on all paths or on all but one. Nothing in between
       may change what is there, or let other threads change it: `analysis/aliases.py` tells.
    3. The address is the same sum, in which phis are taken for the values that they have on the path: `a[i]` is what
       was `a[i + 1]` one turn before. No other value in it is computed in between.
    4. On the path that has none, a load is put on the last edge from which all paths lead to this load. Nothing on
       them may end the thread or wait for others: the address is dereferenced anyway.
    5. The address on that edge is computed by the same instructions as the load's, none of which has an effect, with
       the values that phis have on the only way from there.
    6. That edge enters a loop in which the load is, or it is decided by a branch that all threads of a block take
       together. In an arm of a divergent branch, a warp would go on to execute as many loads as before.
    7. The value doesn't bring a block, from where it is known to where it is used, above 64 registers by the estimate
       of `analysis/live_registers.py`.

Method
    From a load, blocks are gone through backwards, along all edges, with the address as it is on each. What is found
    joins in phis. Then a value from the turn before is in a register that rotates, and one that the loop doesn't change
    is loaded before it.

When not
    It runs on request: docs/gpu.md has the kernels that gain. Values of another type or size than the load's. Values
    from two turns before. Constant memory and parameters, which arithmetic has as operands for nothing.

Neighbours
    LLVM's GVN and LICM have done this already, before it unrolled loops, and knowing less of memory spaces. They don't
    see through products with a length of rows. Runs after eliminate-dead-stores, and before
    reassociate-pointer-arithmetic, which has fewer addresses to compute then.
"""

from collections.abc import Sequence
from typing import Final, final

from lanewise.analysis.address_polynomials import PolynomialAddress
from lanewise.analysis.available_values import MOST_PLACES, AvailableValues, Edge, Edges, PathPlace, incoming
from lanewise.analysis.live_registers import LiveRegisters, live_registers, registers_of
from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import LoopInfo, find_loops
from lanewise.ir.module import Module
from lanewise.ir.remarks import leave_alone
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Value

_MOST_REGISTERS: Final = 64
_PROMISES: Final = frozenset({"!range", "!nonnull", "!noundef", "!align", "!dereferenceable"})
"""Metadata by which a loaded value may be poison."""


def run(function: Function, module: Module) -> bool:
    """Reuse loaded and stored values in a function; see above. Returns whether anything changed."""
    changed = False
    while function.blocks and _once(function, module):
        changed = True
    return changed


def _once(function: Function, module: Module) -> bool:
    if not any(_loads(each) for each in function.instructions()):
        return False
    reuse = _Reuse(function, module)
    changed = False
    for block in reuse.tree.order:
        for load in [each for each in block.instructions if _loads(each) and reuse.values.is_promising(each)]:
            changed |= reuse.replace(load)
            if reuse.is_outdated:
                return True
    return changed


def _loads(instruction: Instruction) -> bool:
    return instruction.op == "load" and not effects.is_ordered(instruction)  # 1


@final
class _Reuse:
    """The loads of a function, and what is known of them."""

    def __init__(self, function: Function, module: Module) -> None:
        self.tree: Final[DominatorTree] = dominators(function)
        self._function: Final = function
        self._loops: Final[LoopInfo] = find_loops(function, self.tree)
        self.values: Final = AvailableValues(function, module, self._loops)
        self._registers: LiveRegisters | None = None
        self._uniformity: Uniformity | None = None
        self.is_outdated = False
        """A block was made, which the dominators and loops at hand don't have."""

    def replace(self, load: Instruction) -> bool:
        """Replace a load by values that are known. Returns whether it is gone."""
        found = self.values.before(load)
        if found is None:  # 2
            return False
        if isinstance(found, Value):
            self._put(found, (found,), load)
            return True
        edges = found.edges  # 3
        missing = [(place, edge) for place, some in edges.items() for edge in some if edge.found is None]
        if len(missing) > 1:  # 2
            return False
        if not self._leaves_registers(edges, load):  # 7
            return False
        for place, edge in missing:
            if not self._may_insert(place, edge, found.start, edges, load):
                return False
            edges = self._with_load(place, edge, found.start, edges, load)
        sources = [edge.found for some in edges.values() for edge in some if isinstance(edge.found, Value)]
        value = _joined(found.start, edges, load)
        for place in edges:
            self.values.look_again(place.block)
        self._put(value, sources, load)
        return True

    # -- deciding ------------------------------------------------------------------------------------------------

    def _leaves_registers(self, edges: "Edges", load: Instruction) -> bool:
        """True if the value may stay in registers from where it is known to the load."""
        if self._registers is None:
            self._registers = live_registers(self._function)
        blocks = {load.parent, *(place.block for place in edges)}
        most = max(self._registers.most(block) for block in blocks)
        if most + registers_of(load.type) <= _MOST_REGISTERS:
            return True
        leave_alone(load.parent, f"a value would live where {most} registers are in use, of {_MOST_REGISTERS}")
        return False

    def _may_insert(self, place: PathPlace, edge: Edge, start: PathPlace, edges: "Edges", load: Instruction) -> bool:
        pointer = effects.pointer_operand(load)
        chain = _chain(place, edge, start, edges, pointer)
        if chain is None or not _is_computed(pointer, chain):  # 5
            return False
        if not self._pays(place.block, edge.source, load.parent):  # 6
            return False
        return self._leads_to(place, start, edges, load)  # 4

    def _pays(self, block: Block, source: Block, target: Block) -> bool:
        """True if a load on an edge is executed more rarely than the one that it stands for."""
        loops = self._loops.around(target)
        if any(source not in loop.blocks for loop in loops):
            return True
        loop = self._loops.innermost(block)
        if (loop is not None and loop.header is block) or not self._function.is_kernel:
            return False
        above = self.tree.immediate(block)
        if self._uniformity is None:
            self._uniformity = uniformity(self._function)
        return above is not None and self._uniformity.takes_one_way(above)

    @staticmethod
    def _leads_to(first: PathPlace, start: PathPlace, edges: "Edges", load: Instruction) -> bool:
        """True if all paths from a place lead to the load, with the address that is looked for."""
        addresses: dict[Block, set[PolynomialAddress]] = {}
        for place in edges:
            addresses.setdefault(place.block, set()).add(place.address)
        done: set[Block] = set()

        def leads(block: Block, above: frozenset[Block]) -> bool:
            if len(addresses.get(block, ())) != 1 or block in above:
                return False
            if block in done:
                return True
            done.add(block)
            for instruction in block.instructions:
                if instruction is load:
                    return True
                if effects.may_not_return(instruction) or effects.orders(instruction):
                    return False
            further = block.successors
            return bool(further) and all(leads(each, above | {block}) for each in further)

        return leads(first.block, frozenset())

    # -- changing ------------------------------------------------------------------------------------------------

    def _with_load(self, place: PathPlace, edge: Edge, start: PathPlace, edges: "Edges", load: Instruction) -> "Edges":
        """Put a load on an edge. Returns the edges with its value."""
        pointer = effects.pointer_operand(load)
        chain = _chain(place, edge, start, edges, pointer)
        assert chain is not None, "checked before"
        source = block = edge.source
        if len(source.successors) > 1:
            block = _split(source, place.block)
            self.is_outdated = True
            chain[-1] = block, place.block
        self.values.look_again(block)
        value = _append(block, load.copied([_copied(pointer, chain, block, {})]))

        def changed(to: PathPlace, each: Edge) -> Edge:
            if to.block is not place.block or each.source is not source:
                return each
            return each._replace(source=block, found=value if to == place else each.found)

        return {to: [changed(to, each) for each in some] for to, some in edges.items()}

    def _put(self, value: Value, found: Sequence[Value], load: Instruction) -> None:
        """Replace a load by a value that it would load; `found` are those that it is made of."""
        kept = [each for each in load.metadata if each[0] in _PROMISES]
        for each in found:
            if isinstance(each, Instruction) and each.op == "load":
                each.metadata = tuple(node for node in each.metadata if node[0] not in _PROMISES or node in kept)
        load.replace_all_uses(value)
        operands = [operand for operand in load.operands if isinstance(operand, Instruction)]
        is_in_addresses = load.type.is_int or load.type.is_pointer
        load.erase()
        erase_unused(operands)
        if is_in_addresses:  # known addresses would name a value that is in no block any more
            self.values.forget()


def _chain(
    place: PathPlace, edge: Edge, start: PathPlace, edges: "Edges", pointer: Value
) -> list[tuple[Block, Block]] | None:
    """The edges (source, block) from the load's block back to an edge; None if there are several ways. A pointer that
    is computed on none of them needs that edge alone."""
    chain = [(edge.source, place.block)]
    if not isinstance(pointer, Instruction) or all(each.block is not pointer.block for each in edges):
        return chain
    while place != start:
        further = [(each.source, to) for to, some in edges.items() for each in some if each.found == place]
        if len(further) != 1 or len(chain) > MOST_PLACES:
            return None
        ((source, place),) = further
        chain.insert(0, (source, place.block))
    return chain


def _joined(start: PathPlace, edges: "Edges", load: Instruction) -> Value:
    """The value at the start of the load's block, by phis where paths join. All uses of the load get it."""
    made: dict[PathPlace, Instruction] = {
        place: place.block.insert(0, Instruction("phi", load.type)) for place, some in edges.items() if len(some) > 1
    }

    def at(found: "Value | PathPlace | None") -> Value:
        while isinstance(found, PathPlace) and found not in made:
            found = edges[found][0].found
        assert found is not None, "the value is known on all edges"
        return made[found] if isinstance(found, PathPlace) else found

    for place, phi in made.items():
        for edge in edges[place]:
            phi.append_operand(at(edge.found))
            phi.append_operand(edge.source)
    value = at(start)
    load.replace_all_uses(value)
    changed = True
    while changed:
        changed = False
        for phi in made.values():
            known = _known(phi) if phi.block else None
            if known is not None:
                value = known if value is phi else value
                phi.replace_all_uses(known)
                phi.erase()
                changed = True
    return value


def _known(phi: Instruction) -> Value | None:
    """A value that a phi always is: the only one that comes in, or another phi."""
    others = dict.fromkeys(each for each, _ in phi.incoming() if each is not phi)
    if len(others) == 1:
        return next(iter(others))
    values = {before: each for each, before in phi.incoming()}
    same = (
        other
        for other in phi.parent.phis
        if other is not phi and other.type is phi.type
        if all(values.get(before) is each for each, before in other.incoming())
    )
    return next(same, None)


def _split(source: Block, target: Block) -> Block:
    """A block on an edge."""
    blocks = target.parent.blocks
    made = Block(None, target.parent)
    blocks.insert(blocks.index(target), made)
    source.terminator.replace_operand(target, made)
    for phi in target.phis:
        phi.replace_operand(source, made)
    made.append(Instruction("br", ty.VOID, (target,)))
    return made


def _is_computed(value: Value, chain: Sequence[tuple[Block, Block]]) -> bool:
    """True if `_copied` can copy a value."""
    place = _place(value, chain)
    if place is None or not isinstance(value, Instruction):
        return True
    if value.op == "phi":
        return _is_computed(incoming(value, chain[place][0]), chain[place + 1 :])
    return effects.is_pure(value) and all(_is_computed(operand, chain) for operand in value.operands)


def _place(value: Value, chain: Sequence[tuple[Block, Block]]) -> int | None:
    """The number of the edge to the block in which a value is computed; None if that is none of these."""
    if not isinstance(value, Instruction):
        return None
    return next((number for number, (_, block) in enumerate(chain) if block is value.block), None)


def _copied(value: Value, chain: Sequence[tuple[Block, Block]], to: Block, made: dict[Value, Value]) -> Value:
    """A value as it is when control flow goes along a chain of edges, which is given from its end on; computed at the
    end of a block, from which the first of these edges leaves."""
    place = _place(value, chain)
    if place is None or not isinstance(value, Instruction):
        return value
    known = made.get(value)
    if known is None:
        if value.op == "phi":
            known = _copied(incoming(value, chain[place][0]), chain[place + 1 :], to, {})
        else:
            known = _append(to, value.copied([_copied(each, chain, to, made) for each in value.operands]))
        made[value] = known
    return known


def _append(block: Block, instruction: Instruction) -> Instruction:
    """Put an instruction before the branch that ends a block."""
    return block.insert(len(block.instructions) - 1, instruction)
