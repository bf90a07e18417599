# SPDX-License-Identifier: Apache-2.0
"""Loops with several back edges and exits in any order, in which all variables live on from one iteration to the next.

LLVM splits a loop where some variable is the same on one of its back edges, so each edge here changes them all.
"""

from dataclasses import replace
from typing import Final

from .scope import Scope, Variable
from .writer import Lines, Writer, braced, indented

CHANGED: Final = 3
"""Variables that each edge changes, at most."""


def retry(writer: Writer, scope: Scope) -> Lines:
    """A loop whose first test continues and whose only exit comes after it."""
    make = writer.make
    round_, end = writer.name("round"), writer.name("end")
    variables = _some_variables(writer, scope)
    targets = tuple(t for t in scope.targets if t.statement not in ("break;", "continue;"))
    inside = replace(scope, targets=targets).apart().inner(weight=3)
    inside = inside.knowing_constant(round_, writer.dialect.int)
    if make.upto(2) == 2:
        inside = inside.jumping("break;")
    change = _changes(writer, inside, variables) if make.upto(1) else ""
    again = f"if ({round_} < {end} && {_condition(writer, inside)}) {{ {change} continue; }}"
    return braced(
        [
            *_counter(writer, scope, round_, end),
            "for (;;) {",
            *indented([f"++{round_};", _changes(writer, inside, variables), again, *writer.block(inside)]),
            f"    {_changes(writer, inside, variables)}",
            f"    if ({round_} >= {end} || {_condition(writer, inside)}) break;",
            "}",
        ]
    )


def tangle(writer: Writer, scope: Scope) -> Lines:
    """Labels in a row, with jumps between them that go back, forward or out."""
    make = writer.make
    round_, end, out = writer.name("round"), writer.name("end"), writer.name("out")
    variables = _some_variables(writer, scope)
    inside = scope.apart().inner(weight=3).knowing_constant(round_, writer.dialect.int)
    if make.upto(1):
        inside = inside.jumping(f"goto {out};")
    labels = [writer.name("at") for _ in range(2 + make.upto(2))]
    lines = _counter(writer, scope, round_, end)
    for number, label in enumerate(labels):
        lines += [f"{label}:;", _changes(writer, inside, variables), *(writer.block(inside) if make.upto(1) else [])]
        for _ in range(1 + make.upto(1)):
            change = _changes(writer, inside, variables) if make.upto(1) else ""
            if make.upto(2):
                test, target = f"{round_}++ < {end} && {_condition(writer, inside)}", make.pick(labels[: number + 1])
            else:
                test, target = _condition(writer, inside), make.pick([*labels[number + 1 :], out])
            lines.append(f"if ({test}) {{ {change} goto {target}; }}")
    return braced([*lines, f"{out}:;"])


def _counter(writer: Writer, scope: Scope, round_: str, end: str) -> Lines:
    """How many iterations a work-item may make; not a constant, or LLVM unrolls the loop."""
    make = writer.make
    most = make.pick((f"{make.uniform(scope, 0)} & 3", make.index(scope, 4, 0)))
    return [f"int {round_} = 0;", f"const int {end} = 2 + ({most});"]


def _some_variables(writer: Writer, scope: Scope) -> list[Variable]:
    first = writer.make.upto(len(scope.variables) - 1)
    return [*scope.variables[first:], *scope.variables[:first]][:CHANGED]


def _changes(writer: Writer, scope: Scope, variables: list[Variable]) -> str:
    """Each of the variables from itself."""
    make, lines = writer.make, []
    for variable in variables:
        place = make.place(scope, variable)
        template = make.pick(variable.number.operations[:2]).replace("{a}", place)
        lines.append(f"{place} = {make.filled(template, scope, variable.number, 0)};")
    return " ".join(lines)


def _condition(writer: Writer, scope: Scope) -> str:
    return writer.make.uniform_condition(scope) if writer.make.upto(3) == 3 else writer.make.condition(scope)
