# SPDX-License-Identifier: Apache-2.0
"""Random functions of several kinds. In parallel loops, iterations write elements with their own indices only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from tests.fuzz.choices import Choices

from .complex_numbers import ComplexExpressions
from .operations import Expression, fitted, literal
from .rows import RowExpressions
from .scope import Array, Helper, Loop, Scope
from .statements import Lines, Statements, indented
from .values import FLOATS, INTEGERS, Number, is_float

LAYOUTS: Final = ("", "", "[::-1]", "[::2]", "[1:-1]", ".T", "[::-3]")
"""Views that arrays are given by: contiguous, backwards, with steps, of the middle, transposed."""


class Nest(NamedTuple):
    """A function with the text that makes its arguments."""

    name: str
    lines: Lines
    parameters: list[str]
    inputs: Lines
    """Expressions, one for each parameter."""
    tolerance: float = 0.0
    """Greatest error of what the function returns, and of the arrays that hold mathematics."""
    inexact: tuple[int, ...] = ()
    """Positions of those arrays."""


class Writer:
    """Writes one function."""

    def __init__(
        self, choices: Choices, name: str, jit: str, constants: tuple[Expression, ...], helpers: tuple[Helper, ...]
    ) -> None:
        self._choices: Final = choices
        self._name: Final = name
        self._jit: Final = jit
        self._statements: Final = Statements(choices, fuel=8)
        self._constants: Final = constants
        self._helpers: Final = helpers
        self._inputs: Lines = []
        self._names: list[str] = []

    def write(self) -> Nest:
        kinds: tuple[Callable[[], Nest], ...] = (
            self.parallel, self.parallel, self.parallel, self.parallel, self.serial, self.serial, self.reduction,
            self.reduction, self.steps, self.scalars, self.mathematics, self.complex_numbers, self.complex_numbers,
            self.whole_arrays, self.whole_arrays, self.whole_arrays,
        )  # fmt: skip
        return self._choices.pick(kinds)()

    def parallel(self) -> Nest:
        """A nest over an output array, the outer loops parallel."""
        rank = self._choices.pick((2, 1, 2, 3, 1, 4, 6))
        shape = self._shape(rank)
        outputs = [out for _ in range(1 + self._choices.upto(1)) for out in self._array_or_records("out", shape)]
        scope = self._scope(self._arrays("a"))
        return self._nest(self._parallel_loops(outputs, shape, scope))

    def serial(self) -> Nest:
        """A nest of serial loops that read and write all over the same arrays, which may overlap."""
        arrays = self._arrays("a")
        if len(arrays[0].shape) == 1 and arrays[0].shape[0] > 4 and self._choices.rarely(3):
            arrays = (*arrays, self._overlapping(arrays[0]))
        scope = replace(self._scope(arrays), writable=arrays, returns=True)
        body: Lines = []
        for _ in range(1 + self._choices.upto(1)):
            body += self._serial_loops(1 + self._choices.upto(1), scope)
        return self._nest([*body, f"return {self._choices.upto(9)}"])

    def reduction(self) -> Nest:
        """Sums, products, extremes and conditions over parallel loops."""
        arrays = self._arrays("a")
        scope, loops, heads = self._loops(arrays[0].shape, self._scope(arrays), parallel=len(arrays[0].shape))
        count = int(np.prod([loop.high - loop.low + 1 for loop in loops]))
        number: Number = self._choices.pick((float, np.float64, np.float32, int, np.int64, np.int32))
        made = fitted(scope_number(self._statements, scope), number, *((-8.0, 8.0) if is_float(number) else (-99, 99)))
        most = max(abs(made.low), abs(made.high))
        zero = literal(number(0)).text if number in (int, float) else f"np.{number.__name__}(0)"
        epsilon = float(np.finfo(np.float32 if number is np.float32 else np.float64).eps) if is_float(number) else 0.0
        kind, tolerance = self._choices.upto(5), count * epsilon * count * most
        if kind <= 1:
            setup, update = zero, f"{{}} {self._choices.pick(('+=', '-='))} {made.text}"
        elif kind == 2:
            setup, update = zero, f"{{0}} = {self._choices.pick(('min', 'max'))}({{0}}, {made.text})"
            tolerance = 0.0
        elif kind == 3:
            word = self._choices.pick(("or", "and"))
            setup = str(word == "and")
            update, tolerance = f"{{0}} = {{0}} {word} {self._statements.make.condition(scope).operand}", 0.0
        elif kind == 4 and is_float(number):
            factor = fitted(scope_number(self._statements, scope), number, -0.25, 0.25)
            setup, update = zero.replace("0", "1", 1), f"{{}} *= {factor.text} + 1"
            tolerance = count * epsilon * 1.25**count
        else:
            setup, update = zero, f"if {self._statements.make.condition(scope).text}:\n    {{}} += {made.text}"
        lines = update.format("total").split("\n")
        for head in reversed(heads):
            lines = [head, *indented(lines)]
        return self._nest([f"total = {setup}", *lines, "return total"], tolerance)

    def steps(self) -> Nest:
        """Parallel loops within a serial one: two arrays in turns."""
        shape = self._shape(self._choices.pick((2, 1)))
        number = self._number()
        a = self._array("a", shape, number)
        b = self._array("b", shape, number)
        others = self._arrays("c")
        step = Loop("step", 0, 2)
        body: Lines = []
        for written, read in ((b, a), (a, b)):
            scope = replace(self._scope((read, *others)), loops=(step,))
            body += self._parallel_loops([written], shape, scope, deep=1)
        return self._nest(["for step in range(3):", *indented(body)])

    def scalars(self) -> Nest:
        """Loops over numbers alone: Python's arithmetic on integers and floats of either sign."""
        n, x = Expression("n", int, -20, 20, whole=True), Expression("x", float, -8.0, 8.0, whole=True)
        self._names += ["n", "x"]
        self._inputs += [str(self._choices.upto(40) - 20), str((self._choices.upto(64) - 32) / 4)]
        total = self._statements.variable(self._choices.pick((int, float)))
        scope = replace(self._scope(()), variables=(n, x, total), assignable=(total,), returns=total.type is int)
        setup = f"{total.text} = {fitted(n if total.type is int else x, total.type, total.low, total.high).text}"
        return self._nest([setup, *self._serial_loops(2, scope), f"return {total.text}"])

    def mathematics(self) -> Nest:
        """Functions whose last digits may differ, into arrays that nothing reads."""
        shape = self._shape(self._choices.pick((1, 2)))
        out = self._array("out", shape, self._choices.pick((np.float64, np.float32)))
        scope, loops, heads = self._loops(shape, self._scope(self._arrays("a")), 1, (out,))
        a = [fitted(scope_number(self._statements, scope), float, -4.0, 4.0).text for _ in range(2)]
        text = self._choices.pick((
            "math.exp({})", "math.sin({})", "math.cos({})", "math.tan(0.25 * ({}))", "math.log(abs({}) + 0.5)",
            "math.atan2({}, abs({}) + 0.5)", "math.hypot({}, {})", "math.pow(abs({}) + 0.5, {})",
            "(abs({}) + 0.5) ** ({})", "({}) ** 2", "np.exp({})", "np.sin({})", "np.log(abs({}) + 0.5)",
            "np.tanh({})", "math.tanh({})", "math.sqrt(abs({})) * math.pi", "np.float32(2.5) * np.exp(np.float32({}))",
        )).format(*a)  # fmt: skip
        lines = [f"{out.name}[{', '.join(loop.name for loop in loops)}] = {text}"]
        for head in reversed(heads):
            lines = [head, *indented(lines)]
        # The greatest result is exp(4) or 4.5**4.
        tolerance = 1e-4 if "np.float32" in text or out.type is np.float32 else 1e-11
        return self._nest(lines, tolerance)._replace(inexact=(0,))

    def complex_numbers(self) -> Nest:
        """Complex arithmetic, with a serial loop in it, and what is real of it."""
        shape = self._shape(self._choices.pick((1, 2)))
        types = (np.complex64, np.complex128)
        out = self._array("out", shape, self._choices.pick(types))
        parts = self._array("out", shape, self._choices.pick((np.float64, np.float32)))
        given = [self._array("z", self._shape(self._choices.pick((1, 2))), self._choices.pick(types)) for _ in range(2)]
        scope, loops, heads = self._loops(shape, self._scope(self._arrays("a")), 1, (out,))
        values = [self._statements.make.element(each, scope) for each in given]
        make = ComplexExpressions(self._choices, self._statements, scope, values)
        place = ", ".join(loop.name for loop in loops)
        total = make.value()
        lines = [f"w = {total.text}"]
        make.values.append(Expression("w", total.type, whole=True))
        if self._choices.upto(1):
            head, loop = self._statements.loop_head("range", 3, scope)
            added = make.value(1)
            body = [f"s = s * 0.5j {self._choices.pick('+-')} {added.operand} * {loop.name}"]
            if self._choices.upto(1):
                body = [f"if {make.condition()}:", *indented(body)]
            start = "0j" if added.type is complex else f"np.{added.type.__name__}(0)"
            lines += [f"s = {start}", head, *indented(body)]
            make.values.append(Expression("s", added.type, whole=True))
        lines.append(f"{out.name}[{place}] = {make.value().text}")
        if self._choices.upto(1):
            lines.append(f"{out.name}[{place}] {self._choices.pick('+-*')}= {make.value(1).text}")
        lines.append(f"{parts.name}[{place}] = {make.part().text}")
        for head in reversed(heads):
            lines = [head, *indented(lines)]
        return self._nest(lines)

    def whole_arrays(self) -> Nest:
        """Expressions of rows in parallel loops, into rows of arrays of the type that they have."""
        rows, size = 3 + self._choices.upto(5), 1 + self._choices.upto(19)
        inner = (size,) if self._choices.upto(1) else (2 + self._choices.upto(2), size)
        given = [self._array("a", (rows, *inner)), self._array("b", (rows, size)), self._array("c", (size,))]
        scope = replace(self._scope(self._arrays("d")), loops=(Loop("i", 0, rows - 1),))
        make = RowExpressions(self._choices, self._statements, scope, inner, given)
        lines: Lines = []
        for _ in range(1 + self._choices.upto(3)):
            lines += make.statement()
        for _ in range(1 + self._choices.upto(1)):
            shape, value = make.stored()
            number = value.type
            out = self._array("out", (rows, *shape), np.bool if number is bool else number)
            lines.append(make.store(out, value))
        return self._nest([f"for i in lw.prange({rows}):", *indented(lines)])

    def _parallel_loops(self, outputs: list[Array], shape: tuple[int, ...], scope: Scope, deep: int = 0) -> Lines:
        parallel = deep or 1 + self._choices.upto(len(shape) - 1)
        scope, loops, heads = self._loops(shape, scope, parallel, tuple(outputs))
        lines: Lines = []
        for level in range(len(loops) - 1, -1, -1):
            inner = replace(scope, loops=scope.loops[: len(scope.loops) - len(loops) + level + 1])
            if level == len(loops) - 1:
                own = tuple(out.element([loop.name for loop in loops]) for out in outputs)
                inner = replace(inner, stores=own, depth=1, loop="prange" if level < parallel else "for")
                lines = self._statements.block(inner) + self._statements.store(inner)[0]
            elif level >= parallel - 1 and self._choices.rarely(3):
                lines = [*self._before(outputs, loops[: level + 1], inner), *lines]
            lines = [heads[level], *indented(lines)]
        return lines

    def _before(self, outputs: list[Array], loops: tuple[Loop, ...], scope: Scope) -> Lines:
        """A store in front of the inner loops, to an element of those that belong to this iteration."""
        out = self._choices.pick(outputs)
        rest = [str(self._choices.upto(size - 1)) for size in out.shape[len(loops) :]]
        target = out.element([*(loop.name for loop in loops), *rest])
        return self._statements.store(replace(scope, stores=(target,)))[0]

    def _loops(
        self, shape: tuple[int, ...], scope: Scope, parallel: int, arrays: tuple[Array, ...] = ()
    ) -> tuple[Scope, tuple[Loop, ...], Lines]:
        """Loops over a shape, which `arrays` have; the first `parallel` are parallel."""
        outside = replace(scope, loops=())  # no triangles
        made = [
            self._statements.loop_head("lw.prange" if level < parallel else "range", size, outside, arrays)
            for level, size in enumerate(shape)
        ]
        loops = tuple(loop for _, loop in made)
        return replace(scope, loops=(*scope.loops, *loops)), loops, [head for head, _ in made]

    def _serial_loops(self, count: int, scope: Scope) -> Lines:
        head, loop = self._statements.loop_head("range", 3 + self._choices.upto(4), scope)
        inner = scope.deeper(loops=(*scope.loops, loop), loop="for", depth=3 - count)
        body = self._statements.block(inner)
        return [head, *indented(body if count == 1 else body + self._serial_loops(count - 1, inner))]

    def _scope(self, arrays: tuple[Array, ...]) -> Scope:
        return Scope(readable=arrays, constants=self._constants, helpers=self._helpers)

    def _arrays(self, prefix: str) -> tuple[Array, ...]:
        ranks = [self._choices.pick((1, 2, 1, 2, 3, 5)) for _ in range(1 + self._choices.upto(2))]
        return tuple(array for rank in ranks for array in self._array_or_records(prefix, self._shape(rank)))

    def _array_or_records(self, prefix: str, shape: tuple[int, ...]) -> tuple[Array, ...]:
        """An argument, or the fields of one."""
        if not self._choices.rarely(5):
            return (self._array(prefix, shape),)
        numbers = [self._number() for _ in range(1 + self._choices.upto(2))]
        fields = [(f"f{number}", each, *self._range(each)) for number, each in enumerate(numbers)]
        text = ", ".join(f'("{name}", "{np.dtype(each).name}", {low}, {high})' for name, each, low, high in fields)
        align = self._choices.pick((True, False))
        name = self._argument(prefix, shape, f"records({{seed}}, [{text}], {{shape}}, align={align})")
        return tuple(Array(name, each, shape, low, high, field) for field, each, low, high in fields)

    def _shape(self, rank: int) -> tuple[int, ...]:
        least, more = {1: (4, 9), 2: (3, 4), 3: (2, 2)}.get(rank, (2, 0))
        if rank <= 2 and self._choices.rarely(3):
            least, more = (20, 50) if rank == 1 else (7, 11)  # more than the lanes of a vector
        return tuple(least + self._choices.upto(more) for _ in range(rank))

    def _number(self) -> Number:
        return self._choices.pick((np.float64, np.float32, *INTEGERS, *FLOATS, np.bool))

    def _array(self, prefix: str, shape: tuple[int, ...], number: Number | None = None) -> Array:
        """An argument: any view, of any type, of any size that shows the shape."""
        number = number or self._number()
        low, high = self._range(number)
        text = f'values({{seed}}, "{np.dtype(number).name}", {{shape}}, {low}, {high})'
        return Array(self._argument(prefix, shape, text), number, shape, low, high)

    def _argument(self, prefix: str, shape: tuple[int, ...], text: str) -> str:
        """The name of an argument that `text` makes, a view of one."""
        layout = self._choices.pick(LAYOUTS)
        first = {"[::2]": 2 * shape[0] - 1, "[1:-1]": shape[0] + 2, "[::-3]": 3 * shape[0] - 2}.get(layout, shape[0])
        whole = shape[::-1] if layout == ".T" else (first, *shape[1:])
        name = f"{prefix}{sum(each.startswith(prefix) for each in self._names) + 1}"
        seed = self._choices.upto(999)
        self._names.append(name)
        self._inputs.append(text.format(seed=seed, shape=whole) + layout)
        return name

    def _overlapping(self, array: Array) -> Array:
        """Another argument on the same memory."""
        self._names.append("over")
        self._inputs.append(f"{array.name}[1:]")
        return replace(array, name="over", shape=(array.shape[0] - 1,))

    def _range(self, number: Number) -> tuple[Any, Any]:
        if number is np.bool:
            return 0, 1
        if is_float(number) or number in (np.complex64, np.complex128):
            return -8.0, 8.0
        information = np.iinfo(number)
        if self._choices.rarely(3):
            return int(information.min), int(information.max)
        return max(int(information.min), -100), 100

    def _nest(self, body: Lines, tolerance: float = 0.0) -> Nest:
        lines = [self._jit, f"def {self._name}({', '.join(self._names)}):", *indented(body)]
        return Nest(self._name, lines, self._names, self._inputs, tolerance)


def scope_number(statements: Statements, scope: Scope) -> Expression:
    """A number that depends on an array, if there is one."""
    return statements.make.number(scope, 2)
