# SPDX-License-Identifier: Apache-2.0
"""The choice of `auto` against every mapping of recorded kernels, by identity of code and by CPU time.

python -m bench.unseen.mappings FOLDER [NAME ...] [--mappings lanes,loop,...] [--most 1] [--turns 5] [--save FILE]

A mapping that makes word for word the code that `auto` makes is as fast. What makes other code is launched in turn with
it, in one process and one thread, on the same memory: the least CPU time counts, so that other work of the machine
matters little. A mapping that is far behind in its first turns gets no further ones, and where `auto` seems to be
behind, it and the best mapping get more. Before each launch memory is as recorded, which takes no part of the time.

`auto` is the choice of the compiler, without what launches try. Where launches would decide, the mapping that they try
is named, and a second ratio takes the faster of both as what `auto` comes to.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from bench.cpu import geometric

import lanewise as lw
from lanewise.program.arguments.ndrange import ndrange

from .ours import Lanewise, compiled
from .played import Played, changed
from .recording import Recording, recordings

MAPPINGS: Final = ("lanes", "loop", "lanes:4x1", "lanes:8x1", "lanes:16x1", "lanes:16x4")
"""Mappings that are the fastest of a kernel now and then. Threads switch stacks."""
_AUTO: Final = "auto,fixed"
_TURN: Final = 3e-3
"""Seconds of CPU time that a turn lasts at least, if that takes no fewer than `_LEAST` and no more than `_MOST`
launches."""
_LEAST, _MOST = 4, 100
_FAR: Final = 3.0
"""The ratio to the time of the best mapping, after two turns, from which a mapping gets no more turns."""
_CLOSE: Final = 1.1
"""Ratios above this are measured again, by so many times as many turns of both:"""
_AGAIN: Final = 4
_TRIED: Final = "launches also try "


@dataclass
class Choice:
    """Times that mappings of a recording take: seconds of CPU time of a launch. A mapping that makes the code of
    another one has that one's name in `same_as` and no time."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict)
    same_as: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    tried: str = ""
    """The mapping that launches try beside that of the compiler, "lanes" or "loop"."""

    @property
    def best(self) -> str:
        return min(self.seconds, key=self.seconds.__getitem__)

    @property
    def ratio(self) -> float:
        """The time of the compiler's choice by that of the best mapping."""
        return self.seconds[_AUTO] / self.seconds[self.best]

    @property
    def after_launches(self) -> float:
        """The same once launches have decided, as the clock says here."""
        usual = self.seconds[_AUTO]
        other = self.seconds.get(self.same_as.get(self.tried, self.tried), usual) if self.tried else usual
        return min(usual, other) / self.seconds[self.best]


def main() -> int:
    given = _arguments()
    os.environ["LANEWISE_NUM_THREADS"] = "1"  # read when the first program is compiled
    found = recordings(given.folder, given.most)
    chosen = [each for each in found if not given.names or any(name in each.name for name in given.names)]
    if not chosen:
        print(f"{given.folder}: no recordings, or none that is asked for", file=sys.stderr)
        return 2
    choices: list[Choice] = []
    for recording in chosen:
        choice = compared(recording, given.mappings.split(","), given.turns)
        choices.append(choice)
        print(_line(choice), flush=True)
        if given.save:
            given.save.write_text(json.dumps([asdict(each) for each in choices], indent=1))
    print("\n" + summary(choices))
    return 0


def compared(recording: Recording, mappings: Iterable[str], turns: int) -> Choice:
    """The times of one recording by the mappings whose code differs."""
    choice = Choice(recording.name)
    by_code: dict[str, str] = {}
    memories = recording.memories()  # one for all: where pages are, and whether they are huge, matters
    players: dict[str, Callable[[], float]] = {}
    for mapping in (_AUTO, *mappings):
        try:
            code = _code(recording, mapping)
            if code and code in by_code:
                choice.same_as[mapping] = by_code[code]
                continue
            players[mapping] = _turns(recording, Lanewise(mapping).play(recording, memories))
            by_code[code] = mapping
        except (lw.Error, RuntimeError) as error:
            choice.failures[mapping] = str(error).splitlines()[0]
    if _AUTO in players:
        _time(choice, players, turns)
        choice.tried = _tried(recording)
    return choice


