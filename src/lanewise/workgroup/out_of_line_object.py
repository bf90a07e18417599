# SPDX-License-Identifier: Apache-2.0
"""Makes the object of a program's out-of-line functions, each a host function of one work-item (`out_of_line.py`).

Before
    define i32 @depth(i32 %n) {
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %more = icmp ugt i32 %n, %x
      br i1 %more, label %deeper, label %end
    deeper:
      %m = lshr i32 %n, 1
      %r = call i32 @depth(i32 %m)
      %s = mul i32 %r, 3
      %t = xor i32 %s, %n
      ret i32 %t
    end:
      ret i32 %n
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After
    define internal i32 @lw.call.depth(ptr noalias noundef readonly align 8 %record, i32 %n) nounwind {
    ...
      %13 = getelementptr inbounds i8, ptr %record, i64 36
      %14 = load i32, ptr %13, align 4
    ...
      %more = icmp ugt i32 %n, %14
    ...
      %r = call i32 @lw.call.depth(ptr %record, i32 %m)
    ...
    @lw_functions = constant [1 x ptr] [ptr @lw.call.depth], align 8

`abi.FUNCTIONS_SYMBOL` is a table of their addresses. They know no local size: it comes from the launch.

If one of them does what the CPU can't, that function is refused, and so are kernels that may call it; others run. The
body of a refused function is a trap.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.reached_blocks import drop_unreachable_blocks
from lanewise.ir.values import Argument, Constant, Value
from lanewise.workgroup.items.narrow_indices import hide_narrow_indices
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.arena import Arena
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.layout.host_object import HostObject
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.layout.out_of_line import (
    RECORD_ARENA,
    RECORD_DYNAMIC,
    RECORD_GROUP,
    RECORD_LAUNCH,
    RECORD_LOCAL,
    RECORD_STATIC,
    CallersMemory,
    OutOfLine,
    PassedRecord,
    host_function_type,
)
from lanewise.workgroup.layout.symbols import Symbols
from lanewise.workgroup.lines import take_over_lines
from lanewise.workgroup.lowering.lowering import Lowering
from lanewise.workgroup.regions.computed_goto import refuse_computed_goto
from lanewise.workgroup.waiting.progress import instrument_spin_loops
from lanewise.workgroup.waiting.spin_loops import may_spin

_KEPT: Final = frozenset({"!tbaa", "!llvm.loop"})


class OutOfLineObject(NamedTuple):
    """A module of host IR, with what must be known to load it."""

    module: Module
    functions: tuple[str, ...]
    """Symbols of the functions in the table `abi.FUNCTIONS_SYMBOL`, in order."""
    refusals: Mapping[str, str]
    """Symbol -> the reason why the function can't run."""
    variables: tuple[str, ...]
    """Symbols whose addresses go into the table `abi.VARIABLES_SYMBOL`."""


def build_out_of_line_object(
    source: Module, functions: Sequence[Function], out_of_line: OutOfLine, names: Mapping[str, str]
) -> OutOfLineObject:
    """The object of `functions` of `source`, in which all other calls are inlined. `names`: symbol -> name of the
    function for the user."""
    target = Module()
    target.metadata = {name: body for name, body in source.metadata.items() if name[1:].isdigit()}
    host = HostObject(source, target)
    for function in functions:
        host.out_of_line[function.symbol] = _declared(function)
    refusals: dict[str, str] = {}
    for function in functions:
        name = names.get(function.symbol, function.symbol)
        made = host.out_of_line[function.symbol]
        try:
            _require_no_waiting(function, name)
            _Body(function, made, host, out_of_line, f"function {name}").emit()
            hide_narrow_indices(target, made)
        except CompileError as error:
            refusals[function.symbol] = str(error)
            _make_trap(made)
        take_over_lines(source, function, target, made)
        target.add(made)
    host.finish()
    symbols = tuple(f.symbol for f in functions)
    table = ty.array(len(symbols), ty.PTR)
    addresses = Constant(table, "aggregate", operands=tuple(host.out_of_line[s] for s in symbols))
    target.add(GlobalVariable(abi.FUNCTIONS_SYMBOL, table, addresses, prefix=("constant",), suffix=", align 8"))
    return OutOfLineObject(target, symbols, refusals, host.table)


def _declared(function: Function) -> Function:
    type_ = host_function_type(host_type(function.value_type))
    record = Argument(ty.PTR, "record", ("noalias", "noundef", "readonly", "align 8"))
    arguments = [record, *(Argument(host_type(a.type), a.name) for a in function.arguments)]
    name = f"lw.call.{function.symbol}"
    return Function(name, type_, arguments, linkage="internal", suffix="nounwind")


def _require_no_waiting(function: Function, name: str) -> None:
    for instruction in function.instructions():
        row = intrinsic_of(instruction.callee)
        if row is not None and row.convergent:
            what = "waits at a barrier" if "bar" in row.name else f"uses {row.name.removeprefix('llvm.nvvm.')}"
            raise CompileError(
                f"function {name} {what}, and is called through a pointer or by itself: work-items can only meet in "
                "functions that can be inlined on the CPU device"
            )


