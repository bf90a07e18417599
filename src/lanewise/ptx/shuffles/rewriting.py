# SPDX-License-Identifier: Apache-2.0
"""The new code: edits of the module's text, so that everything else stays unchanged, to the last comment.

Before
    ld.global.nc.f32 %f1, [%rd4+12];
    ld.global.nc.f32 %f2, [%rd4+4];

After, with N = -2
    mov.u32 %lw_r1, %laneid;                        // at the beginning, once for the kernel
    setp.lt.u32 %lw_p1, %lw_r1, 2;                  // for each N: there is no lane N places on,
    mov.u32 %lw_r2, %tid.x;
    mov.u32 %lw_r3, %ntid.x;
    add.s32 %lw_r4, %lw_r2, -2;
    setp.ge.or.u32 %lw_p1, %lw_r4, %lw_r3, %lw_p1;  // or it is not the neighbour in x
    ...
    ld.global.nc.f32 %f1, [%rd4+12];
    activemask.b32 %lw_r0;                          // once for code that is run without a break
    setp.ne.s32 %lw_p0, %lw_r0, -1;                 // lanes are missing
    or.pred %lw_p2, %lw_p0, %lw_p1;                 // the corner case, for each N there
    shfl.sync.up.b32 %f2, %f1, 2, 0, %lw_r0;
    @%lw_p2 ld.global.nc.f32 %f2, [%rd4+4];

No branch is added, and no lane waits for a missing one: all lanes of the mask run the same straight-line code. The
paper's lane, `%tid.x rem 32`, is right for blocks of one dimension only.

Source: PTXASW (CC 2023), 5.2 "Code Generation", Listing 6; 8.3 for the uniform branch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.opcodes import OPCODES, Effect
from lanewise.ptx.language.operands import Name, names_of
from lanewise.ptx.language.printer import instruction_text
from lanewise.ptx.language.statements import Declaration, Directive, Guard, Instruction
from lanewise.ptx.shuffles.candidates import ShuffleSource
from lanewise.ptx.shuffles.iterations import MATCHES, Together, around, united
from lanewise.ptx.shuffles.overflow import Check, text_of
from lanewise.ptx.symbolic.environment import width_of

LEAST_VERSION: Final = (6, 2)
"""First version of the ISA with `activemask` (9.7.13.11); shfl.sync is in 6.0."""
_BREAKS: Final = frozenset({Effect.CALL, Effect.BARRIER})
"""After these, other lanes may be active together."""


@dataclass(frozen=True, slots=True)
class Style:
    """Variants of the code. `no_corner`, `no_load`: without the corner case, without shuffle and load; both compute
    wrong results and show the cost of each (Figure 2). `uniform_branch`: no shuffle if lanes are missing (8.3)."""

    no_corner: bool = False
    no_load: bool = False
    uniform_branch: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A load to be replaced by a source for each of its elements, if `checks` find nothing and all lanes are
    `together`."""

    step: Step
    sources: tuple[ShuffleSource, ...]
    checks: tuple[Check, ...]
    together: Together


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(eq=False, slots=True)
class _Names:
    """New registers, with names that the text doesn't have."""

    stem: str
    predicates: int = 0
    words: int = 0
    pairs: int = 0

    def predicate(self) -> str:
        self.predicates += 1
        return f"{self.stem}_p{self.predicates - 1}"

    def word(self) -> str:
        self.words += 1
        return f"{self.stem}_r{self.words - 1}"

    def pair(self) -> str:
        """A register of 64 bits."""
        self.pairs += 1
        return f"{self.stem}_d{self.pairs - 1}"