def _time(choice: Choice, players: dict[str, Callable[[], float]], turns: int) -> None:
    if len(players) == 1:
        choice.seconds = dict.fromkeys(players, 1.0)
        return
    choice.seconds = {mapping: turn() for mapping, turn in players.items()}

    def play(count: int, mappings: Iterable[str]) -> None:
        for _ in range(count):
            for mapping in mappings:
                choice.seconds[mapping] = min(choice.seconds[mapping], players[mapping]())

    play(1, players)
    least = min(choice.seconds.values())
    play(turns - 2, [each for each, took in choice.seconds.items() if took < _FAR * least or each == _AUTO])
    for _ in range(_AGAIN):
        if choice.ratio > _CLOSE:
            play(turns, (_AUTO, choice.best))


def _turns(recording: Recording, played: Played) -> Callable[[], float]:
    """Measures the least CPU time of a launch in a turn of launches. The first one, here, compiles the kernel."""
    for number, data in recording.memories().items():  # which another player may have changed
        played.put_back(number, data)
    played.launch()
    before = changed(recording, played)

    def once() -> float:
        for number, data in before.items():
            played.put_back(number, data)
        start = time.process_time()
        played.launch()
        return time.process_time() - start

    def turn() -> float:
        times = [once() for _ in range(_LEAST)]
        while sum(times) < _TURN and len(times) < _MOST:
            times.append(once())
        return min(times)

    return turn


def _code(recording: Recording, mapping: str) -> str:
    """The IR that the work-group function of the launch is made of; empty if the launch runs other code than a kernel's
    for a local size."""
    module = compiled(recording, mapping)
    kernel = module[recording.kernel]
    whole = ndrange(kernel.name, recording.global_size, recording.local_size, None, kernel._bounds, may_be_uneven=True)
    return module.ir("work-group", recording.kernel, whole.local) if whole.is_plain else ""


def _tried(recording: Recording) -> str:
    """The mapping that launches try beside that of the compiler; empty if there is none."""
    kernel = compiled(recording, "auto")[recording.kernel]
    whole = ndrange(kernel.name, recording.global_size, recording.local_size, None, kernel._bounds, may_be_uneven=True)
    remarks = [remark for remark in kernel.remarks(whole.local) if _TRIED in remark]
    return ("loop" if "loop" in remarks[0].partition(_TRIED)[2] else "lanes") if remarks else ""


def _line(choice: Choice) -> str:
    if not choice.seconds:
        return f"{choice.name}: {choice.failures}"
    times = ", ".join(f"{mapping} {1e3 * took:.3f}" for mapping, took in choice.seconds.items())
    same = sum(of == _AUTO for of in choice.same_as.values())
    shown = f"{choice.name}: {choice.ratio:.2f} (best {choice.best}), {same} make its code; ms: {times}"
    return shown + (f"; launches try {choice.tried}: {choice.after_launches:.2f}" if choice.tried else "")


def summary(choices: Iterable[Choice]) -> str:
    """A table of the ratios' distribution, by program."""
    groups: dict[str, list[Choice]] = {"all": []}
    for each in choices:
        if each.seconds:
            groups["all"].append(each)
            groups.setdefault(each.name.rpartition("/")[0] or "recordings", []).append(each)
    rows: dict[str, Callable[[list[Choice]], str]] = {
        "kernels": lambda group: str(len(group)),
        "`auto` by the best mapping's time, geometric mean": lambda g: f"{geometric.mean([c.ratio for c in g]):.3f}",
        "the greatest": lambda group: f"{max(each.ratio for each in group):.2f}",
        "above 1.1": lambda group: str(sum(each.ratio > 1.1 for each in group)),
        "above 1.3": lambda group: str(sum(each.ratio > 1.3 for each in group)),
        "once launches have decided: mean": lambda g: f"{geometric.mean([c.after_launches for c in g]):.3f}",
        "the greatest of these": lambda group: f"{max(each.after_launches for each in group):.2f}",
        "where launches decide": lambda group: str(sum(bool(each.tried) for each in group)),
    }
    lines = [f"| | {' | '.join(groups)} |", f"| --- |{' --: |' * len(groups)}"]
    lines += [f"| {name} | {' | '.join(map(shown, groups.values()))} |" for name, shown in rows.items()]
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.unseen.mappings", description="auto against all mappings.")
    parser.add_argument("folder", type=Path, help="what bench.unseen.record wrote")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of the names of recordings to play")
    parser.add_argument("--mappings", default=",".join(MAPPINGS), help="to compare with (%(default)s)")
    parser.add_argument("--most", type=int, default=1, help="kernels of one name in a program (%(default)s)")
    parser.add_argument("--turns", type=int, default=5, help="of each mapping that is not far behind (%(default)s)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write what was found as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
