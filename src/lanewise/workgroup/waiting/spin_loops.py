# SPDX-License-Identifier: Apache-2.0
"""Spin loops of a work-group function, which wait for somebody else to change memory, and the values they carry.

Terms
    *Own memory* is the thread's arena and the slots of its frame, which no other thread writes. A *place* in it is an
    address that the entry computes, and that addresses of accesses are derived from.
    A loop *spins* if one of its exits depends on an atomic or volatile read of an iteration, perhaps by way of own
    memory (a value that one work-item reads may be there for the others after a barrier); or if it has no exit. In
    lock-step, atomic operations on shared memory are plain ones, so any read of the arena counts there (`lock_step`).
    Its *state* are the phis of its header, and slots, that decisions or writes of an iteration depend on. An iteration
    with the state of an earlier one, and the same memory, does the same, and so do all that follow.

A loop that looks at a clock as well is *timed*: time ends it, but others must get on meanwhile.

Not found: cycles that are no loops (irreducible); loops with calls that may depend on anything.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.spinning import changes_memory, is_shared_read
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Global, Value
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame

_CLOCK: Final = "llvm.readcyclecounter"
_GATHER: Final = "llvm.masked.gather."
_MASKED_LOAD: Final = "llvm.masked.load."
_MASKED_STORE: Final = "llvm.masked.store."
_WITHOUT_CHANGES: Final = (
    abi.SERVICE_YIELD, abi.SERVICE_GRID_SYNC, abi.SERVICE_MEET, abi.SERVICE_EXCHANGE,
    abi.SERVICE_CHECK_FAULT, abi.SERVICE_CHECK_SHARED, abi.SERVICE_CHECK_GLOBAL, abi.SERVICE_CHECK_MEETING,
    abi.SERVICE_CHECK_ACCESSES, abi.SERVICE_MEMORY_START, abi.SERVICE_MEMORY_BYTES,
)  # fmt: skip
"""Services that change no memory of the program's: those that wait, and the notes of checks."""
_HARMLESS: Final = (_GATHER, "llvm.stacksave", "llvm.stackrestore")


class SpinLoop(NamedTuple):
    header: Block
    blocks: frozenset[Block]
    state: tuple[Instruction, ...]
    """Phis of the header."""
    slots: tuple[Instruction, ...]
    """Slots of the frame that an iteration reads and writes: as good as phis."""
    reads: frozenset[Instruction]
    """Atomic and volatile reads that change nothing, but that decisions or writes of an iteration depend on."""
    tracked: frozenset[Value]
    """Places by which the reads of an iteration decide on an exit."""
    used: frozenset[Value]
    """Places that are read for other decisions or writes of an iteration."""


def may_spin(function: Function) -> bool:
    """Return whether a kernel or device function can have spin loops, by a look at each instruction: it has an atomic
    or volatile access, or code from which no path leads to its end."""
    if any(is_shared_read(instruction) for instruction in function.instructions()):
        return True
    ending = [block for block in function.blocks if not block.successors]
    seen = set(ending)
    while ending:
        for before in ending.pop().predecessors:
            if before not in seen:
                seen.add(before)
                ending.append(before)
    return len(seen) < len(function.blocks)


def is_masked_store(instruction: Instruction) -> bool:
    """Return whether an instruction is a masked store: a call (value, address, alignment, mask)."""
    return instruction.callee.startswith(_MASKED_STORE)


class WaitingLoops(NamedTuple):
    """The loops of some code that wait; outer ones before inner ones."""

    spin: list[SpinLoop]
    timed: list[FlowLoop]
    """Loops that look at a clock, too: they may wait for others, but never repeat themselves."""


def find_waiting_loops(first: Block, frame: Frame, *, lock_step: bool) -> WaitingLoops:
    """The loops of the code that starts with block `first` and ends with returns, if they wait for others.
    `lock_step`: the code is that of whole warps."""
    end = Block("end")
    flow = Flow(first, end, lambda block: dict.fromkeys(block.successors) or [end])
    facts = _Facts(flow, OwnMemory(frame), lock_step)
    found = [facts.examine(loop) for loop in flow.loops]
    return WaitingLoops([x for x in found if isinstance(x, SpinLoop)], [x for x in found if isinstance(x, FlowLoop)])