@dataclass(eq=False, slots=True)
class Rewriter:
    """Makes the edits of one kernel, for a target of at least the architecture `sm`."""

    module: Module
    function: Function
    flow: Flow
    style: Style
    sm: int
    names: _Names = field(init=False)
    setup: list[str] = field(default_factory=list[str])
    edits: list[Edit] = field(default_factory=list[Edit])
    _lane: str = ""
    _place: tuple[str, str] | None = None
    _outside: dict[int, str] = field(default_factory=dict[int, str])
    _missing: dict[tuple[object, ...], tuple[str, str]] = field(
        default_factory=dict[tuple[object, ...], tuple[str, str]]
    )
    _together: dict[tuple[int, int], Together] = field(default_factory=dict[tuple[int, int], Together])
    _counters: dict[int, str] = field(default_factory=dict[int, str])
    _corners: dict[tuple[object, ...], str] = field(default_factory=dict[tuple[object, ...], str])
    _wrapping: dict[tuple[int, Register, bool], str] = field(default_factory=dict[tuple[int, Register, bool], str])

    def __post_init__(self) -> None:
        stem = "%lw"
        while stem in self.module.source.text:
            stem += "_"
        self.names = _Names(stem)

    def rewrite(self, shuffles: list[Shuffle]) -> list[Edit]:
        """The edits that replace these loads."""
        if not self.style.no_corner and not self.style.no_load:
            self._check_indices(shuffles)
            self._count_iterations(shuffles)
        for shuffle in shuffles:
            self._replace(shuffle)
        self._declare()
        return self.edits

    # -- a load ------------------------------------------------------------------------------------------------

    def _replace(self, shuffle: Shuffle) -> None:
        instruction = shuffle.step.instruction
        access = shuffle.step.writes
        lines: list[str] = []
        own = all(source.lanes == 0 for source in shuffle.sources)
        if (own and not shuffle.checks) or self.style.no_load or (own and self.style.no_corner):
            lines += self._moves(shuffle)
        else:
            corner, missing, mask = self._corner(shuffle, lines)
            wanted = [register.name for register in access]
            read = {name.text for operand in instruction.operands[1:] for name in names_of(operand)}
            kept = bool(read & set(wanted))
            results = [self._scratch(register) for register in access] if kept else wanted
            guard = f"@!{missing} " if self.style.uniform_branch else ""
            for source, result in zip(shuffle.sources, results, strict=True):
                lines += self._shuffled(source, result, mask, guard)
            if not self.style.no_corner:
                load = Instruction(instruction.opcode, instruction.operands, Guard(Name(corner)))
                lines.append(instruction_text(load))
            if kept:
                unless = "" if self.style.no_corner else f"@!{corner} "
                lines += [
                    f"{unless}mov.b{8 * s.bytes} {register.name}, {result};"
                    for s, register, result in zip(shuffle.sources, access, results, strict=True)
                ]
        self._put(instruction.start, instruction.end, lines)

    def _moves(self, shuffle: Shuffle) -> list[str]:
        pairs = zip(shuffle.sources, shuffle.step.writes, strict=True)
        return [f"mov.b{8 * source.bytes} {register.name}, {source.register.name};" for source, register in pairs]

    def _shuffled(self, source: ShuffleSource, result: str, mask: str, guard: str) -> list[str]:
        if source.lanes == 0:
            return [f"mov.b{8 * source.bytes} {result}, {source.register.name};"]
        n = source.lanes
        form = f"down.b32 {{}}, {{}}, {n}, 31" if n > 0 else f"up.b32 {{}}, {{}}, {-n}, 0"
        if source.bytes == 4:
            return [f"{guard}shfl.sync.{form.format(result, source.register.name)}, {mask};"]
        low, high = self.names.word(), self.names.word()
        return [
            f"mov.b64 {{{low}, {high}}}, {source.register.name};",
            f"{guard}shfl.sync.{form.format(low, low)}, {mask};",
            f"{guard}shfl.sync.{form.format(high, high)}, {mask};",
            f"mov.b64 {result}, {{{low}, {high}}};",
        ]

    def _scratch(self, register: Register) -> str:
        return self.names.pair() if width_of(register) == 64 else self.names.word()

    # -- predicates --------------------------------------------------------------------------------------------

    def _corner(self, shuffle: Shuffle, lines: list[str]) -> tuple[str, str, str]:
        """The corner case's predicate, the predicate that lanes are missing, and the mask of active lanes."""
        code = straight_code(self.flow, shuffle.step)
        together = self._together.get(code, Together()) if shuffle.together.loops else Together()
        place = (code, together)
        known = self._missing.get(place)
        if known is None:
            mask, missing = self.names.word(), self.names.predicate()
            lines += [f"activemask.b32 {mask};", *self._lanes_missing(missing, mask, together)]
            known = self._missing[place] = (missing, mask)
        missing, mask = known
        if self.style.no_corner:
            return "", missing, mask
        parts = dict.fromkeys(self._no_lane(source.lanes) for source in shuffle.sources if source.lanes)
        parts |= dict.fromkeys(self._wrapping[_key(check)] for check in shuffle.checks)
        key = (place, *parts)
        corner = self._corners.get(key)
        if corner is None:
            corner = self._corners[key] = self.names.predicate()
            left = missing
            for part in parts:
                lines.append(f"or.pred {corner}, {left}, {part};")
                left = corner
        return corner, missing, mask

    def _lanes_missing(self, missing: str, mask: str, together: Together) -> list[str]:
        """The condition that lanes are missing in the mask, or in another iteration of a loop."""
        if not together.loops:
            return [f"setp.ne.s32 {missing}, {mask}, -1;"]
        wide = [self._counters[header] for header in sorted(together.wide)]
        narrow = [self._counters[header] for header in sorted(together.loops - together.wide)]
        return (
            self._matched(missing, mask, wide, narrow)
            if self.sm >= MATCHES
            else self._voted(missing, mask, wide, narrow)
        )

    def _matched(self, missing: str, mask: str, wide: list[str], narrow: list[str]) -> list[str]:
        """The test by `match.all`, which returns the whole mask if all of its lanes have one value, and otherwise 0."""
        lines: list[str] = []
        wide = list(wide)
        while len(narrow) > 1:
            first, second, *narrow = narrow
            wide.append(self.names.pair())
            lines.append(f"mov.b64 {wide[-1]}, {{{first}, {second}}};")
        values = [(value, 64) for value in wide] + [(value, 32) for value in narrow]
        for number, (value, bits) in enumerate(values):
            alike = self.names.word()
            lines.append(f"match.all.sync.b{bits} {alike}, {value}, {mask};")
            before = (".or", f", {missing}") if number else ("", "")
            lines.append(f"setp.ne{before[0]}.s32 {missing}, {alike}, -1{before[1]};")
        return lines

    def _voted(self, missing: str, mask: str, wide: list[str], narrow: list[str]) -> list[str]:
        """The test by votes: each lane compares its numbers with those of the first one, and then they vote."""
        lines: list[str] = []
        words = list(narrow)
        for value in wide:
            words += [self.names.word(), self.names.word()]
            lines.append(f"mov.b64 {{{words[-2]}, {words[-1]}}}, {value};")
        first = self.names.word()
        for number, word in enumerate(words):
            lines.append(f"shfl.sync.idx.b32 {first}, {word}, 0, 31, {mask};")
            before = (".or", f", {missing}") if number else ("", "")
            lines.append(f"setp.ne{before[0]}.s32 {missing}, {first}, {word}{before[1]};")
        lines.append(f"vote.sync.any.pred {missing}, {missing}, {mask};")
        return [*lines, f"setp.ne.or.s32 {missing}, {mask}, -1, {missing};"]

    def _no_lane(self, lanes: int) -> str:
        """The predicate that there is no lane `lanes` places on, or that it is not the neighbour in x."""
        known = self._outside.get(lanes)
        if known is not None:
            return known
        if not self._lane:
            self._lane = self.names.word()
            self.setup.append(f"mov.u32 {self._lane}, %laneid;")
        outside = self._outside[lanes] = self.names.predicate()
        bound, limit = ("gt", 31 - lanes) if lanes > 0 else ("lt", -lanes)
        self.setup.append(f"setp.{bound}.u32 {outside}, {self._lane}, {limit};")
        if not rows_hold_warps(self.function):
            if self._place is None:
                self._place = (self.names.word(), self.names.word())
                self.setup += [f"mov.u32 {self._place[0]}, %tid.x;", f"mov.u32 {self._place[1]}, %ntid.x;"]
            x, extent = self._place
            there = self.names.word()
            self.setup.append(f"add.s32 {there}, {x}, {lanes};")
            self.setup.append(f"setp.ge.or.u32 {outside}, {there}, {extent}, {outside};")
        return outside

    def _check_indices(self, shuffles: list[Shuffle]) -> None:
        """Emit one check for all ranges of an index."""
        wanted: dict[tuple[int, Register, bool], Check] = {}
        for check in (check for shuffle in shuffles for check in shuffle.checks):
            known = wanted.get(_key(check), check)
            low, high = min(known.low, check.low), max(known.high, check.high)
            wanted[_key(check)] = Check(check.step, check.register, check.is_signed, low, high)
        for key, check in wanted.items():
            predicate = self._wrapping[key] = self.names.predicate()
            start = check.step.instruction.start
            self._put(start, start, text_of(check, self.names.word(), predicate), open_=True)

    def _count_iterations(self, shuffles: list[Shuffle]) -> None:
        """Emit a counter for each loop in which lanes must be in the same iteration. It is incremented at the loop's
        header and reset at the header of the loop around it."""
        for shuffle in shuffles:
            code = straight_code(self.flow, shuffle.step)
            self._together[code] = self._together.get(code, Together()) | shuffle.together
        wanted = united(self._together.values())
        lines: dict[int, list[str]] = {}
        for header in sorted(wanted.loops):
            bits = 64 if header in wanted.wide else 32
            counter = self._counters[header] = self.names.pair() if bits == 64 else self.names.word()
            self.setup.append(f"mov.b{bits} {counter}, 0;")
            lines.setdefault(header, []).append(f"add.s{bits} {counter}, {counter}, 1;")
            outer = around(self.flow, header)
            if outer is not None:
                lines.setdefault(outer.header, []).append(f"mov.b{bits} {counter}, 0;")
        for header, added in lines.items():
            start = self.flow.steps[self.flow.blocks[header].first].instruction.start
            self._put(start, start, added, open_=True)

    # -- text --------------------------------------------------------------------------------------------------

    def _put(self, start: int, end: int, lines: list[str], open_: bool = False) -> None:
        """Replace the characters from start to end by lines; `open_`: text follows on the last line."""
        between = "\n" + self._indentation(start)
        self.edits.append(Edit(start, end, between.join(lines) + (between if open_ else "")))

    def _indentation(self, start: int) -> str:
        text = self.module.source.text
        begin = text.rfind("\n", 0, start) + 1
        line = text[begin:start]
        return line[: len(line) - len(line.lstrip())]

    def _declare(self) -> None:
        assert self.function.body is not None
        stem = self.names.stem
        lines: list[str] = []
        if self.names.predicates:
            lines.append(f".reg .pred {stem}_p<{self.names.predicates}>;")
        if self.names.words:
            lines.append(f".reg .b32 {stem}_r<{self.names.words}>;")
        if self.names.pairs:
            lines.append(f".reg .b64 {stem}_d<{self.names.pairs}>;")
        if lines or self.setup:
            start = _first_code(self.function)
            self._put(start, start, [*lines, *self.setup], open_=True)
            self.edits.insert(0, self.edits.pop())


def _key(check: Check) -> tuple[int, Register, bool]:
    return (check.step.number, check.register, check.is_signed)


def straight_code(flow: Flow, step: Step) -> tuple[int, int]:
    """Straight-line code that all lanes active at its start run to its end: a block, up to a call or a barrier."""
    block = flow.block_of(step.number)
    first = flow.blocks[block].first
    return block, sum(OPCODES[s.instruction.name].effect in _BREAKS for s in flow.steps[first : step.number])


def _first_code(function: Function) -> int:
    """Start of the first statement that is not a declaration or directive."""
    assert function.body is not None
    for statement in function.body.statements:
        if not isinstance(statement, Declaration | Directive):
            return statement.start
    return function.body.end - 1


def rows_hold_warps(function: Function) -> bool:
    """True if, by `.reqntid`, the lanes of a full warp are neighbours in x: a block of one dimension, or one whose rows
    are whole warps."""
    extent = function.directive(".reqntid")
    if not extent:
        return False
    x, y, z = (*extent, 1, 1)[:3]
    return x % 32 == 0 or (y == 1 and z == 1)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that don't overlap to a text. Several edits at one place keep their order."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])
