# SPDX-License-Identifier: Apache-2.0
"""The code of a function while it is made: blocks, local variables, conversions.

Variables live in memory of their own (`alloca`), which LLVM brings into registers. Their types are found by making the
code several times: an assignment that widens a variable's type makes the next attempt begin with the wider one.
"""

import ast
import struct
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple, Protocol, final

from lanewise.frontend.python.python_types import (
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_BOOL,
    Array,
    Number,
    Tuple,
    Type,
    joined,
)
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import (
    ArrayValue,
    Elementwise,
    NumberValue,
    PythonObject,
    RecordValue,
    TupleValue,
    Value,
    parts,
    read_from,
    registers,
)
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, i64, int_constant
from lanewise.ir.values import Value as IrValue


class Options(NamedTuple):
    """`exact`: products and sums are rounded one by one, as the interpreter does. `bounds`: indices are checked.
    `tiling`: whether parallel nests are tiled ("auto"), without packing and vectors ("rows"), with vectors alone
    ("vectors"), or not at all ("none"). `watched`: iterations of parallel loops run one after the other, and their
    accesses are compared."""

    exact: bool = False
    bounds: bool = False
    tiling: Literal["auto", "rows", "vectors", "none"] = "auto"
    watched: bool = False


class CompiledFunction(Protocol):
    """A function marked with `@lw.jit`, as calls of it see it."""

    @property
    def name(self) -> str: ...

    @property
    def file(self) -> str: ...

    @property
    def parameters(self) -> tuple[str, ...]: ...

    @property
    def namespace(self) -> Mapping[str, Any]: ...

    @property
    def body(self) -> tuple[ast.stmt, ...]: ...

    @property
    def defaults(self) -> Mapping[str, Any]: ...


class RegionModule(Protocol):
    """The module that functions are made in."""

    @property
    def module(self) -> Module: ...

    @property
    def options(self) -> Options: ...

    @property
    def is_kernel(self) -> bool:
        """True if the source is a kernel, with functions of work-items such as barriers."""
        ...

    def call(
        self,
        code: "PythonCode",
        function: CompiledFunction,
        arguments: list[Value],
        shared: frozenset[str] = frozenset(),
    ) -> Value:
        """A call of another compiled function of Python. `shared`: parameters with elements that other work-items add
        to, too."""
        ...

    def place(self, node: ast.AST, function: Function) -> str:
        """The debug information of a place in the source."""
        ...


class LoopTargets(NamedTuple):
    """Targets of `continue` and `break`; no `end` in a parallel loop, which `break` can't leave."""

    next: Block
    end: Block | None


@final
class LocalVariable:
    """A local variable: its type, and where it is kept. `assigned`: a flag of one byte that is set with it."""

    __slots__ = ("assigned", "slots", "type")

    def __init__(self, type_: Type, slots: tuple[IrValue, ...], assigned: IrValue | None) -> None:
        self.type = type_
        self.slots = slots
        self.assigned = assigned


