# SPDX-License-Identifier: Apache-2.0
"""Divergent control flow that keeps account of which lanes of a warp are where: `Scope.members` names a mask of those
that come to a place together, so that operations of the warp may stand there.

Where the members part, they first agree by an operation on who goes where. A mask may go on naming lanes that have
returned: "each calling thread must have its own bit set in the mask and all non-exited threads named in mask must
execute the same intrinsic with the same mask" (CUDA C++ Programming Guide, "Warp Vote Functions").
"""

from typing import Final

from ..scope import Scope
from ..writer import Lines, Writer, braced, indented

_SETS: Final = (
    ("lane < 16", "0xffffu"), ("lane & 1", "0xaaaaaaaau"), ("lane % 2 == 0", "0x55555555u"),
    ("lane >= 8 && lane < 24", "0xffff00u"), ("lane == 0", "1u"), ("lane % 4 == 3", "0x88888888u"),
    ("lane != 5", "0xffffffdfu"), ("lane < 5", "0x1fu"), ("lane > 27", "0xf0000000u"),
    ("lane / 4 % 2 == 0", "0xf0f0f0fu"),
)  # fmt: skip
_ALL: Final = "0xffffffffu"


def branch(writer: Writer, scope: Scope) -> Lines:
    """By a ballot, or by what lane it is."""
    make, outside = writer.make, scope.members
    if make.upto(1):
        condition, literal = make.pick(_SETS)
        inside = literal if outside == _ALL else f"({outside} & {literal})"
        lines: Lines = []
    else:
        condition, inside = writer.name("q"), writer.name("in")
        lines = [
            f"const bool {condition} = {make.condition(scope)};",
            f"const unsigned {inside} = __ballot_sync({outside}, {condition});",
        ]
    lines += [f"if ({condition})", *writer.block(scope.within(inside))]
    if make.upto(1):
        others = f"(~{inside})" if outside == _ALL else f"({outside} & ~{inside})"
        lines += ["else", *writer.block(scope.within(others))]
    return braced(lines)


def vote_branch(writer: Writer, scope: Scope) -> Lines:
    """As all members decide."""
    make = writer.make
    function = make.pick(("__any_sync", "__all_sync", "__uni_sync"))
    lines = [f"if ({function}({scope.members}, {make.condition(scope)}))", *writer.block(scope.alike())]
    if make.upto(1):
        lines += ["else", *writer.block(scope.alike())]
    return lines


def groups(writer: Writer, scope: Scope) -> Lines:
    """Those with equal keys keep together, each group by a mask of its own, all at the same places."""
    peers = writer.name("peers")
    key = writer.make.index(scope, writer.make.pick((2, 4, 8)))
    return braced(
        [
            f"const unsigned {peers} = __match_any_sync({scope.members}, {key});",
            *writer.block(scope.within(peers, alone=False)),
        ]
    )


def switch(writer: Writer, scope: Scope) -> Lines:
    """Those of one case keep together, also where they go on into the next."""
    make = writer.make
    selector, same = writer.name("s"), writer.name("same")
    inside = scope.within(same, alone=False).jumping("break;", narrows=True)
    lines = [
        f"const unsigned {selector} = {make.index(scope, 4)};",
        f"unsigned {same} = __match_any_sync({scope.members}, {selector});",
        f"switch ({selector}) {{",
    ]
    for case in ("case 0:", "case 2:", "default:", "case 1:")[make.upto(3) :]:
        lines += [case, *indented(writer.block(inside))]
        if make.upto(1):
            lines += ["    break;"]
    return braced([*lines, "}"])


def skip(writer: Writer, scope: Scope) -> Lines:
    """A block that more and more members leave early."""
    label, here = writer.name("skip"), writer.name("here")
    inside = scope.within(here).jumping(f"goto {label};", narrows=True)
    first = leave(writer, inside)
    return braced([f"unsigned {here} = {scope.members};", *first, *writer.block(inside), f"{label}:;"])


def leave(writer: Writer, scope: Scope) -> Lines:
    """Some members jump out of their block; those that stay know who they are."""
    target = writer.make.pick([t for t in scope.exits if t.narrows])
    goes = writer.name("goes")
    return braced(
        [
            f"const bool {goes} = {writer.make.condition(scope)};",
            f"{scope.members} = __ballot_sync({scope.members}, !{goes});",
            f"if ({goes}) {target.statement}",
        ]
    )


def loop(writer: Writer, scope: Scope) -> Lines:
    """A loop whose members get fewer from round to round; some leave rounds early, or the loop."""
    make = writer.make
    stays, rounds, members = writer.name("stays"), writer.name("r"), writer.name("all")
    again = f"{stays} = {rounds} < {make.pick('231')} && {make.condition(scope)}"
    start = [
        f"bool {stays} = {make.condition(scope)};",
        f"unsigned {members} = __ballot_sync({scope.members}, {stays});",
    ]
    count = f"++{rounds}, {again}, {members} = __ballot_sync({members}, {stays})"
    if make.upto(2) == 2:  # who continues comes to the end of the round with a mask that nobody has changed
        here = writer.name("here")
        inside = scope.within(here).inner(weight=3).jumping("continue;", narrows=True)
        body = braced([f"unsigned {here} = {members};", *writer.block(inside)])
    else:
        inside = scope.within(members).inner(weight=3).jumping("break;", narrows=True)
        body = writer.block(inside)
    if make.upto(2) == 2 and "continue;" not in "".join(body):
        return braced([*start, f"int {rounds} = 0;", f"if ({stays})", "do", *body, f"while ({count}, {stays});"])
    return braced([*start, f"for (int {rounds} = 0; {stays}; {count})", *body])


def vote_loop(writer: Writer, scope: Scope) -> Lines:
    """A loop of as many rounds for all members, but not for all warps."""
    make = writer.make
    trips, counter = writer.name("trips"), writer.name("r")
    inside = scope.alike().inner(weight=3).jumping("break;").jumping("continue;").knowing_uniform(counter)
    return braced(
        [
            f"const int {trips} = __popc(__ballot_sync({scope.members}, {make.condition(scope)})) & 3;",
            f"for (int {counter} = 0; {counter} < {trips}; ++{counter})",
            *writer.block(inside),
        ]
    )
