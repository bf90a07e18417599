# SPDX-License-Identifier: Apache-2.0
"""The effect of a step on a module: how many instructions there were and are, and which lines of the source it touched.

An instruction is touched that came, went, or changed in more than its name and metadata. Debug records are
no code, and count for nothing.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias, final

from lanewise.ir.debug_info import DebugInfo, Location
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.remarks import Remark

_Form: TypeAlias = tuple[object, ...]
_MOST: Final = 10
"""Lines of a file that the text of an effect names."""


class Effect(NamedTuple):
    """Counts of instructions and the lines that a step touched; as text, for people.

    `before` and `after`: instructions of all functions. `lines`: places in the source of what it touched, without
    columns, sorted; empty where the module names none, or LLVM did the step.
    """

    before: int
    after: int
    lines: tuple[Location, ...]

    def __str__(self) -> str:
        same = self.after == self.before
        count = f"{self.after} instructions {'as before' if same else f'in place of {self.before}'}"
        files = [_written(file, [each.line for each in places]) for file, places in groupby(self.lines, _file)]
        return f"{count} ({', '.join(files)})" if files else count


def _file(place: Location) -> str:
    return place.file


def _written(file: str, lines: list[int]) -> str:
    more = f" and {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return f"{file}:{', '.join(map(str, lines[:_MOST]))}{more}"


@final
class Before:
    """A module as it is before a step."""

    def __init__(self, module: Module) -> None:
        self._module: Final = module
        self._forms: Final = {instruction: _form(instruction) for instruction in _code(module)}

    def effect(self, after: Module) -> Effect:
        """The effect of the step that has made `after` of the module: the same one, changed, or another."""
        count = len(self._forms)
        if after is not self._module:
            return Effect(count, sum(1 for _ in _code(after)), ())
        forms = {instruction: _form(instruction) for instruction in _code(after)}
        touched = [each for each, form in forms.items() if self._forms.get(each) != form]
        touched += [each for each in self._forms if each not in forms]
        return Effect(count, len(forms), _lines(touched, after))


def written(remarks: Iterable[Remark], module: Module) -> tuple[str, ...]:
    """Remarks of passes on functions of a module, with the lines of the source where these are known."""
    info = DebugInfo(module.metadata)
    return tuple(f"{_where(each, info)}: {each.reason}" for each in remarks)


def _where(remark: Remark, info: DebugInfo) -> str:
    place = info.location(remark.place) if remark.place else None
    return f"{place.file}:{place.line}" if place is not None and place.line else remark.function.symbol


def _code(module: Module) -> Iterator[Instruction]:
    for function in module.functions:
        for instruction in function.instructions():
            if not instruction.is_debug_record:
                yield instruction


def _form(instruction: Instruction) -> _Form:
    return (
        instruction.op, instruction.type, tuple(instruction.operands), instruction.flags, instruction.align,
        instruction.predicate, instruction.call, instruction.ordering, instruction.indices, instruction.source_type,
    )  # fmt: skip


def _lines(instructions: Iterable[Instruction], module: Module) -> tuple[Location, ...]:
    info = DebugInfo(module.metadata)
    places = {info.location(each.metadata_of("!dbg") or "") for each in instructions}
    return tuple(sorted({place._replace(column=0) for place in places if place is not None and place.line}))
