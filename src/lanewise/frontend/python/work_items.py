# SPDX-License-Identifier: Apache-2.0
"""The code of the work-items of a parallel loop: which iterations each one does, and its part of a reduction."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, final

from lanewise.frontend.python.code import LoopTargets, PythonCode
from lanewise.frontend.python.numbers_in_memory import store_number
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.private_copies import open_copies
from lanewise.frontend.python.python_types import INT, Array, Number, Type
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.statements import statements
from lanewise.frontend.python.values import ArrayValue, NumberValue, described_type
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Argument, i64
from lanewise.ir.values import Value as IrValue


class LoopBounds(NamedTuple):
    """A loop that is an axis of the grid."""

    iterations: NumberValue
    start: NumberValue
    step: NumberValue


@final
class WorkItems:
    """The work-items of a grid; `pointer` and `number` make the parameters of a reduction's partial results."""

    def __init__(
        self,
        code: PythonCode,
        region: PythonRegion,
        grid: Grid,
        bounds: list[LoopBounds],
        types: Mapping[str, Type],
        pointer: Callable[[str, Number], Argument],
        number: Callable[[str, Number], NumberValue],
    ) -> None:
        self._code: Final = code
        self._region: Final = region
        self._grid: Final = grid
        self._bounds: Final = bounds
        self._types: Final = types
        self._pointer: Final = pointer
        self._number: Final = number
        self._letters: Final = dict(zip(grid.order, "xyz", strict=False))
        """Axes of the launch, by the number of the loop."""

    def build(self, chunk: NumberValue | None) -> None:
        """Make the code. `chunk`: iterations of the outermost loop for each work-item of a reduction; None without."""
        code = self._code
        ids = {number: global_id(code, letter) for number, letter in self._letters.items()}
        if chunk is not None:
            self._reduce(chunk, ids)
            return
        end = code.new_block("end")
        for number in range(len(self._bounds)):
            self._enter(number, ids[number], end)
        code.loops.append(LoopTargets(end, None))
        statements(code, self._grid.body)
        code.branch(end)
        code.go_on(end)
        code.build.ret()

    def build_one(self, all_iterations: Callable[[], None]) -> None:
        """Make the code of a work-item that runs all iterations."""
        self._begin()
        all_iterations()
        self._store_partial_results()
        self._code.build.ret()

    def _enter(self, number: int, position: IrValue, end: Block) -> None:
        """Go on if a position is in the range of a loop, with the loop's variable set."""
        code, bounds = self._code, self._bounds[number]
        inside = code.new_block("inside")
        code.build.branch_if(code.compare("slt", position, bounds.iterations.ir), inside, end)
        code.go_on(inside)
        offset = position if bounds.step.constant == 1 else code.times(position, bounds.step.ir)
        value = code.plus(bounds.start.ir, offset)
        code.write(self._grid.axes[number].variable, NumberValue(INT, value))

    def _reduce(self, chunk: NumberValue, ids: dict[int, IrValue]) -> None:
        """Each work-item does a chunk of the outermost loop, and stores what it has."""
        code = self._code
        self._begin()
        end, test, body, after = (code.new_block(name) for name in ("end", "chunk", "item", "next"))
        for number in range(1, len(self._bounds)):
            self._enter(number, ids[number], end)
        place = code.entry.alloca(ty.I64, "item.counter")
        code.build.store(i64(0), place)
        code.branch(test)
        code.go_on(test)
        counter = code.build.load(ty.I64, place)
        code.build.branch_if(code.compare("slt", counter, chunk.ir), body, end)
        code.go_on(body)
        self._enter(0, self._item(chunk, ids[0], code.build.load(ty.I64, place)), end)
        code.loops.append(LoopTargets(after, None))
        statements(code, self._grid.body)
        code.branch(after)
        code.go_on(after)
        code.build.store(code.plus(code.build.load(ty.I64, place), i64(1)), place)
        code.branch(test)
        code.go_on(end)
        self._store_partial_results()
        code.build.ret()

    def _begin(self) -> None:
        open_copies(
            self._code,
            self._region.reductions,
            self._region.loop,
            global_id(self._code, "x"),
            self._pointer,
            self._number,
        )
        for reduction in self._region.reductions:
            type_ = self._types[reduction.name]
            if isinstance(type_, Array):
                continue
            value = identity(self._code, reduction.operation, type_)
            self._code.write(reduction.name, value)

    def _item(self, chunk: NumberValue, position: IrValue, counter: IrValue) -> IrValue:
        """The iteration of the outermost loop that a work-item does next. Along x, the work-items of a group take
        neighbours in turns."""
        code = self._code
        if self._letters[0] != "x":
            return code.plus(code.times(position, chunk.ir), counter)
        group, size, item = (
            code.build.cast("zext", register(code, name), ty.I64) for name in ("ctaid.x", "ntid.x", "tid.x")
        )
        turn = code.plus(code.times(group, chunk.ir), counter)
        return code.plus(code.times(turn, size), item)

    def _store_partial_results(self) -> None:
        code = self._code
        item = self._linear_id()
        for reduction in self._region.reductions:
            value = code.read(reduction.name)
            if isinstance(value, ArrayValue):
                continue
            assert isinstance(value, NumberValue)
            pointer = self._pointer(reduction.name, value.type)
            store_number(code, code.build.address(value.type.memory, pointer, [item]), value)

    def _linear_id(self) -> IrValue:
        """The number of a work-item in the grid, x fastest."""
        code = self._code
        letters = "xyz"[: len(self._bounds)]
        item = global_id(code, letters[-1])
        for letter in reversed(letters[:-1]):
            size, groups = (
                code.build.cast("zext", register(code, f"{name}.{letter}"), ty.I64) for name in ("ntid", "nctaid")
            )
            item = code.plus(code.times(item, code.times(size, groups)), global_id(code, letter))
        return item


