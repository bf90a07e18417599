# SPDX-License-Identifier: Apache-2.0
"""Progress instrumentation: spin loops report to the core whether they can make progress.

Why: a work-item that waits for a later one of its block waits for ever, since that one does not run before it ends. The
core ends such a launch with an error, but must never end one that makes progress.

Before
    define ptx_kernel void @k(ptr %flag) {
    entry:
      br label %spin
    spin:
      %v = load volatile i32, ptr %flag, align 4
      %none = icmp eq i32 %v, 0
      br i1 %none, label %spin, label %done
    done:
      ret void
    }

After, with the loop's own state, and the thread's lw_waiting
    spin:
      %v = load volatile i32, ptr %flag, align 4
      %6 = load i64, ptr %reads
    ...
      store i64 %9, ptr %reads
      %none = icmp eq i32 %v, 0
      br i1 %none, label %spin.turn, label %spin.left
    spin.left:
    ...
      store volatile i64 %13, ptr %11, align 8
      br label %done
    spin.turn:
      %14 = load i64, ptr %changes
      %15 = load i64, ptr %saved
      %16 = icmp eq i64 %14, %15
    ...
      %34 = add i64 %33, %32
      store volatile i64 %34, ptr %waiting, align 8
    ...
      br label %spin

Method. An iteration is *idle* if all values that the loop carries, and all memory as far as the thread has changed it,
are the same as in an earlier iteration. Then the loop repeats itself until another thread changes memory. This is
cycle finding by a saved state, which is taken anew after 1, 2, 4, ... iterations (R. P. Brent, "An improved Monte Carlo
factorization algorithm", BIT 20, 1980, section 7). Once a cycle is found, its end is the next point to compare.
Changes of memory are summed up. An atomic operation adds (new - old) times a number made from the address, so that a
change that is undone counts as nothing. So does a store by which work-items of the block pass on what they read. Any
other write adds a constant. The sum has 64 bits, so two states with equal sums are as good as surely the same.

`lw_waiting.idle` counts idle iterations. `lw_waiting.changes` counts each time that a loop starts to repeat itself,
stops to repeat itself, or reads other values than the last time; the latter two are the work of other threads. The
core judges by these counts (`runtime/core/stuck.c`).

Where threads have stacks of their own, an idle iteration also lets the others go on. So do some of the other
iterations: a loop of compare-and-swaps that succeed would spend most of its time on the way to other stacks if each
did. Iterations are counted since the state was last saved, so the first of these is the 31st, after the states that are
saved after 1, 2, 4 and 8 more, and from there on it is each sixteenth. A loop that ends before never gives way but in
idle iterations; where a spin loop around it enters it again and again, iterations of that loop do. In a loop that looks
at a clock, so that it never repeats itself, each iteration lets the others go on.

`spin_loops.py` finds the loops. A kernel without any has the code that it would have without this file.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, final

from lanewise.analysis.flow import FlowLoop
from lanewise.analysis.spinning import changes_memory
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import FLOAT_BITS, Type
from lanewise.ir.values import Constant, Value, i32, i64, int_constant
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.waiting.spin_loops import OwnMemory, SpinLoop, find_waiting_loops, is_masked_store

External = Callable[[str, Type], Function]
"""Gives the declaration of a function outside the object."""

_TURNS_ALONE: Final = 16
"""Iterations since the state was saved, a power of two, of which one lets other threads go on. A turn takes some
nanoseconds, to go on with another stack and to come back some 70."""
_SPREAD: Final = 0x9E3779B97F4A7C15 - (1 << 64)
"""2^64 divided by the golden ratio, odd: multiplication by it spreads addresses over all bits."""
_SOME_WRITE: Final = 0x632BE59BD9B4E019
"""The amount that a write adds if its old and new values aren't looked at. It is odd, so that no fewer than 2^64 of
them add up to 0."""


def instrument_spin_loops(
    function: Function, first: Block, frame: Frame, external: External, items: Mapping[Block, ItemIds],
    *, lock_step: bool = False,
) -> None:  # fmt: skip
    """Make the spin loops of `function` report their iterations. Its code starts with `first` after the entry, which
    has no terminator yet.

    `external` declares intrinsics. `items`: block -> the work-item whose code it is, if it is that of one. `lock_step`:
    the code is that of whole warps.
    """
    loops = find_waiting_loops(first, frame, lock_step=lock_step)
    if (frame.own_warp or frame.own_thread) is not None:
        for loop in loops.timed:
            _give_way_always(loop, frame)
    if loops.spin:
        _Instrumentation(function, first, frame, external, loops.spin).run(items)


def _give_way_always(loop: FlowLoop, frame: Frame) -> None:
    """Let other threads with stacks of their own go on after each iteration of a timed loop."""
    for block in loop.blocks:
        if loop.header in block.successors:
            _insert(block, len(block.instructions) - 1, lambda build: _yield(build, frame))


def _yield(build: Builder, frame: Frame) -> None:
    build.call(frame.service(abi.SERVICE_YIELD), abi.YIELD, (frame.launch,))


class _Turn(NamedTuple):
    """A point between two iterations."""

    is_idle: Value
    """True (i1) if the state has come again."""
    iterations: Value
    """Iterations since the state was saved (i64), before it is saved anew."""


@final
class _Counters:
    """The state of a loop from iteration to iteration: slots of the frame, which LLVM turns into registers."""

    def __init__(self, entry: Builder, loop: SpinLoop) -> None:
        self.iterations: Final = entry.alloca(ty.I64, "turns")
        """Iterations since the state was saved."""
        self.limit: Final = entry.alloca(ty.I64, "limit")
        """Turns after which it is saved anew; in a cycle, its length."""
        self.cycling: Final = entry.alloca(ty.I64, "cycling")
        """1: the last time that the state was to come again, it did."""
        self.sum: Final = entry.alloca(ty.I64, "saved")
        self.reads: Final = entry.alloca(ty.I64, "reads")
        """Made from all values that were read since the state was saved."""
        self.reads_before: Final = entry.alloca(ty.I64, "reads.before")
        """The same of the cycle before."""
        self.state: Final = [entry.alloca(phi.type, "saved") for phi in loop.state]
        for slot in loop.slots:
            assert slot.source_type is not None
            self.state.append(entry.alloca(slot.source_type, "saved"))


@final
class _Instrumentation:
    def __init__(
        self, function: Function, first: Block, frame: Frame, external: External, loops: list[SpinLoop]
    ) -> None:
        self._function: Final = function
        self._external: Final = external
        self._first: Final = first
        self._frame: Final = frame
        self._memory: Final = OwnMemory(frame)
        self._loops: Final = loops
        self._blocks: Final = {loop.header: set(loop.blocks) for loop in loops}
        """Header of a loop -> its blocks, with those that are added."""
        entry = frame.entry
        service = frame.service(abi.SERVICE_WAITING)
        self._counters: Final = {loop.header: _Counters(entry, loop) for loop in loops}
        self._record: Final = entry.call(service, abi.WAITING, (frame.launch,), "waiting")
        self._sum: Final = entry.alloca(ty.I64, "changes")
        entry.store(i64(0), self._sum)
        for slot in dict.fromkeys(place for loop in loops for place in loop.tracked):
            if isinstance(slot, Instruction) and slot.op == "alloca":
                self._clear(slot)

    def run(self, items: Mapping[Block, ItemIds]) -> None:
        for block in self._function.blocks:
            around = [loop for loop in self._loops if block in loop.blocks]
            if around:
                self._sum_up(block, around)
        for loop in self._loops:
            for block in self._function.blocks:
                for read in [i for i in block.instructions if i in loop.reads]:
                    self._note_read(read, self._counters[loop.header].reads)
        for loop in reversed(self._loops):  # inner loops first: their additions belong to the outer ones, too
            self._instrument(loop, items.get(loop.header))

    def _clear(self, slot: Instruction) -> None:
        """Begin with a zero, for the first store to be compared with."""
        type_ = slot.source_type
        assert type_ is not None
        zero = Constant(type_, "zeroinitializer")
        slot.parent.insert(slot.parent.instructions.index(slot) + 1, Instruction("store", ty.VOID, (zero, slot)))

    # -- changes of memory -------------------------------------------------------------------------------------

    def _sum_up(self, block: Block, around: list[SpinLoop]) -> None:
        tracked = frozenset[Value]().union(*(loop.tracked for loop in around))
        used = frozenset[Value]().union(*(loop.used for loop in around))
        slots = frozenset[Value]().union(*(loop.slots for loop in around))
        some = False
        for instruction in list(block.instructions):
            if not self._memory.writes(instruction):
                continue
            if instruction.op in ("atomicrmw", "cmpxchg"):
                some = not self._add_atomic(instruction) or some
                continue
            places = self._memory.stored_places(instruction)
            if places and places <= slots:
                continue
            if places & tracked:
                some = not self._add_store(instruction) or some
            elif not places or places & (used | slots):
                some = True
        if some:
            _insert(block, len(block.instructions) - 1, lambda build: self._add(build, i64(_SOME_WRITE)))

    def _add_atomic(self, instruction: Instruction) -> bool:
        """Add the change of memory by an atomic operation. Returns False if that isn't known."""
        address, value = instruction.operands[0], instruction.operands[-1]
        if not changes_memory(instruction):
            return True
        if value.type.scalar.bits > 64 or value.type.is_vector:
            return False
        exchange = instruction.op == "cmpxchg"
        update = _UPDATES.get(instruction.predicate)
        if not exchange and (update is None or (value.type.is_float and instruction.predicate != "xchg")):
            return False

        def make(build: Builder) -> None:
            old: Value = instruction
            new = value
            if exchange:
                old = build.emit(Instruction("extractvalue", value.type, (instruction,), indices=(0,)))
                done = build.emit(Instruction("extractvalue", ty.I1, (instruction,), indices=(1,)))
                new = build.select(done, value, old)
            elif update is not None:
                new = update(build, old, value)
            self._add_difference(build, address, old, new)

        _insert(instruction.parent, instruction.parent.instructions.index(instruction) + 1, make)
        return True

    def _add_store(self, instruction: Instruction) -> bool:
        """Add the change of own memory by a store. Returns False for types that can't be compared."""
        masked = is_masked_store(instruction)
        value, address = instruction.operands[1:3] if masked else instruction.operands
        scalar = value.type.scalar
        if value.type.is_aggregate or (value.type.is_vector and scalar.is_pointer):
            return False

        def make(build: Builder) -> None:
            if masked:
                align, mask = instruction.operands[3:]
                name = instruction.callee.replace("store", "load", 1)
                load = self._external(name, ty.function(value.type, (ty.PTR, ty.I32, mask.type, value.type)))
                old = build.call_function(load, (address, align, mask, value))
            else:
                old = build.load(value.type, address, align=instruction.align, metadata=_access_group(instruction))
            if not value.type.is_vector and scalar.bits <= 64:
                self._add_difference(build, address, old, value)
                return
            whole = ty.integer((value.type.count or 1) * scalar.bits)
            differs = build.compare("ne", build.cast("bitcast", old, whole), build.cast("bitcast", value, whole))
            self._add(build, build.select(differs, i64(_SOME_WRITE), i64(0)))

        _insert(instruction.parent, instruction.parent.instructions.index(instruction), make)
        return True

    def _add_difference(self, build: Builder, address: Value, old: Value, new: Value) -> None:
        number = build.binary("mul", build.cast("ptrtoint", address, ty.I64), i64(_SPREAD))
        folded = build.binary("xor", number, build.binary("lshr", number, i64(32)))
        difference = build.binary("sub", _bits(build, new), _bits(build, old))
        self._add(build, build.binary("mul", difference, build.binary("or", folded, i64(1))))

    def _add(self, build: Builder, amount: Value) -> None:
        build.store(build.binary("add", build.load(ty.I64, self._sum), amount), self._sum)

    def _note_read(self, read: Instruction, slot: Value) -> None:
        """Make the value that was read a part of the sum in `slot`."""
        if read.type.is_aggregate or read.type.is_vector or read.type.scalar.bits > 64:
            return

        def make(build: Builder) -> None:
            both = build.binary("add", build.load(ty.I64, slot), _bits(build, read))
            build.store(build.binary("mul", both, i64(_SPREAD)), slot)

        _insert(read.parent, read.parent.instructions.index(read) + 1, make)

    # -- iterations --------------------------------------------------------------------------------------------

    def _instrument(self, loop: SpinLoop, ids: ItemIds | None) -> None:
        blocks = self._blocks[loop.header]
        counters = self._counters[loop.header]
        code = [block for block in self._function.blocks if block is not self._frame.entry.block]
        if loop.header is self._first:
            self._begin(self._frame.entry, counters)
        for block in code:
            if block not in blocks and loop.header in block.successors:
                _insert(block, len(block.instructions) - 1, lambda build: self._begin(build, counters))
        for block in [b for b in code if b in blocks]:
            for target in dict.fromkeys(block.successors):
                if target is loop.header:
                    build = self._between(block, target, f"{loop.header.name}.turn")
                    following = [_incoming(phi, build.block) for phi in loop.state]
                    following += [build.load(slot.source_type or ty.I64, slot) for slot in loop.slots]
                    turn = self._iteration(build, counters, following, ids)
                    hints = _take_loop_hints(block.terminator)
                    build.branch(target, hints)
                    if (self._frame.own_warp or self._frame.own_thread) is not None:
                        self._give_way_at_times(turn, build.block, target, hints)
                elif target not in blocks:
                    build = self._between(block, target, f"{loop.header.name}.left")
                    self._count(build, abi.WAITING_CHANGES, build.load(ty.I64, counters.cycling))
                    build.branch(target)

    def _begin(self, build: Builder, counters: _Counters) -> None:
        """Start a loop: no state is saved, but one that the first iteration can't have."""
        differing = build.binary("add", build.load(ty.I64, self._sum), i64(1))
        for slot in (counters.iterations, counters.cycling, counters.reads, counters.reads_before):
            build.store(i64(0), slot)
        build.store(i64(1), counters.limit)
        build.store(differing, counters.sum)
        for slot in counters.state:
            assert slot.source_type is not None
            build.store(Constant(slot.source_type, "zeroinitializer"), slot)

    def _iteration(self, build: Builder, counters: _Counters, following: list[Value], ids: ItemIds | None) -> _Turn:
        """Test between two iterations whether the state has come again, and save it anew if it is time."""
        pairs = [(build.load(ty.I64, self._sum), counters.sum), *zip(following, counters.state, strict=True)]
        same: Value = int_constant(ty.I1, 1)
        for value, slot in pairs:
            same = build.binary("and", same, _equal(build, value, build.load(value.type, slot)))
        iterations = build.binary("add", build.load(ty.I64, counters.iterations), i64(1))
        limit = build.load(ty.I64, counters.limit)
        cycling = build.load(ty.I64, counters.cycling)
        late = build.compare("uge", iterations, limit)
        anew = build.binary("or", same, late)
        for value, slot in pairs:
            build.store(build.select(anew, value, build.load(value.type, slot)), slot)
        now_cycling = build.select(same, i64(1), build.select(late, i64(0), cycling))
        build.store(now_cycling, counters.cycling)
        doubled = build.binary("shl", limit, i64(1))
        build.store(build.select(same, iterations, build.select(late, doubled, limit)), counters.limit)
        build.store(build.select(anew, i64(0), iterations), counters.iterations)
        self._count(build, abi.WAITING_IDLE, build.cast("zext", same, ty.I64))
        reads, before = build.load(ty.I64, counters.reads), build.load(ty.I64, counters.reads_before)
        other = build.binary("and", same, build.compare("ne", reads, before))
        changed = build.binary("or", build.binary("xor", cycling, now_cycling), build.cast("zext", other, ty.I64))
        build.store(build.select(same, reads, before), counters.reads_before)
        build.store(build.select(anew, i64(0), reads), counters.reads)
        self._count(build, abi.WAITING_CHANGES, changed)
        known = i32(0 if ids is None else 1)
        places = zip(abi.WAITING_THREAD, () if ids is None else ids.local, strict=False)
        for offset, value in ((abi.WAITING_KNOWS_THREAD, known), *places):
            _store_volatile(build, value, build.offset(self._record, offset))
        return _Turn(same, iterations)

    def _give_way_at_times(self, turn: _Turn, block: Block, header: Block, hints: tuple[tuple[str, str], ...]) -> None:
        """Let other threads go on after idle iterations and some others, where a block leads to the next one."""
        following = self._between(block, header, f"{header.name}.next")
        following.branch(header, hints)
        giving = self._between(block, following.block, f"{header.name}.yield")
        _yield(giving, self._frame)
        giving.branch(following.block)
        block.terminator.erase()
        build = Builder(block)
        number = build.binary("and", turn.iterations, i64(_TURNS_ALONE - 1))
        gives_way = build.binary("or", turn.is_idle, build.compare("eq", number, i64(0)))
        build.branch_if(gives_way, giving.block, following.block)

    def _count(self, build: Builder, offset: int, amount: Value) -> None:
        """Add to a counter of the record, which other threads read."""
        place = build.offset(self._record, offset)
        before = build.emit(Instruction("load", ty.I64, (place,), source_type=ty.I64, flags=("volatile",), align=8))
        _store_volatile(build, build.binary("add", before, amount), place)

    def _between(self, source: Block, target: Block, name: str) -> Builder:
        """A new block, without an end yet, that all branches from `source` to `target` come through."""
        block = Block(name, self._function)
        self._function.blocks.insert(self._function.blocks.index(source) + 1, block)
        for header, blocks in self._blocks.items():
            if source in blocks and (target in blocks or target is header):
                blocks.add(block)
        source.terminator.replace_operand(target, block)
        for phi in target.phis:
            pairs = list(phi.incoming())
            kept = [(v, b) for v, b in pairs if b is not source]
            kept.append((next(v for v, b in pairs if b is source), block))
            phi.drop_operands()
            for value, before in kept:
                phi.append_operand(value)
                phi.append_operand(before)
        return Builder(block)


