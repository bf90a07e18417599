# SPDX-License-Identifier: Apache-2.0
"""The counters of each line of the program, or of the PTX where that names no lines of a program."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.program.profile.counts import Counts, InstructionCounts, total
from lanewise.ptx.language.module import Module

EXCESS: Final = {
    "global_load_sectors": "global_load_ideal_sectors",
    "global_store_sectors": "global_store_ideal_sectors",
    "shared_load_wavefronts": "shared_load_ideal_wavefronts",
    "shared_store_wavefronts": "shared_store_ideal_wavefronts",
    "shared_atomic_wavefronts": "shared_atomic_ideal_wavefronts",
}
"""Counter -> the one that says how few would do."""


class ProfiledLine(NamedTuple):
    """`file` and `line` say where it is, `text` is the line itself ("" if the file can't be read)."""

    file: str
    line: int
    text: str
    counters: Counts


def lines_of(
    modules: Sequence[Module], counts: Iterable[InstructionCounts], texts: Mapping[str, str]
) -> list[ProfiledLine]:
    """The lines that were executed, in order. `texts`: of files by name, as far as they are known."""
    found: dict[tuple[str, int], list[Counts]] = {}
    last: tuple[int, str, str] | None = None  # module and function, place in the program
    for each in counts:
        module = modules[each.module]
        place = module.program_line(each.start)
        if place is None and last is not None and last[:2] == (each.module, each.function):
            place = last[2]  # code of no line belongs to the one before
        if place is None:
            place = f"{module.source.file}:{module.source.line(each.start)}"
        else:
            last = each.module, each.function, place
        file, _, number = place.rpartition(":")
        found.setdefault((file, int(number)), []).append(each.counts)
    read: dict[str, list[str]] = {name: text.splitlines() for name, text in texts.items()}
    return [
        ProfiledLine(file, line, _line(file, line, read), total(several))
        for (file, line), several in sorted(found.items())
    ]


def _line(file: str, line: int, read: dict[str, list[str]]) -> str:
    if file not in read:
        try:
            read[file] = Path(file).read_text(errors="replace").splitlines()
        except (OSError, ValueError):
            read[file] = []
    lines = read[file]
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def worst_first(lines: Iterable[ProfiledLine]) -> list[ProfiledLine]:
    """The lines, those first that cost a GPU the most: by what they move too much, then by what they execute."""
    return sorted(lines, key=lambda line: (-_excess(line.counters), -line.counters["warp_instructions"]))


def _excess(counters: Counts) -> int:
    """Sectors, wavefronts and turns of a warp that could be saved."""
    saved = sum(max(0, counters[name] - counters[ideal]) for name, ideal in EXCESS.items())  # lanes may share
    return saved + counters["atomic_repeats"] + counters["divergent_branches"]
