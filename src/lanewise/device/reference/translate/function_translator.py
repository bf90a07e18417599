# SPDX-License-Identifier: Apache-2.0
"""Translation of one function into Python source, about one line per instruction.

    %sum = add nsw i32 %a, %b              v3 = add_nsw_i32(v1, v2)
    store float %x, ptr %p                 store_7(v4, v5)
    br i1 %c, label %then, label %else     if v6: ...

The source calls functions of `operations.py`, `intrinsics.py` and `accesses.py`, which define the semantics; this
module only connects instructions. Python executes source itself, and a traceback tells the instruction that faulted.

* Functions that may wait, for a barrier or for other lanes, are generators, called by `yield from`. They yield the
  operation's name and operands, and are sent its result.
* A block with one predecessor is placed in the branch that leads to it. Others are numbered, and a loop around
  them executes the block numbered `at`; it counts its iterations, so that endless loops end.
* A private variable that is only loaded and stored whole is a Python variable; the others have memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lanewise.device.reference.address_windows import SHARED_TEST
from lanewise.device.reference.arithmetic.elements import shuffle
from lanewise.device.reference.arithmetic.encoding import uniform_value
from lanewise.device.reference.arithmetic.flushing import COMPUTING, flushing
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate
from lanewise.device.reference.memory.accesses import load_at, store_at
from lanewise.device.reference.memory.atomics import compare_and_exchange, read_modify_write
from lanewise.device.reference.memory.objects import copy_bytes, is_shared
from lanewise.device.reference.run import services
from lanewise.device.reference.run.progress import Rounds
from lanewise.device.reference.run.warp import LOCK_STEP
from lanewise.device.reference.run.watched import watched_store
from lanewise.device.reference.run.work_item import WorkItem
from lanewise.device.reference.translate import calls
from lanewise.device.reference.translate.program import Bind, Line, ProgramBuilder
from lanewise.device.reference.translate.race_notes import RaceNotes
from lanewise.device.reference.translate.reach import is_in_shared, may_be_in_lock_step, may_be_shared
from lanewise.device.reference.translate.variables import is_copy, plain_variables, scoped_variables
from lanewise.ir import types as ty
from lanewise.ir.cursor import Cursor
from lanewise.ir.denormals import asks_to_flush_denormals
from lanewise.ir.effects import access_size
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_FAULT
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.lexer import tokens
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value

_DEEPEST_NESTING: Final = 12
"""Limit on nested branches, well below Python's limit of 100 levels of indentation."""
_LONGEST_CHAIN: Final = 50
"""Limit on blocks placed within one another, since each takes stack of the translator."""