def _insert(block: Block, index: int, make: Callable[[Builder], None]) -> None:
    """Put what `make` builds before the instruction number `index`."""
    aside = Block()
    make(Builder(aside))
    for number, instruction in enumerate(aside.instructions):
        block.insert(index + number, instruction)


def _incoming(phi: Instruction, block: Block) -> Value:
    return next(value for value, before in phi.incoming() if before is block)


def _store_volatile(build: Builder, value: Value, place: Value) -> None:
    align = value.type.bits // 8
    build.emit(Instruction("store", ty.VOID, (value, place), flags=("volatile",), align=align))


def _take_loop_hints(terminator: Instruction) -> tuple[tuple[str, str], ...]:
    """Take the hints of the source off the branch that closes the loop."""
    hints = tuple(m for m in terminator.metadata if m[0] == "!llvm.loop")
    terminator.metadata = tuple(m for m in terminator.metadata if m not in hints)
    return hints


def _access_group(store: Instruction) -> tuple[tuple[str, str], ...]:
    return tuple(m for m in store.metadata if m[0] == "!llvm.access.group")


def _as_integer(build: Builder, value: Value) -> Value:
    """The bits of a value, as an integer or a vector of pointers or integers."""
    type_ = value.type
    if type_.scalar.kind in FLOAT_BITS:
        bits: Type = ty.integer(type_.scalar.bits).with_shape_of(type_)
        return build.cast("bitcast", value, bits)
    return value