def _make_trap(function: Function) -> None:
    for instruction in function.instructions():
        instruction.drop_operands()
    function.blocks = []
    build = Builder(function.add_block("entry"))
    build.unreachable()


@final
class _Body:
    """Copies the body of one function, instruction by instruction."""

    def __init__(
        self, function: Function, made: Function, host: HostObject, out_of_line: OutOfLine, owner: str
    ) -> None:
        self._owner: Final = owner
        self._function: Final = function
        self._made: Final = made
        record, *arguments = made.arguments
        entry = Builder(made.add_block("given"))
        self._entry: Final = entry
        given: list[Value] = [
            entry.load(ty.PTR, entry.offset(record, p), align=8) for p in (RECORD_LAUNCH, RECORD_ARENA)
        ]
        given += [entry.load(ty.I32, entry.offset(record, p), align=4) for p in RECORD_GROUP]
        dynamic = entry.load(ty.PTR, entry.offset(record, RECORD_DYNAMIC), align=8)
        self._frame: Final = Frame(host.target, entry, given, None)
        frame = self._frame
        static = entry.load(ty.I64, entry.offset(record, RECORD_STATIC), align=8)
        caller = CallersMemory(record, dynamic, static)
        self._symbols: Final = Symbols(function, host, frame, Arena(None), out_of_line, caller)
        self._lowering: Final = Lowering(owner, frame, self._symbols, PassedRecord(record))
        self._ids: Final = _item_ids(record, frame)
        self._values: Final[dict[Value, Value]] = dict(zip(function.arguments, arguments, strict=True))
        self._phis: Final[list[tuple[Instruction, Instruction]]] = []

    def emit(self) -> None:
        drop_unreachable_blocks(self._function)
        refuse_computed_goto(self._function, self._owner)
        blocks = {block: Block(block.name, self._made) for block in self._function.blocks}
        for block in _in_order(self._function):
            self._emit_block(block, blocks)
        for phi, new in self._phis:
            for value, before in phi.incoming():
                new.append_operand(self._value(value))
                new.append_operand(blocks[before])
        self._made.blocks += [blocks[block] for block in self._function.blocks]
        first = blocks[self._function.entry]
        if may_spin(self._function):
            items = dict.fromkeys(self._made.blocks, self._ids)
            instrument_spin_loops(self._made, first, self._frame, self._symbols.external, items)
        self._entry.branch(first)

    def _emit_block(self, block: Block, blocks: Mapping[Block, Block]) -> None:
        build = Builder(blocks[block])
        for instruction in block.instructions:
            if instruction.op == "phi":
                self._values[instruction] = new = build.phi(host_type(instruction.type), (), instruction.name)
                self._phis.append((instruction, new))
            elif instruction.is_terminator:
                operands = [blocks[o] if isinstance(o, Block) else self._value(o) for o in instruction.operands]
                metadata = tuple(m for m in instruction.metadata if m[0] in _KEPT)
                build.emit(Instruction(instruction.op, ty.VOID, operands, metadata=metadata))
            elif not instruction.is_debug_record:
                with self._made.at_place_of(instruction):
                    value = self._lower(instruction, build)
                if value is not None:
                    self._values[instruction] = value

    def _lower(self, instruction: Instruction, build: Builder) -> Value | None:
        keep = instruction.op == "call" and isinstance(instruction.operands[0], Function)
        kept = instruction.operands[:1] if keep else []
        operands = [*kept, *map(self._value, instruction.operands[len(kept) :])]
        return self._lowering.lower(instruction, operands, build, self._ids)

    def _value(self, value: Value) -> Value:
        return self._values.get(value) or self._symbols.constant(value)


def _item_ids(record: Value, frame: Frame) -> ItemIds:
    entry = frame.entry
    x, y, z = (entry.load(ty.I32, entry.offset(record, place), align=4) for place in RECORD_LOCAL)
    wide = [entry.cast("zext", local, ty.I64) for local in (x, y, z)]
    rows = entry.binary("add", entry.binary("mul", wide[2], frame.block.wide_extent(1)), wide[1])
    linear = entry.binary("add", entry.binary("mul", rows, frame.block.wide_extent(0)), wide[0])
    return ItemIds((x, y, z), linear)


def _in_order(function: Function) -> list[Block]:
    """Blocks in an order in which definitions come before uses, but for phis: reverse postorder."""
    finished: list[Block] = []
    seen = {function.entry}
    work = [(function.entry, iter(function.entry.successors))]
    while work:
        block, rest = work[-1]
        following = next(rest, None)
        if following is None:
            finished.append(block)
            work.pop()
        elif following not in seen:
            seen.add(following)
            work.append((following, iter(following.successors)))
    return finished[::-1]
