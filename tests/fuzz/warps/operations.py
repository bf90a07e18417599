# SPDX-License-Identifier: Apache-2.0
"""Operations of the members of a warp (`Scope.members`). Each is a statement of its own: in an expression, some lanes
might not come to it."""

from typing import Final

from ..arithmetic import DOUBLE, FLOAT, HALF, INT, LONG, UNSIGNED, UNSIGNED_LONG, Number
from ..scope import Scope, Variable
from ..writer import Lines, Writer, braced

_SHUFFLED: Final = (UNSIGNED, INT, FLOAT, DOUBLE, LONG, UNSIGNED_LONG, HALF)
_MATCHED: Final = (UNSIGNED, INT, FLOAT, LONG, UNSIGNED_LONG, DOUBLE)
_REDUCTIONS: Final = (
    ("__reduce_add_sync", UNSIGNED), ("__reduce_min_sync", INT), ("__reduce_max_sync", UNSIGNED),
    ("__reduce_and_sync", UNSIGNED), ("__reduce_or_sync", UNSIGNED), ("__reduce_xor_sync", UNSIGNED),
    ("__reduce_add_sync", INT), ("__reduce_min_sync", UNSIGNED), ("__reduce_max_sync", INT),
)  # fmt: skip
_VOTES: Final = ("__ballot_sync", "__any_sync", "__all_sync", "__uni_sync")
_SHUFFLES: Final = ("xor", "down", "up", "idx")


def _determined(writer: Writer, scope: Scope, number: Number) -> str:
    """A value all of whose bits are known: nobody says what those of a NaN are."""
    value = writer.make.value(scope, number, 1)
    return f"ordered({value})" if number.is_float else f"({number.name}){value}"


def _assigned(writer: Writer, scope: Scope, value: str, number: Number) -> str:
    variable: Variable = writer.make.pick(scope.variables)
    return f"{writer.make.place(scope, variable)} = {writer.make.converted(value, number, variable.number)};"