class FunctionTranslator:
    """Makes the lines of one function."""

    def __init__(self, builder: ProgramBuilder, function: Function) -> None:
        self.builder: Final = builder
        self.function: Final = function
        self.flushes: Final = asks_to_flush_denormals(builder.module, function)
        self.waits: Final = builder.reach.waits(function)
        self.names: Final[dict[Value, str]] = {}
        self._plain: Final = plain_variables(function)
        self._scoped: Final = scoped_variables(function)
        self._source_names: Final = builder.locations.variable_names(function)
        self._has_memory: Final = any(
            i.op == "alloca" and i not in self._plain for i in function.instructions()
        ) or any(a.byval for a in function.arguments)
        self._edges: Final = _count_edges(function)
        self._rounds: Final = Rounds(function) if self.waits else None
        self._notes: Final = RaceNotes(self, is_on=builder.notes_races and function.name != CHECK_FAULT)
        self._numbers: Final[dict[Block, int]] = {}
        self._numbered: Final[list[Block]] = []
        self._lines: list[Line] = []
        self._indent = 0
        self._chain = 0
        self._instruction: Instruction | None = None

    # -- the whole ---------------------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        """The function's definition."""
        parameters = ["w"]
        for i, argument in enumerate(self.function.arguments):
            self.names[argument] = f"a{i}"
            parameters.append(f"a{i}")
        bodies = self._bodies()
        self.builder.blocks[self.builder.function_name(self.function)] = self._numbered
        self._lines = []
        self._emit_at(0, f"def {self.builder.function_name(self.function)}({', '.join(parameters)}):")
        self._prologue()
        if len(bodies) == 1:
            self._place(bodies[0], 1)
        else:
            self._emit_at(1, "at = 0")
            self._emit_at(1, "for _ in turns:")
            self._dispatch(bodies, 0, len(bodies), 2)
            self._emit_at(1, "out_of_turns()")
        return self._lines

    def _prologue(self) -> None:
        if self.waits:
            self._emit_at(1, "if False: yield")  # a generator even if this function itself never waits
        if self._rounds is not None:
            for line in self._rounds.first():
                self._emit_at(1, line)
        if self._has_memory:
            self._emit_at(1, "depth = w.private.depth()")
        for argument in self.function.arguments:
            if argument.byval:
                self._emit_at(1, self._copy_argument(argument))

    def _copy_argument(self, argument: Argument) -> str:
        """The copy of a struct passed by value that the function makes for itself."""
        type_ = Cursor(tokens(argument.byval or ""), 0, {}).type()
        size = size_of(type_, self.builder.module.types)
        stated = (int(word.removeprefix("align ")) for word in argument.attributes if word.startswith("align "))
        align = max(stated, default=align_of(type_, self.builder.module.types))
        shown = self._source_names.get(argument) or argument.name
        label = f"parameter {shown!r}" if shown else "a parameter"
        name = self.names[argument]

        def bind(on: services.Services) -> Callable[..., Any]:
            def copy(item: WorkItem, source: int) -> int:
                target = item.private.allocate(label, size, align)
                copy_bytes(on.memory, target, source, size, aligns=(1, 1), may_overlap=False)
                return target

            return copy

        return f"{name} = {self.builder.binding('copy_argument', bind)}(w, {name})"

    # -- control flow ------------------------------------------------------------------------------------------

    def _bodies(self) -> list[list[Line]]:
        """The lines of each numbered block, the entry first."""
        bodies: list[list[Line]] = []
        self._number(self.function.entry)
        while len(bodies) < len(self._numbered):
            self._lines, self._indent = [], 0
            self._block(self._numbered[len(bodies)])
            bodies.append(self._lines)
        return bodies

    def _number(self, block: Block) -> int:
        number = self._numbers.get(block)
        if number is None:
            number = self._numbers[block] = len(self._numbered)
            self._numbered.append(block)
        return number

    def _dispatch(self, bodies: list[list[Line]], low: int, high: int, indent: int) -> None:
        """Select the body number `at` by binary search."""
        if high - low == 1:
            self._place(bodies[low], indent)
            return
        middle = (low + high) // 2
        self._emit_at(indent, f"if at < {middle}:")
        self._dispatch(bodies, low, middle, indent + 1)
        self._emit_at(indent, "else:")
        self._dispatch(bodies, middle, high, indent + 1)

    def _place(self, body: list[Line], indent: int) -> None:
        self._lines += [line._replace(indent=line.indent + indent) for line in body]

    def _block(self, block: Block) -> None:
        if self._rounds is not None:
            for line in self._rounds.of(block):
                self.emit(line)
        for instruction in block.instructions:
            self._instruction = instruction
            translate = _TRANSLATORS.get(instruction.op)
            if translate is not None:
                translate(self, instruction)
            elif instruction.op != "phi" and not instruction.is_debug_record:
                self._operation(instruction)

    def _go_to(self, target: Value) -> None:
        """Follow an edge from the current block: its phis, then the block itself or its number."""
        branch = self._instruction
        assert branch is not None
        assert isinstance(target, Block)
        chosen = [(p, v) for p in target.phis for v, source in p.incoming() if source is branch.parent]
        if chosen:
            first_values = {p: self.value(v) for p, v in chosen}
            self.emit(f"{', '.join(map(self.result, first_values))} = {', '.join(first_values.values())}")
        fits = self._indent < _DEEPEST_NESTING and self._chain < _LONGEST_CHAIN
        if self._edges[target] == 1 and fits:
            self._chain += 1
            self._block(target)
            self._chain -= 1
        else:
            self.emit(f"at = {self._number(target)}")
        self._instruction = branch

    def branch(self, i: Instruction) -> None:
        if len(i.operands) == 1:
            self._go_to(i.operands[0])
            return
        condition, if_true, if_false = i.operands
        self.emit(f"if {self.value(condition)}:")
        self._branch_to(if_true)
        self.emit("else:")
        self._branch_to(if_false)

    def _branch_to(self, target: Value) -> None:
        self._indent += 1
        self._go_to(target)
        self._indent -= 1

    def switch(self, i: Instruction) -> None:
        value, default, *cases = i.operands
        self.emit(f"chosen = {self.helper(services.switch_value)}({self.value(value)})")
        by_target: dict[Value, list[str]] = {}
        for constant, target in zip(cases[::2], cases[1::2], strict=True):
            by_target.setdefault(target, []).append(self.value(constant))
        for number, (target, constants) in enumerate(by_target.items()):
            self.emit(f"{'elif' if number else 'if'} chosen in ({', '.join(constants)},):")
            self._branch_to(target)
        self.emit("else:" if by_target else "if True:")
        self._branch_to(default)

    def return_(self, i: Instruction) -> None:
        if self._has_memory:
            self.emit("w.private.leave(depth)")
        self.emit(f"return {self.value(i.operands[0])}" if i.operands else "return")

    def unreachable(self, i: Instruction) -> None:
        self.emit(f"{self.helper(services.unreachable)}()")

    # -- values ------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> str:
        """Name of an operand in the source."""
        found = self.names.get(value)
        if found is not None:
            return found
        if isinstance(value, Instruction):
            return self.result(value)
        if isinstance(value, Constant) and value.kind == "asm":
            raise self.builder.refusal(self._instruction, "inline assembly has no value of its own")
        constant = self.builder.symbols.constant(value)
        if isinstance(value, Global) or constant.__class__ in (int, bool):
            return f"({constant})" if constant < 0 else str(constant)
        return self.builder.constant("constant", constant)

    def result(self, instruction: Instruction) -> str:
        found = self.names.get(instruction)
        if found is None:
            found = self.names[instruction] = f"{'x' if instruction in self._plain else 'v'}{len(self.names)}"
        return found

    def helper(self, function: Callable[..., Any]) -> str:
        """Name of a Python function of this package in the source."""
        return self.builder.shared_constant(function, function.__name__, lambda: function)

    def emit(self, text: str) -> None:
        self._emit_at(self._indent, text)

    def _emit_at(self, indent: int, text: str) -> None:
        self._lines.append(Line(indent, text, self._instruction))

    def assign(self, instruction: Instruction, expression: str) -> None:
        self.emit(f"{self.result(instruction)} = {expression}")

    def listed(self, values: list[Value]) -> str:
        return ", ".join(map(self.value, values))

    # -- operations --------------------------------------------------------------------------------------------

    def _operation(self, i: Instruction) -> None:
        types = tuple(o.type for o in i.operands)
        flushes = self.flushes and i.op in COMPUTING
        key = (i.op, i.flags, i.predicate, i.type, types, i.indices, flushes)
        hint = "_".join([i.op, *i.flags, *([i.predicate] if i.predicate else []), types[0].text])

        def make() -> Callable[..., Any]:
            try:
                made = self.builder.operations.function(
                    i.op, i.flags, i.type, types, predicate=i.predicate, indices=i.indices
                )
            except KeyError:
                raise self.builder.refusal(i, f"the reference device has no operation {i.op!r}") from None
            return flushing(made, i.type, types) if flushes else made

        self.assign(i, f"{self.builder.shared_constant(key, hint, make)}({self.listed(i.operands)})")

    def sign_extend(self, i: Instruction) -> None:
        """Integers are kept sign-extended, but for those of one bit. The result has the name of the operand, unless
        that is a variable's, whose content may change."""
        source = i.operands[0]
        if not source.type.is_int or source.type is ty.I1:
            self._operation(i)
        elif isinstance(source, Instruction) and source.op == "load" and source.operands[0] in self._plain:
            self.assign(i, self.value(source))
        else:
            self.names[i] = self.value(source)

    def shuffle(self, i: Instruction) -> None:
        mask = self.builder.symbols.constant(i.operands[2])
        name = self.builder.constant("shuffle", shuffle(mask))
        self.assign(i, f"{name}({self.listed(i.operands[:2])})")

    def address(self, i: Instruction) -> None:
        assert i.source_type is not None
        constants = [self._constant_index(o) for o in i.operands[1:]]
        types = tuple(o.type for o in i.operands)
        key = ("address", bool(i.flags), i.source_type, types, tuple(constants))
        source_type = i.source_type
        name = self.builder.shared_constant(
            key, "address", lambda: self.builder.operations.address(i.flags, source_type, types, constants)
        )
        variable = [o for o, c in zip(i.operands[1:], constants, strict=True) if c is None]
        self.assign(i, f"{name}({self.listed([i.operands[0], *variable])})")

    def _constant_index(self, index: Value) -> int | None:
        if isinstance(index, Constant) and index.type.is_int:
            value = self.builder.symbols.constant(index)
            return value if value.__class__ is int else None
        return None

    # -- memory ------------------------------------------------------------------------------------------------

    def _align(self, i: Instruction, type_: Type) -> int:
        return i.align or align_of(type_, self.builder.module.types)

    def unwritten(self, alloca: Instruction) -> str:
        """Name of the content of a plain variable before any store to it."""
        shown = self._source_names.get(alloca) or alloca.name
        why = f"variable {shown!r}, which has no value yet" if shown else "a variable that has no value yet"
        type_ = alloca.source_type
        assert type_ is not None
        unknown = Indeterminate(why)
        names = self.builder.module.types
        return self.builder.shared_constant(
            ("unwritten", alloca), "unwritten", lambda: uniform_value(type_, names, lambda _: unknown)
        )

    def alloca(self, i: Instruction) -> None:
        assert i.source_type is not None
        if i in self._plain:
            self.assign(i, self.unwritten(i))
            return
        size = size_of(i.source_type, self.builder.module.types)
        count = f", {self.value(i.operands[0])}" if i.operands else ""
        shown = self._source_names.get(i) or i.name
        label = f"variable {shown!r}" if shown else "a private variable"
        align = self._align(i, i.source_type)
        alive = "" if i not in self._scoped else ", alive=False"
        self.assign(i, f"w.private.allocate({label!r}, {size}, {align}{count}{alive})")

    def begin_life(self, alloca: Value) -> None:
        """llvm.lifetime.start; ignored for anything but an alloca."""
        if isinstance(alloca, Instruction) and alloca.op == "alloca":
            if alloca in self._plain:
                self.assign(alloca, self.unwritten(alloca))
            else:
                self.emit(f"w.private.begin_life({self.value(alloca)})")

    def end_life(self, alloca: Value) -> None:
        if isinstance(alloca, Instruction) and alloca.op == "alloca" and alloca not in self._plain:
            self.emit(f"w.private.end_life({self.value(alloca)})")

    def load(self, i: Instruction) -> None:
        pointer = i.operands[0]
        if pointer in self._plain:
            if is_copy(i):
                self.names[i] = self.value(pointer)
            else:
                self.assign(i, self.value(pointer))
            return
        self._step(i, pointer)
        codec, align = self.builder.operations.codecs.of(i.type), self._align(i, i.type)
        address, number = self.value(pointer), self._watch(i)
        load = self.builder.binding("load", lambda on: load_at(on.memory, i.type, codec, align))
        self.assign(i, f"{load}({address})")
        if number is not None:
            size = access_size(i, self.builder.module.types)
            read = self.builder.binding("read", lambda on: on.races.reader(size, number))
            test = "" if is_in_shared(pointer) else f"if {address} {SHARED_TEST}: "
            self.emit(f"{test}{read}(w, {address})")
        self._notes.read(pointer, i)

    def store(self, i: Instruction) -> None:
        stored, pointer = i.operands
        if pointer in self._plain:
            self.emit(f"{self.value(pointer)} = {self.value(stored)}")
            return
        self._step(i, pointer)
        codec, align = self.builder.operations.codecs.of(stored.type), self._align(i, stored.type)

        def bind(on: services.Services) -> Callable[..., Any]:
            return store_at(on.memory, stored.type, codec, align)

        self.emit(self._notes.store(bind, i) or self._stored(i, bind))

    def _stored(self, store: Instruction, bind: Bind) -> str:
        """A store as an expression, checked for races if its address is in shared memory."""
        stored, pointer = store.operands
        address, number = self.value(pointer), self._watch(store)
        given = f"{address}, {self.value(stored)}"
        if number is None:
            return f"{self.builder.binding('store', bind)}({given})"
        size = access_size(store, self.builder.module.types)
        name = self.builder.binding("watched", lambda on: watched_store(on, bind(on), size, number))
        watched = f"{name}(w, {given})"
        if is_in_shared(pointer):
            return watched
        test = f"({address}).__class__ is int and {address} {SHARED_TEST}"
        return f"{watched} if {test} else {self.builder.binding('store', bind)}({given})"

    def _watch(self, access: Instruction) -> int | None:
        """The number of a load or store that is checked for races; None: it isn't."""
        pointer = access.operands[-1]
        is_watched = self.builder.has_shared_memory and may_be_shared(pointer) and not access.is_volatile
        if is_watched and access.ordering is not None:
            self.order()
            is_watched = False
        if not is_watched or self.builder.notes_races:
            return None
        self.builder.watched.append(access)
        return len(self.builder.watched) - 1

    def order(self) -> None:
        """Record an atomic operation or a fence, which may order accesses that are checked for races."""
        if self.builder.has_shared_memory and not self.builder.notes_races:
            self.emit(f"{self.builder.shared_binding('order', lambda on: on.races.order)}(w)")

    def _step(self, access: Instruction, pointer: Value) -> None:
        """Before a volatile access of shared memory, wait for the other lanes of the warp."""
        if may_be_in_lock_step(access):
            self.emit(f"if {self.helper(is_shared)}({self.value(pointer)}): yield {LOCK_STEP!r}, ()")

    def read_modify_write(self, i: Instruction) -> None:
        codec, align = self.builder.operations.codecs.of(i.type), self._align(i, i.type)
        name = self.builder.binding(
            f"atomic_{i.predicate}", lambda on: read_modify_write(on.memory, i.predicate, i.type, codec, align)
        )
        self.assign(i, f"{name}({self.listed(i.operands)})")
        self._atomic(i)

    def compare_and_exchange(self, i: Instruction) -> None:
        type_ = i.operands[1].type
        codec, align = self.builder.operations.codecs.of(type_), self._align(i, type_)
        name = self.builder.binding("exchange", lambda on: compare_and_exchange(on.memory, type_, codec, align))
        self.assign(i, f"{name}({self.listed(i.operands)})")
        self._atomic(i)

    def _atomic(self, i: Instruction) -> None:
        self.order()
        self._notes.atomic(i)

    def fence(self, i: Instruction) -> None:
        """Emit the record for races alone: work-items never run at the same time, so memory is always in order."""
        self.order()
        self._notes.fence(i)

    def note_range(self, kind: str, pointer: Value, size: Value, call: Instruction) -> None:
        self._notes.range(kind, pointer, size, call)

    def note_read(self, pointer: Value, call: Instruction) -> None:
        self._notes.read(pointer, call)

    def call(self, i: Instruction) -> None:
        calls.translate(self, i)


def _count_edges(function: Function) -> dict[Block, int]:
    """Number of edges to each block from blocks reachable from the entry."""
    edges: dict[Block, int] = {function.entry: 0}
    queue = [function.entry]
    while queue:
        for target in queue.pop().successors:
            if target not in edges:
                queue.append(target)
            edges[target] = edges.get(target, 0) + 1
    return edges


_TRANSLATORS: Final[dict[str, Callable[[FunctionTranslator, Instruction], None]]] = {
    "br": FunctionTranslator.branch,
    "switch": FunctionTranslator.switch,
    "ret": FunctionTranslator.return_,
    "unreachable": FunctionTranslator.unreachable,
    "sext": FunctionTranslator.sign_extend,
    "shufflevector": FunctionTranslator.shuffle,
    "getelementptr": FunctionTranslator.address,
    "alloca": FunctionTranslator.alloca,
    "load": FunctionTranslator.load,
    "store": FunctionTranslator.store,
    "atomicrmw": FunctionTranslator.read_modify_write,
    "cmpxchg": FunctionTranslator.compare_and_exchange,
    "fence": FunctionTranslator.fence,
    "call": FunctionTranslator.call,
}
