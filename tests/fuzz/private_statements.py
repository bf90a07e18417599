# SPDX-License-Identifier: Apache-2.0
"""Statements of one work-item: variables, their parts, functions made on the spot, output."""

from dataclasses import replace
from typing import Final

from .arithmetic import DOUBLE, FLOAT, INT, UNSIGNED, UNSIGNED_LONG, converted
from .expressions import COUNTERS
from .scope import Function, Scope, Variable, Whole
from .writer import Lines, Writer

OWN_WORDS: Final = 4
"""Elements of `words` that belong to one work-item."""

MARKS: Final = 4
"""Elements of `totals` behind the counters, which always get the same value."""

_OWN_ATOMICS: Final = (
    "atomicAdd({p}, {v})", "atomicSub({p}, {v})", "atomicExch({p}, {v})", "atomicMin({p}, {v})", "atomicMax({p}, {v})",
    "atomicInc({p}, {v})", "atomicDec({p}, {v})", "atomicAnd({p}, {v})", "atomicOr({p}, {v})", "atomicXor({p}, {v})",
    "atomicCAS({p}, {v}, {w})", "atomicCAS_block({p}, {v}, {w})", "atomicAdd_system({p}, {v})",
    "(unsigned)atomicMax((int *){p}, (int){v})", "(unsigned)atomicExch((int *){p}, (int){v})",
    "(unsigned)atomicAdd((unsigned long long *)({p} - {i} % 2), {v} * 0x100000001ull)",
    "(unsigned)(atomicCAS((unsigned long long *)({p} - {i} % 2), {v}, {w}) >> 32)",
)  # fmt: skip
"""Atomic operations on a word {p}, number {i} of those that only this work-item touches: so their results count."""


def declaration(writer: Writer, scope: Scope) -> tuple[Lines, Scope]:
    number = writer.make.number()
    name = writer.name("v")
    return [f"{number.name} {name} = {writer.make.value(scope, number)};"], scope.knowing(Variable(name, number))


def whole(writer: Writer, scope: Scope) -> tuple[Lines, Scope]:
    """A new variable with parts."""
    type_ = writer.make.pick(writer.dialect.aggregates)
    made = Whole(writer.name("w"), type_)
    return [type_.declaration.format(n=made.name)], scope.knowing_whole(made)


def function(writer: Writer, scope: Scope) -> tuple[Lines, Scope]:
    """A lambda that takes what it needs by value, by reference, or keeps something of its own."""
    make = writer.make
    name, result, parameter = writer.name("f"), make.number(), make.number()
    argument = Variable(writer.name("x"), parameter)
    value = converted(make.value(scope.knowing(argument), result), result, result)
    match make.upto(2):
        case 0:
            line = f"auto {name} = [=]({parameter.name} {argument.name}) mutable {{ return ({result.name}){value}; }};"
        case 1:
            line = (
                f"auto {name} = [&](auto {argument.name}) -> {result.name} "
                f"{{ return {argument.name} == ({parameter.name})1 ? ({result.name})1 : ({result.name}){value}; }};"
            )
        case _:
            kept = converted(argument.name, parameter, UNSIGNED)
            result = UNSIGNED
            line = (
                f"auto {name} = [kept = {make.value(scope, UNSIGNED, 0)}]({parameter.name} {argument.name}) mutable "
                f"{{ return kept = kept * 3 + {kept}; }};"
            )
    return [line], scope.knowing_function(Function(name, result, (parameter,)))


def assign(writer: Writer, scope: Scope) -> Lines:
    variable = writer.make.pick(scope.variables)
    return [f"{writer.make.place(scope, variable)} = {writer.make.value(scope, variable.number)};"]


def step(writer: Writer, scope: Scope) -> Lines:
    """A variable from itself, so that its history counts."""
    make = writer.make
    variable = make.pick(scope.variables)
    place = make.place(scope, variable)
    template = make.pick(variable.number.operations[:2]).replace("{a}", place)
    return [f"{place} = {make.filled(template, scope, variable.number, 1)};"]