@final
class PythonCode:
    """One function. `build` appends to the present block."""

    def __init__(
        self,
        program: RegionModule,
        function: Function,
        namespace: Mapping[str, Any],
        types: dict[str, Type],
        flagged: frozenset[str] = frozenset(),
    ) -> None:
        """`types`: those of variables, which grow. `flagged`: variables for which it is known whether they are set."""
        self.program: Final = program
        self.function: Final = function
        self.namespace: Final = namespace
        self.types: Final = types
        self.entry: Final = Builder(function.add_block("entry"))
        self.build: Final = Builder(function.add_block("body"))
        self.loops: Final[list[LoopTargets]] = []
        self.variables: Final[dict[str, LocalVariable]] = {}
        self.declared: Final[dict[str, Number]] = {}
        """Types that the source declares for local variables."""
        self.widened = False
        """A variable's type has changed: the code is to be made again."""
        self.return_value: Callable[[PythonCode, Value, ast.AST], None] | None = None
        """Ends the function with a value."""
        self.faults: IrValue | None = None
        """The address of a `bounds.IndexFault`; None: indices aren't checked."""
        self.watched: IrValue | None = None
        """The address of what is known of accesses (`watching`); None: they aren't watched."""
        self.shared: frozenset[str] = frozenset()
        """Arrays with elements that other work-items add to, too."""
        self.unshared: frozenset[str] = frozenset()
        """Variables whose arrays no other name refers to."""
        self.updated_in_place: frozenset[str] | None = None
        """Variables whose arrays `x += y` may change in place; None: all."""
        self.rebound: frozenset[str] = frozenset()
        """Reductions that `s = s + x` adds up in. One that is an array is updated in place."""
        self.keepers: Final[dict[str, IrValue]] = {}
        """Memory of the addresses of arrays that the function makes (`temporaries`)."""
        self.line = 0
        """The line of the statement or expression that is being translated."""
        self._flagged: Final = flagged
        self.flags: Final = () if program.options.exact else ("contract",)
        """Flags of floating-point operations."""

    # -- blocks ------------------------------------------------------------------------------------------------

    def new_block(self, name: str) -> Block:
        """A block that isn't in the function yet."""
        return Block(name, self.function)

    def go_on(self, block: Block) -> None:
        """Append from now on to a block, which joins the function."""
        self.function.blocks.append(block)
        self.build.block = block

    def branch(self, target: Block) -> None:
        """Go to a block, unless the present one has ended."""
        if not self.has_ended:
            self.build.branch(target)

    @property
    def has_ended(self) -> bool:
        """True after a branch or a return."""
        instructions = self.build.block.instructions
        return bool(instructions) and instructions[-1].is_terminator

    def finish(self) -> None:
        """Close the block of variables. Blocks that nothing leads to get an end."""
        self.entry.branch(self.function.blocks[1])
        for block in self.function.blocks:
            if not block.instructions or not block.instructions[-1].is_terminator:
                Builder(block).unreachable()

    @contextmanager
    def at(self, node: ast.AST) -> Generator[None]:
        """Within, memory accesses come from a node's line. A refusal without a place is at this node."""
        line, self.line = self.line, getattr(node, "lineno", self.line)
        try:
            with self.function.at_place(self.program.place(node, self.function)):
                yield
        except UnsupportedError as error:
            error.node = error.node or node
            raise
        self.line = line

    # -- numbers -----------------------------------------------------------------------------------------------

    def constant(self, value: bool | int | float | complex, type_: Number | None = None) -> NumberValue:
        """A constant of a type; without one, of Python's own."""
        if type_ is None:
            kinds = {bool: PYTHON_BOOL, int: INT, float: FLOAT, complex: COMPLEX}
            type_ = kinds[type(value)]
        if type_.kind == "complex":
            whole = complex(value)
            return NumberValue(type_, _literal(whole.real, type_.part), imag=_literal(whole.imag, type_.part))
        assert not isinstance(value, complex)
        return NumberValue(type_, _literal(value, type_), value)

    def convert(self, value: NumberValue, to: Number) -> NumberValue:
        """The value in another type, as C converts; from a number to a bool, whether it is not zero."""
        if value.type == to:
            return value
        if "complex" in (value.type.kind, to.kind):
            return self._complex(value, to)
        if value.constant is not None and not (isinstance(value.constant, float) and not to.is_floating):
            return NumberValue(to, _literal(value.constant, to), value.constant if to.weak or value.type.weak else None)
        return NumberValue(to, self._converted(value, to))

    def _complex(self, value: NumberValue, to: Number) -> NumberValue:
        """A conversion from or to a complex number."""
        if to.kind == "bool":
            return NumberValue(to, self.is_true(value))
        if to.kind != "complex":
            raise UnsupportedError(f"a complex number becomes {a(to.name)}: write z.real, z.imag or abs(z)")
        if value.constant is not None and value.type.weak:
            return self.constant(value.constant, to)
        imag = self.constant(0.0, value.type.part if value.imag is not None else to.part)
        real = NumberValue(value.type.part, value.ir)
        if value.imag is not None:
            imag = NumberValue(value.type.part, value.imag)
        return NumberValue(to, self.convert(real, to.part).ir, imag=self.convert(imag, to.part).ir)

    def _converted(self, value: NumberValue, to: Number) -> IrValue:
        given, ir, build = value.type, value.ir, self.build
        target = to.register
        if to.kind == "bool":
            return ir if given.kind == "bool" else self.is_true(value)
        if given.is_floating:
            if to.is_floating:
                if given.bits == to.bits:
                    return ir
                return build.cast("fpext" if to.bits > given.bits else "fptrunc", ir, target)
            return build.cast("fptosi" if to.is_signed else "fptoui", ir, target)
        if to.is_floating:
            return build.cast("sitofp" if given.is_signed else "uitofp", ir, target)
        if given.register.bits == to.bits:
            return ir
        if given.register.bits > to.bits:
            return build.cast("trunc", ir, target)
        return build.cast("sext" if given.is_signed else "zext", ir, target)

    def is_true(self, value: Value) -> IrValue:
        """The truth value of a value, as i1."""
        if not isinstance(value, NumberValue):
            raise UnsupportedError("only numbers have a truth value in compiled code")
        if value.type.kind == "bool":
            return value.ir
        if value.imag is not None:
            zero = _literal(0.0, value.type.part)
            real, imag = (self.compare("une", each, zero, floating=True) for each in (value.ir, value.imag))
            return self.build.binary("or", real, imag)
        if value.type.is_floating:
            return self.compare("une", value.ir, _literal(0.0, value.type), floating=True)
        return self.compare("ne", value.ir, _literal(0, value.type))

    def selected(self, test: IrValue, a: NumberValue, b: NumberValue) -> NumberValue:
        """One of two numbers of a type."""
        if a.imag is not None and b.imag is not None:
            real, imag = self.build.select(test, a.ir, b.ir), self.build.select(test, a.imag, b.imag)
            return NumberValue(a.type, real, imag=imag)
        return NumberValue(a.type, self.build.select(test, a.ir, b.ir))

    def joined(self, type_: Number, arms: Sequence[tuple[NumberValue, Block]]) -> NumberValue:
        """The number of the block that control comes from; all are of the type."""
        real = self.build.phi(type_.part.register, [(value.ir, block) for value, block in arms])
        if type_.kind != "complex":
            return NumberValue(type_, real)
        parts = [(value.imag, block) for value, block in arms if value.imag is not None]
        return NumberValue(type_, real, imag=self.build.phi(type_.part.register, parts))

    def compare(self, predicate: str, a: IrValue, b: IrValue, *, floating: bool = False) -> Instruction:
        """A comparison, as i1."""
        return self.build.emit(Instruction("fcmp" if floating else "icmp", ty.I1, (a, b), predicate=predicate))

    def plus(self, a: IrValue, b: IrValue) -> IrValue:
        """A sum of two indices or sizes, which doesn't overflow."""
        return self.build.binary("add", a, b, flags=("nsw",))

    def times(self, a: IrValue, b: IrValue) -> IrValue:
        """A product of two indices or sizes, which doesn't overflow."""
        return self.build.binary("mul", a, b, flags=("nsw",))

    def number(self, value: Value, what: str = "a number") -> NumberValue:
        """A value that must be a number."""
        if not isinstance(value, NumberValue):
            raise UnsupportedError(f"{what} is needed here, not {described(value)}")
        return value

    def index(self, value: Value) -> NumberValue:
        """An integer of 64 bits."""
        found = self.number(value, "an integer")
        if found.type.is_inexact:
            raise UnsupportedError(f"an integer is needed here, not a {found.type.name}: write int(...)")
        return self.convert(found, INT)

    # -- variables ---------------------------------------------------------------------------------------------

    def read(self, name: str) -> Value | None:
        """The value of a local variable; None if there is none yet."""
        known = self.variables.get(name)
        if known is None:
            type_ = self.types.get(name)
            if type_ is None:
                return None
            known = self._made(name, type_)
        slots = iter(known.slots)
        return self._loaded(known.type, slots)

    def write(self, name: str, value: Value) -> None:
        """Assign to a local variable, whose type widens if need be."""
        type_ = value.type
        if type_ is None:
            raise UnsupportedError(f"{described(value)} can't be kept in a variable of compiled code")
        declared = self.declared.get(name)
        before = self.types.get(name)
        after: Type | None = declared if declared is not None else type_ if before is None else joined(before, type_)
        if after is None or (declared is not None and not isinstance(type_, Number)):
            assert before is not None or declared is not None
            had = declared or before
            assert had is not None
            raise UnsupportedError(
                f"'{name}' is {a(had.name)} and becomes {a(type_.name)}: a variable has one type in compiled code; "
                "give the second value another name"
            )
        if after != before:
            self.types[name] = after
            if before is not None:
                self.widened = True
        known = self.variables.get(name)
        if known is None:
            known = self._made(name, after)
        if known.type != after:  # the next attempt begins with the wider type
            return
        self._store(value, known.type, iter(known.slots))
        if known.assigned is not None:
            self.build.store(int_constant(ty.I8, 1), known.assigned, 1)

    def _made(self, name: str, type_: Type) -> LocalVariable:
        slots = tuple(self.entry.alloca(slot, f"{name}.{number}") for number, slot in enumerate(_slots(type_)))
        flag = None
        if name in self._flagged:
            flag = self.entry.alloca(ty.I8, f"{name}.assigned")
            self.entry.store(int_constant(ty.I8, 0), flag, 1)
        made = self.variables[name] = LocalVariable(type_, slots, flag)
        return made

    def _loaded(self, type_: Type, slots: Any) -> Value:
        if isinstance(type_, Number):
            loads = (self.build.load(slot, next(slots)) for slot in _slots(type_))
            return read_from(type_, loads)
        if isinstance(type_, Tuple):
            return TupleValue(tuple(self._loaded(item, slots) for item in type_.items))
        pointer = self.build.load(ty.PTR, next(slots))
        shape = tuple(NumberValue(INT, self.build.load(ty.I64, next(slots))) for _ in range(type_.ndim))
        strides = () if type_.contiguous else [self.build.load(ty.I64, next(slots)) for _ in range(type_.ndim)]
        return ArrayValue(type_, pointer, shape, self.strides_of(type_, shape, strides))

    def room(self, type_: Number, name: str) -> tuple[IrValue, ...]:
        """Memory for a number."""
        return tuple(self.entry.alloca(slot, name) for slot in _slots(type_))

    def put(self, value: NumberValue, type_: Number, room: tuple[IrValue, ...]) -> None:
        """Store a number in its room."""
        self._store(value, type_, iter(room))

    def get(self, type_: Number, room: tuple[IrValue, ...]) -> NumberValue:
        """The number in a room."""
        return self.number(self._loaded(type_, iter(room)))

    def strides_of(
        self, type_: Array, shape: tuple[NumberValue, ...], given: Sequence[IrValue] = ()
    ) -> tuple[IrValue, ...]:
        """The strides of an array, in bytes: those that are given, or follow from its type."""
        if not shape:
            return ()
        if not type_.contiguous:
            return (*given[:-1], i64(type_.element.size)) if type_.dense else tuple(given)
        strides: list[IrValue] = [i64(type_.element.size)]
        for extent in reversed(shape[1:]):
            strides.append(self.times(strides[-1], extent.ir))
        return tuple(reversed(strides))

    def _store(self, value: Value, type_: Type, slots: Any) -> None:
        if isinstance(value, NumberValue):
            assert isinstance(type_, Number)
            for part in parts(self.convert(value, type_)):
                self.build.store(part, next(slots))
        elif isinstance(value, RecordValue):
            if value.const:
                raise UnsupportedError("a record of a read-only array can't be kept in a variable: keep its fields")
            self.build.store(value.address, next(slots))
        elif isinstance(value, TupleValue):
            assert isinstance(type_, Tuple)
            for item, item_type in zip(value.items, type_.items, strict=True):
                self._store(item, item_type, slots)
        elif isinstance(value, ArrayValue):
            assert isinstance(type_, Array)
            self.build.store(value.pointer, next(slots))
            for extent in value.shape:
                self.build.store(extent.ir, next(slots))
            if not type_.contiguous:
                for stride in value.strides:
                    self.build.store(stride, next(slots))