@final
class OwnMemory:
    """Tells the thread's own memory."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Final = frame

    def slots(self) -> list[Instruction]:
        """Slots of the frame that hold one value."""
        allocas = [i for i in self._frame.entry.block.instructions if i.op == "alloca" and not i.operands]
        return [i for i in allocas if i.source_type is not None and not i.source_type.is_aggregate]

    def places(self, address: Value) -> frozenset[Value]:
        """The places in the thread's own memory that an address may step on from; none: it may lead elsewhere."""
        entry = self._frame.entry.block
        place: Value | None = None
        while isinstance(address, Instruction) and address.op == "getelementptr":
            if place is None and address.block is entry:
                place = address
            address = address.operands[0]
        if isinstance(address, Instruction) and address.op == "select":
            a, b = (self.places(operand) for operand in address.operands[1:])
            return a | b if a and b else frozenset()
        slot = isinstance(address, Instruction) and address.op == "alloca" and address.block is entry
        return frozenset([place or address]) if slot or address is self._frame.arena else frozenset()

    def stored_places(self, instruction: Instruction) -> frozenset[Value]:
        """The places that an instruction writes to, if it is a store; empty if it may write elsewhere."""
        if instruction.op == "store":
            return self.places(instruction.operands[1])
        return self.places(instruction.operands[2]) if is_masked_store(instruction) else frozenset()

    def is_in_arena(self, address: Value) -> bool:
        while isinstance(address, Instruction) and address.op == "getelementptr":
            address = address.operands[0]
        return address is self._frame.arena

    def is_position(self, store: Instruction) -> bool:
        """Return whether a store is that of the thread's place in the source, in debug code."""
        address = store.operands[1]
        while isinstance(address, Instruction) and address.op == "getelementptr":
            address = address.operands[0]
        if not isinstance(address, Instruction) or address.op != "load":
            return False
        place = address.operands[0]
        if not isinstance(place, Instruction) or place.op != "getelementptr":
            return False
        base, index = place.operands[:2]
        return base is self._frame.launch and isinstance(index, Constant) and index.integer == abi.LAUNCH_POSITION

    def writes(self, instruction: Instruction) -> bool:
        """Return whether an instruction may change memory. Reports of the thread's own place, yielding the processor,
        and what checks note change none."""
        if instruction.op == "store":
            return not self.is_position(instruction)
        if instruction.op != "call":
            return instruction.op != "fence" and effects.writes(instruction)
        callee = instruction.operands[0]
        if isinstance(callee, Global):  # of the work-group function, which has other intrinsics than kernels
            return not instruction.callee.startswith(_HARMLESS) and effects.writes(instruction)
        if isinstance(callee, Constant):  # assembly, which only this package writes: a barrier to LLVM's knowledge
            return False
        return not any(self._frame.is_service(callee, service) for service in _WITHOUT_CHANGES)


@final
class _Facts:
    def __init__(self, flow: Flow, memory: OwnMemory, lock_step: bool) -> None:
        self._flow: Final = flow
        self._memory: Final = memory
        self._lock_step: Final = lock_step

    def examine(self, loop: FlowLoop) -> SpinLoop | FlowLoop | None:
        """The facts about a spin loop; the loop itself if it goes by a clock, too; None if it doesn't wait."""
        exits = [b for b in loop.blocks if any(s not in loop.blocks for s in self._flow.successors[b])]
        deciding = _Slice(self._flow, self._memory, loop)
        for block in exits:
            deciding.add([block.terminator, *self._before(block, loop)])
        if exits and not any(map(self._reads_others, deciding.instructions)):
            return None
        whole = _Slice(self._flow, self._memory, loop)
        whole.add_all()
        if any(i.callee == _CLOCK for i in whole.instructions):
            return loop
        state = tuple(phi for phi in loop.header.phis if phi in whole.instructions)
        if any(phi.type.is_aggregate for phi in state):
            return None
        both = deciding.places | whole.places
        slots = tuple(i for i in self._memory.slots() if i in both)
        tracked = frozenset(deciding.places).difference(slots)
        reads = frozenset(i for i in whole.instructions if is_shared_read(i) and not changes_memory(i))
        used = frozenset(whole.places).difference(tracked, slots)
        return SpinLoop(loop.header, loop.blocks, state, slots, reads, tracked, used)

    def _before(self, block: Block, loop: FlowLoop) -> list[Instruction]:
        """Branches that an iteration comes through before it comes to `block`, if some iterations don't come there."""
        tree = self._flow.tree
        latches = [b for b in self._flow.predecessors[loop.header] if b in loop.blocks]
        found: list[Instruction] = []
        above = None if all(tree.dominates(block, latch) for latch in latches) else tree.immediate(block)
        while above is not None and above in loop.blocks:
            found.append(above.terminator)
            above = tree.immediate(above)
        return found

    def _reads_others(self, instruction: Instruction) -> bool:
        if is_shared_read(instruction):
            return True
        return self._lock_step and instruction.op == "load" and self._memory.is_in_arena(instruction.operands[0])