def change_whole(writer: Writer, scope: Scope) -> Lines:
    """All of a variable with parts: copied, passed by value, exchanged by reference."""
    make = writer.make
    target = make.pick(scope.wholes)
    if not target.type.whole:
        return assign(writer, scope)
    source = make.pick([w for w in scope.wholes if w.type is target.type])
    template = make.pick(target.type.whole)
    condition = f"(bool){make.condition(scope)}" if "{q}" in template else ""
    return ["{", f"    {template.format(n=target.name, m=source.name, q=condition)}", "}"]


def exchange(writer: Writer, scope: Scope) -> Lines:
    """Two variables by reference, and by pointer."""
    make = writer.make
    plain = [v for v in scope.variables if v.is_plain]
    if not plain:
        return assign(writer, scope)
    one = make.pick(plain)
    other = make.pick([v for v in plain if v.number is one.number])
    if make.upto(1):
        return [f"exchange({one.name}, {other.name});"]
    type_, pointer = one.number.name, writer.name("p")
    condition, value = make.condition(scope), make.value(scope, one.number, 1)
    return [f"{{ {type_} *{pointer} = {condition} ? &{one.name} : &{other.name}; *{pointer} = {value}; }}"]


def output(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    number = make.number()
    value = converted(make.value(scope, number, 1), number, UNSIGNED_LONG)
    place = make.index(scope, COUNTERS, 0)
    template = make.pick(
        (
            "own[{i}] = {v};",
            "own[{i}] ^= {v};",
            "atomicAdd(&totals[0], (unsigned){v});",
            "atomicXor(&totals[1], (unsigned){v});",
            "atomicMax((int *)&totals[2], (int){v});",
            "add_by_cas(&totals[3], (unsigned){v});",
        )
    )
    return [template.format(i=place, v=value)]


def mark(writer: Writer, scope: Scope) -> Lines:
    """A place of the grid that all who come here give the same value."""
    place = writer.make.upto(MARKS - 1)
    return [f"totals[{COUNTERS + place}] = {1000 + place};"]


def own_vector(writer: Writer, scope: Scope) -> Lines:
    """Several of the work-item's words at once."""
    make = writer.make
    type_, parts, place = make.pick((("uint2", 2, 0), ("uint4", 4, 0), ("uint2", 2, 2)))
    words = f"*({type_} *)(words + {place})"
    if make.upto(1):
        values = ", ".join(make.value(scope, UNSIGNED, 1) for _ in range(parts))
        return [f"{words} = make_{type_}({values});"]
    variable = make.pick(scope.variables)
    part = f"({words}).{make.pick('xyzw'[:parts])}"
    return [f"{make.place(scope, variable)} = {converted(part, UNSIGNED, variable.number)};"]


def own_atomic(writer: Writer, scope: Scope) -> Lines:
    """An atomic operation on a place that nobody else touches."""
    make = writer.make
    variable = make.pick(scope.variables)
    place = make.upto(OWN_WORDS - 1)
    value, other = (make.value(scope, UNSIGNED, 1) for _ in range(2))
    result = make.pick(_OWN_ATOMICS).format(p=f"(words + {place})", i=place, v=value, w=other)
    return [f"{make.place(scope, variable)} = {converted(result, UNSIGNED, variable.number)};"]


def print_values(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    values = [
        ("%d", make.value(scope, INT, 1)),
        ("%08x", make.value(scope, UNSIGNED, 1)),
        ("%lld", converted(make.value(scope, UNSIGNED_LONG, 1), UNSIGNED_LONG, UNSIGNED_LONG)),
        ("%g", f"ordered({make.value(scope, FLOAT, 0)})"),
        ("%.3e", f"ordered({make.value(scope, DOUBLE, 0)})"),
    ]
    chosen = [make.pick(values) for _ in range(make.upto(2) + 1)]
    form, listed = " ".join(f for f, _ in chosen), ", ".join(v for _, v in chosen)
    return [f'printf("%u/%u: {form}\\n", group, item, {listed});']


def fault(writer: Writer, scope: Scope) -> Lines:
    """What ends the launch, where a condition that seldom holds does."""
    condition = f"{writer.make.value(replace(scope, functions=()), UNSIGNED, 1)} % 61 == 60"
    return [writer.make.pick((f"if ({condition}) __trap();", f"assert(!({condition}));"))]