def _slots(type_: Type) -> list[ty.Type]:
    """The memory of a variable."""
    if isinstance(type_, Number):
        return registers(type_)
    if isinstance(type_, Tuple):
        return [slot for item in type_.items for slot in _slots(item)]
    return [ty.PTR, *[ty.I64] * (type_.ndim if type_.contiguous else 2 * type_.ndim)]


def _literal(value: bool | int | float, type_: Number) -> Constant:
    if type_.kind == "float":
        return float_constant(float(value), type_)
    if type_.kind == "bool":
        return int_constant(ty.I1, int(bool(value)))
    if type_.weak and not -(1 << 63) <= int(value) < 1 << 63:
        raise UnsupportedError(f"{value} doesn't fit 64 bits")
    return int_constant(type_.register, int(value))


def float_constant(value: float, type_: Number) -> Constant:
    """A floating-point constant, rounded to the type."""
    if type_.bits == 16:
        (bits,) = struct.unpack("<H", struct.pack("<e", value))
        return Constant(ty.floating("half"), "float", f"0xH{bits:04X}")
    if type_.bits == 32:
        try:
            (value,) = struct.unpack("<f", struct.pack("<f", value))
        except OverflowError:
            value = float("inf") if value > 0 else float("-inf")
    return Constant(type_.register, "float", f"0x{struct.pack('>d', value).hex().upper()}")


def described(value: Value) -> str:
    """A value for messages."""
    if isinstance(value, PythonObject):
        name = getattr(value.object, "__name__", None)
        return f"'{name}'" if name else repr(value.object)
    assert value.type is not None
    return f"an array {value.type.name}" if isinstance(value, ArrayValue | Elementwise) else a(value.type.name)


def a(name: str) -> str:
    """A noun with its article."""
    return f"{'an' if name[:1] in 'aeiou' and not name.startswith('uint') else 'a'} {name}"