def global_id(code: PythonCode, letter: str) -> IrValue:
    """The place of a work-item along an axis, as CUDA's code has it: passes know the sum of 32 bits."""
    build = code.build
    group, size, item = (register(code, f"{name}.{letter}") for name in ("ctaid", "ntid", "tid"))
    return build.cast("zext", build.binary("add", build.binary("mul", group, size), item), ty.I64)


def register(code: PythonCode, name: str) -> Instruction:
    """A number of the work-item or its group, of 32 bits."""
    callee = code.program.module.declare(f"llvm.nvvm.read.ptx.sreg.{name}", ty.function(ty.I32, ()))
    return code.build.call_function(callee, ())


def identity(code: PythonCode, operation: str, type_: Type) -> NumberValue:
    """The value that changes nothing in a reduction."""
    if not isinstance(type_, Number):
        raise UnsupportedError(f"a reduction is of numbers, not of {described_type(type_)}")
    if type_.kind == "complex" and operation not in ("+", "*"):
        raise UnsupportedError(f"complex numbers aren't reduced by {operation}")
    if operation in ("min", "max", "minimum", "maximum"):
        return code.constant(_last(type_) if operation.startswith("min") else _first(type_), type_)
    value = {"+": 0, "*": 1, "and": 1, "or": 0, "&": -1, "|": 0, "^": 0}[operation]
    if type_.kind == "bool":
        return code.constant(bool(value), type_)
    return code.constant(float(value) if type_.is_floating else value, type_)


def _last(type_: Number) -> float | int:
    """The greatest value of a type."""
    if type_.is_floating:
        return float("inf")
    return (1 << (type_.bits - type_.is_signed)) - 1


def _first(type_: Number) -> float | int:
    """The least value of a type."""
    if type_.is_floating:
        return float("-inf")
    return -(1 << (type_.bits - 1)) if type_.is_signed else 0