def vote(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    value, condition = writer.name("v"), make.condition(scope)
    call = f"{make.pick(_VOTES)}({scope.members}, {condition})"
    return braced([f"const unsigned {value} = {call};", _assigned(writer, scope, value, UNSIGNED)])


def shuffle(writer: Writer, scope: Scope) -> Lines:
    """From a lane that is there, or from any, and then what came from nowhere is left alone."""
    make = writer.make
    number: Number = make.pick(_SHUFFLED)
    here, taken = writer.name("here"), writer.name("v")
    data = make.value(scope, number, 1)
    data = f"({number.name}){data}"
    lines = [f"const unsigned {here} = __ballot_sync({scope.members}, true);"]
    if make.upto(1):
        source = f"nth_lane({here}, {make.value(scope, UNSIGNED, 1)})"
        lines += [f"const {number.name} {taken} = __shfl_sync({scope.members}, {data}, {source});"]
        return braced([*lines, _assigned(writer, scope, taken, number)])
    mode, width = make.pick(_SHUFFLES), make.pick((32, 16, 8, 4, 2, 1))
    function = "__shfl_sync" if mode == "idx" else f"__shfl_{mode}_sync"
    operand, distance = writer.name("d"), make.pick((make.index(scope, 32), "1", "16", "5", "31", make.index(scope, 2)))
    return braced(
        [
            *lines,
            f"const unsigned {operand} = {distance};",
            f"const {number.name} {taken} = {function}({scope.members}, {data}, {operand}, {width});",
            f"if ({here} >> {mode}_source(lane, {operand}, {width}) & 1) {_assigned(writer, scope, taken, number)}",
        ]
    )


def match(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    number: Number = make.pick(_MATCHED)
    value = _determined(writer, scope, number)
    if number is UNSIGNED and make.upto(1):
        value = f"({value} & 3)"
    result, equal = writer.name("v"), writer.name("q")
    if make.upto(1):
        lines = [
            f"int {equal};",
            f"const unsigned {result} = __match_all_sync({scope.members}, {value}, &{equal}) + {equal};",
        ]
    else:
        lines = [f"const unsigned {result} = __match_any_sync({scope.members}, {value});"]
    return braced([*lines, _assigned(writer, scope, result, UNSIGNED)])


def reduction(writer: Writer, scope: Scope) -> Lines:
    function, number = writer.make.pick(_REDUCTIONS)
    result = writer.name("v")
    call = f"{function}({scope.members}, {_determined(writer, scope, number)})"
    return braced([f"const {number.name} {result} = {call};", _assigned(writer, scope, result, number)])


def butterfly(writer: Writer, scope: Scope) -> Lines:
    """A sum in five steps, each lane with the partner that the step gives it, if that is there."""
    value, other, distance, here = (writer.name(name) for name in ("v", "o", "d", "here"))
    start = writer.make.value(scope, UNSIGNED, 1)
    mode, first, more, next_ = writer.make.pick(
        (("xor", "16", "> 0", "/= 2"), ("down", "16", "> 0", "/= 2"), ("up", "1", "< 32", "*= 2"))
    )
    return braced(
        [
            f"const unsigned {here} = __ballot_sync({scope.members}, true);",
            f"unsigned {value} = {start};",
            f"for (unsigned {distance} = {first}; {distance} {more}; {distance} {next_}) {{",
            f"    const unsigned {other} = __shfl_{mode}_sync({scope.members}, {value}, {distance});",
            f"    if ({here} >> {mode}_source(lane, {distance}, 32) & 1) {value} += {other};",
            "}",
            _assigned(writer, scope, value, UNSIGNED),
        ]
    )


def mail(writer: Writer, scope: Scope) -> Lines:
    """By way of shared memory, between two barriers of the members; or in lock-step, as code before Volta does."""
    make, number = writer.make, writer.exchange.number
    here, source, taken = (writer.name(name) for name in ("here", "from", "v"))
    lines = [
        f"const unsigned {here} = __ballot_sync({scope.members}, true);",
        f"const unsigned {source} = item - lane + nth_lane({here}, {make.value(scope, UNSIGNED, 1)});",
    ]
    if scope.alone and make.upto(3) == 3:
        lines += [
            f"old_mail[item] = {make.value(scope, UNSIGNED, 1)};",
            f"const unsigned {taken} = old_mail[{source}];",
        ]
        return braced([*lines, _assigned(writer, scope, taken, UNSIGNED)])
    barrier = f"__syncwarp({scope.members});"
    lines += [
        f"mail[item] = {make.value(scope, number)};",
        barrier,
        _assigned(writer, scope, f"mail[{source}]", number),
        barrier,
    ]
    return braced(lines)


def lead(writer: Writer, scope: Scope) -> Lines:
    """One member does an atomic operation for all."""
    here, first, result = (writer.name(name) for name in ("here", "first", "v"))
    start = f"const unsigned {here} = __ballot_sync({scope.members}, true);"
    leader = writer.make.pick((f"__ffs({here}) - 1", f"31 - __clz({here})"))
    return braced(
        [
            start,
            f"const int {first} = {leader};",
            f"unsigned {result} = 0;",
            f"if (lane == {first}) {result} = atomicAdd(words + {writer.make.upto(3)}, __popc({here}));",
            f"{result} = __shfl_sync({scope.members}, {result}, {first});",
            _assigned(writer, scope, f"({result} + __popc({here} & ((1u << lane) - 1)))", UNSIGNED),
        ]
    )


def active(writer: Writer, scope: Scope) -> Lines:
    """Forms without a mask, right where the members have met and nobody else can be."""
    make = writer.make
    condition, result = writer.name("q"), writer.name("v")
    call = make.pick(
        ("__activemask()", f"__ballot({condition})", f"(unsigned)__any({condition})", f"(unsigned)__all({condition})")
    )
    return braced(
        [
            f"const bool {condition} = {make.condition(scope)};",
            f"__syncwarp({scope.members});",
            f"const unsigned {result} = {call};",
            _assigned(writer, scope, result, UNSIGNED),
        ]
    )