def _bits(build: Builder, value: Value) -> Value:
    """The bits of a scalar of at most 64, as i64."""
    if value.type.is_pointer:
        return build.cast("ptrtoint", value, ty.I64)
    whole = _as_integer(build, value)
    return whole if whole.type is ty.I64 else build.cast("zext", whole, ty.I64)


def _equal(build: Builder, a: Value, b: Value) -> Value:
    """Bit for bit."""
    same = build.compare("eq", _as_integer(build, a), _as_integer(build, b))
    if not same.type.is_vector:
        return same
    lanes = ty.integer(same.type.count)
    return build.compare("eq", build.cast("bitcast", same, lanes), int_constant(lanes, -1))


_Update = Callable[[Builder, Value, Value], Value]


def _binary(op: str) -> _Update:
    return lambda build, old, value: build.binary(op, old, value)


def _chosen(predicate: str) -> _Update:
    return lambda build, old, value: build.select(build.compare(predicate, old, value), old, value)


_UPDATES: Final[dict[str, _Update]] = {
    "xchg": lambda _build, _old, value: value,
    **{op: _binary(op) for op in ("add", "sub", "and", "or", "xor")},
    **{op: _chosen(p) for op, p in (("max", "sgt"), ("min", "slt"), ("umax", "ugt"), ("umin", "ult"))},
}
"""The new value that an atomic operation leaves, from the old one and its operand."""
