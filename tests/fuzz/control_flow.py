# SPDX-License-Identifier: Apache-2.0
"""Statements that decide what is executed next, uniform or divergent."""

from .scope import Scope
from .writer import Lines, Writer, braced, indented


def _condition(writer: Writer, scope: Scope) -> tuple[str, Scope]:
    """A condition, and where what it guards stands."""
    if _alike(writer, scope):
        return writer.make.uniform_condition(scope), scope.inner()
    return writer.make.condition(scope), scope.apart()


def _alike(writer: Writer, scope: Scope) -> bool:
    """Whether to decide what is next for all work-items that are here alike."""
    return writer.make.upto(2) > 0 if scope.together else writer.make.upto(3) == 3


def if_(writer: Writer, scope: Scope) -> Lines:
    condition, inside = _condition(writer, scope)
    lines = [f"if ({condition})", *writer.block(inside)]
    if writer.make.upto(1):
        lines += ["else", *writer.block(inside)]
    return lines


def skip(writer: Writer, scope: Scope) -> Lines:
    """A jump forwards over a block, out of which more jumps may go to the same place."""
    condition, inside = _condition(writer, scope)
    label = writer.name("skip")
    return [
        f"if ({condition}) goto {label};",
        *writer.block(inside.jumping(f"goto {label};")),
        f"{label}:;",
    ]


def switch(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    if _alike(writer, scope):
        selector, inside = f"{make.uniform(scope)} & 3", scope.inner()
    else:
        selector, inside = make.index(scope, 4), scope.apart()
    inside = inside.jumping("break;")
    lines = [f"switch ({selector}) {{"]
    for case in ("case 0:", "case 2:", "default:", "case 1:")[make.upto(3) :]:
        lines += [case, *indented(writer.block(inside))]
        if make.upto(1):
            lines += ["    break;"]
    return [*lines, "}"]


def _rounds(writer: Writer, scope: Scope, counter: str) -> tuple[str, Scope]:
    """How many rounds a loop makes, and where its body stands."""
    make = writer.make
    if _alike(writer, scope):
        return make.trips(scope), scope.inner(weight=3).knowing_uniform(counter)
    apart = scope.apart()
    trips = make.pick((make.trips(apart), make.index(apart, 4)))
    return trips, apart.inner(weight=3).knowing_constant(counter, writer.dialect.int)


def loop(writer: Writer, scope: Scope) -> Lines:
    counter = writer.name("r")
    trips, inside = _rounds(writer, scope, counter)
    inside = inside.jumping("break;").jumping("continue;")
    body = writer.block(inside)
    match writer.make.upto(5):
        case 0:
            return [f"for (int {counter} = 0; {counter} < ({trips}); ++{counter})", *body]
        case 1:
            return [f"for (int {counter} = {trips}; {counter} > 0; --{counter})", *body]
        case 2:
            top = f"    ++{counter};"
            return braced([f"int {counter} = 0;", f"while ({counter} < ({trips})) {{", top, *indented(body), "}"])
        case 3:
            top = f"    ++{counter};"
            return braced([f"int {counter} = 0;", "do {", top, *indented(body), f"}} while ({counter} < ({trips}));"])
        case 4:
            top = f"    if ({counter}++ >= ({trips})) break;"
            return braced([f"int {counter} = 0;", "for (;;) {", top, *indented(body), "}"])
        case _:
            pragma = writer.make.pick(("#pragma unroll", "#pragma unroll 1", "#pragma unroll 2"))
            return [pragma, f"for (int {counter} = 0; {counter} < 3; ++{counter})", *body]


def jump_back(writer: Writer, scope: Scope) -> Lines:
    """A loop made of jumps, and at times with two entries, as no structured loop has."""
    counter, top, middle = writer.name("r"), writer.name("top"), writer.name("middle")
    trips, inside = _rounds(writer, scope, counter)
    lines = [f"int {counter} = 0;"]
    if writer.make.upto(1):
        condition = _common_condition(writer, inside)
        lines += [f"if ({condition}) goto {middle};"]
        lines += [f"{top}:", *writer.block(inside), f"{middle}:", *writer.block(inside)]
    else:
        lines += [f"{top}:", *writer.block(inside)]
    return braced([*lines, f"if (++{counter} < ({trips})) goto {top};"])


def fade(writer: Writer, scope: Scope) -> Lines:
    """A loop that work-items drop out of round by round; they count on past its barriers, and leave behind it."""
    make = writer.make
    gone, counter = writer.name("gone"), writer.name("r")
    inside = scope.inner(weight=3).inner().knowing_uniform(counter).jumping("break;").jumping("continue;")
    trips = make.trips(scope)
    return braced(
        [
            f"bool {gone} = {make.condition(scope)};",
            f"for (int {counter} = 0; {counter} < {trips}; ++{counter})",
            *braced([f"if (!{gone})", *writer.block(inside), f"{gone} |= {make.condition(scope)};"]),
            f"if ({gone}) {make.pick(scope.escapes)}",
        ]
    )


def jump(writer: Writer, scope: Scope) -> Lines:
    """Out of a loop or a switch, to a label, or out of the function."""
    make = writer.make
    if scope.escapes and (not scope.exits or make.upto(2) == 2):
        return [f"if ({make.condition(scope)}) {make.pick(scope.escapes)}"]
    target = make.pick(scope.exits)
    condition = _common_condition(writer, scope)
    barrier = f"{writer.dialect.barrier} " if len(scope.reading) > target.reading else ""
    return [f"if ({condition}) {{ {barrier}{target.statement} }}"]


def _common_condition(writer: Writer, scope: Scope) -> str:
    """A condition that does not part those who have to stay together."""
    make = writer.make
    return make.uniform_condition(scope) if scope.together or scope.members else make.condition(scope)