@final
class _Slice:
    """The instructions that values depend on within one iteration, and the `places` by way of which they do."""

    def __init__(self, flow: Flow, memory: OwnMemory, loop: FlowLoop) -> None:
        self._flow: Final = flow
        self._memory: Final = memory
        self._loop: Final = loop
        self._inner: Final = [inner for inner in flow.loops if inner is not loop and inner.header in loop.blocks]
        self.instructions: Final[set[Instruction]] = set()
        self.places: Final[set[Value]] = set()
        self._stores: dict[Value, list[Instruction]] | None = None

    def add(self, instructions: Iterable[Instruction]) -> None:
        """Add instructions, and those that they depend on."""
        work = list(instructions)
        while work:
            instruction = work.pop()
            if instruction in self.instructions or instruction.block not in self._loop.blocks:
                continue
            self.instructions.add(instruction)
            work += [operand for operand in instruction.operands if isinstance(operand, Instruction)]
            if instruction.op == "load":
                work += self._stored(self._memory.places(instruction.operands[0]))
            elif instruction.callee.startswith(_MASKED_LOAD):
                work += self._stored(self._memory.places(instruction.operands[1]))
            elif instruction.op == "phi":
                work += self._choosing(instruction.parent)

    def add_all(self) -> None:
        """Add all that decides on the path of an iteration and on its writes. An inner loop that writes nothing and has
        one successor decides on nothing but the values that it computes."""
        aside: set[Block] = set()
        for inner in self._inner:
            targets = {s for b in inner.blocks for s in self._flow.successors[b] if s not in inner.blocks}
            if len(targets) == 1 and not any(self._memory.writes(i) for b in inner.blocks for i in b.instructions):
                aside |= inner.blocks
        for block in self._loop.blocks:
            writing = [i for i in block.instructions if self._memory.writes(i)]
            self.add(i for i in writing if not self._memory.stored_places(i))  # saved values matter when they are read
            if block not in aside:
                self.add([block.terminator])

    def _choosing(self, block: Block) -> list[Instruction]:
        """Branches that decide which value a phi of `block` gets, as far as they are in the loop: those of an inner
        loop around the phi, or of the paths that meet there."""
        if block is self._loop.header:
            return []
        inside = next((inner for inner in reversed(self._inner) if block in inner.blocks), None)
        if inside is not None:
            return [b.terminator for b in inside.blocks]
        before = self._flow.tree.immediate(block)
        ways = [b.terminator for b in self._flow.predecessors[block]]
        return ways if before is None else [*ways, before.terminator]

    def _stored(self, places: frozenset[Value]) -> list[Instruction]:
        """Stores of the loop to places of own memory."""
        if places and self._stores is None:
            self._stores = {}
            for block in self._loop.blocks:
                for instruction in block.instructions:
                    for place in self._memory.stored_places(instruction):
                        self._stores.setdefault(place, []).append(instruction)
        found: list[Instruction] = []
        for place in places:
            stores = self._stores.get(place, []) if self._stores is not None else []
            if stores:
                self.places.add(place)
            found += stores
        return found
