# SPDX-License-Identifier: Apache-2.0
"""Loops whose rounds depend on what the work-item is or has: each goes on for as long as its own data say."""

from .scope import Scope
from .writer import Lines, Writer, braced, indented


def drain(writer: Writer, scope: Scope) -> Lines:
    """Until a number of up to seven has become 0, by steps that depend on data."""
    make, unsigned = writer.make, writer.dialect.unsigned
    left, variable = writer.name("left"), make.pick(scope.variables)
    inside = scope.apart().inner(weight=3).knowing_constant(left, unsigned).jumping("break;").jumping("continue;")
    step = make.pick(
        (
            f"{left} /= 2",
            f"{left} -= 1",
            f"{left} &= {left} - 1",
            f"{left} -= min({left}, 1u + ({make.index(inside, 2, 0)}))",
            f"{left} >>= 1 + ({make.index(inside, 2, 0)})",
        )
    )
    start = f"{unsigned.name} {left} = {make.index(scope, 8)};"
    body = writer.block(inside)
    after = f"{make.place(scope, variable)} = {make.converted(left, unsigned, variable.number)};"
    match make.upto(2):
        case 0:
            return braced([start, f"for (; {left} > 0; {step})", *body, after])
        case 1:
            end = f"if ({left} == 0 || {make.condition(inside)}) break;"
            return braced([start, f"for (;; {step}) {{", f"    {end}", *indented(body), "}", after])
        case _:  # what continues comes to the end of the body, too
            return braced([start, f"if ({left} > 0)", "    do", *indented(body), f"    while (({step}) > 0);", after])


def climb(writer: Writer, scope: Scope) -> Lines:
    """From a start to an end in steps, all three of the work-item's own; outputs of the loop live on behind it."""
    make, unsigned = writer.make, writer.dialect.unsigned
    at, end, step = writer.name("at"), writer.name("end"), writer.name("step")
    inside = scope.apart().inner(weight=3).jumping("break;").jumping("continue;")
    inside = inside.knowing_constant(at, unsigned).knowing_constant(end, unsigned)
    variable, memory = make.pick(scope.variables), make.pick([m for m in writer.dialect.memory if m[2] >= 8])
    last = f"{make.place(scope, variable)} = {make.converted(f'{memory[0]}[{at} & 7]', memory[1], variable.number)};"
    return braced(
        [
            f"{unsigned.name} {at} = {make.index(scope, 4)};",
            f"const {unsigned.name} {end} = {make.index(scope, 8)}, {step} = 1u + ({make.index(scope, 2)});",
            f"for (; {at} < {end}; {at} += {step})",
            *writer.block(inside),
            last,
        ]
    )


def walk(writer: Writer, scope: Scope) -> Lines:
    """The group goes over memory in steps of its size, and ends in the middle of a step."""
    make, unsigned = writer.make, writer.dialect.unsigned
    at, variable = writer.name("at"), make.pick(scope.variables)
    inside = scope.apart().inner(weight=3).jumping("break;").jumping("continue;").knowing_constant(at, unsigned)
    name, number, _ = make.pick(writer.dialect.memory[:2])
    load = f"{make.place(inside, variable)} = {make.converted(f'{name}[{at}]', number, variable.number)};"
    first, missing = make.pick(("item", "ITEMS - 1 - item", "item + 1")), make.pick(("0", "1", "5", "9"))
    body = braced([load, *writer.block(inside)])
    return [
        f"for ({unsigned.name} {at} = {first}; {at} + {missing} < {make.pick('312')} * ITEMS; {at} += ITEMS)",
        *body,
    ]


def along_rows(writer: Writer, scope: Scope) -> Lines:
    """Each work-item goes along a row of memory of its own, all of them equally far."""
    make = writer.make
    at, row, end, sum_ = (writer.name(name) for name in ("at", "row", "end", "sum"))
    variable, (name, number, _) = make.pick(scope.variables), make.pick(writer.dialect.memory[:2])
    start = make.pick(("0", "1", f"({make.uniform(scope, 0)} & 3)"))
    length = make.pick((f"({make.uniform(scope, 0)} & 15)", f"4 + ({make.uniform(scope)} & 7)", "9"))
    pitch = make.pick(("3", *2 * (f"({make.uniform(scope, 0)} & 3)",)))
    first = make.pick((f"(int)item * {pitch}", f"(int)({make.index(scope, 32)})"))
    again = number.name == writer.dialect.unsigned.name and make.pick((f"{sum_} * 5u + ", f"{sum_} ^ {at} ^ "))
    step = f"{sum_} = {again or f'{sum_} + '}{name}[{row} + {make.pick((at, at, f'2 * {at}'))}];"
    rounds, once = make.pick(
        (
            (f"for (int {at} = {start}; {at} < {end}; ++{at})", False),
            (f"for (int {at} = {start}; {at} <= {end}; ++{at})", False),
            (f"for (int {at} = {start}; {at} < {end}; {at} += 2)", False),
            (f"while (++{at} < {end});", True),
        )
    )
    loop = [f"int {at} = {start};", "do", f"    {step}", rounds] if once else [rounds, f"    {step}"]
    after = f"{make.place(scope, variable)} = {make.converted(sum_, number, variable.number)};"
    return braced([f"const int {row} = {first}, {end} = {length};", f"{number.name} {sum_} = 1;", *loop, after])
