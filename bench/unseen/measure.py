# SPDX-License-Identifier: Apache-2.0
"""Plays a recording by all players in turns, and compares what they computed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

from bench.cpu.order import read_results
from bench.cpu.workers import PeerError, Worker

from .compare import difference
from .played import Loaded, Results
from .recording import Recording

_TURN: Final = 20e6
"""Nanoseconds of a turn: so many launches of which the median counts."""
_LEAST_LAUNCHES, _MOST_LAUNCHES = 3, 9
_PAUSE: Final = 0.01
"""Seconds between turns, in which the threads of the one before stop to spin."""

OURS: Final = "lanewise:"
JUDGE: Final = "intel"
"""The player that the others' results are compared with."""


@dataclass
class Outcome:
    """The times and failures of a recording, by player: "intel", "pocl", "lanewise:auto" and so on."""

    name: str
    half: str
    nanoseconds: dict[str, float] = field(default_factory=dict)
    """The time of a warm launch: the median of the turns."""
    fastest: dict[str, float] = field(default_factory=dict)
    """The time of the fastest warm launch, for a machine that has others to serve."""
    failures: dict[str, str] = field(default_factory=dict)
    """The reason why a player has no time: it could not play the recording, or its result is not that of the judge."""
    unstable: list[int] = field(default_factory=list)
    """Memories that the judge fills differently each time, which are not compared."""
    remarks: list[str] = field(default_factory=list)
    """The remarks of Lanewise on the kernel with `mapping="auto"`."""
    codes: dict[str, str] = field(default_factory=dict)
    """Digests of the machine code of players, where they tell it."""
    unsettled: list[str] = field(default_factory=list)
    """The players whose code was still to change when they were timed."""

    def ratio(self, peer: str) -> float | None:
        """How many times faster than the peer Lanewise is."""
        theirs, ours = self.nanoseconds.get(peer), self.nanoseconds.get(f"{OURS}auto")
        return theirs / ours if theirs and ours else None

    def by_fastest(self) -> Outcome:
        """The same with the times of the fastest launches in place of medians."""
        return replace(self, nanoseconds=self.fastest)

    @property
    def has_failed(self) -> bool:
        """True if a mapping of Lanewise could not play it, or computes something else than the judge."""
        return any(player.startswith(OURS) for player in self.failures)

    @property
    def of_better_peer(self) -> float | None:
        """How many times faster than the faster one of all peers."""
        return min((ratio for peer in self.nanoseconds if (ratio := self._of_peer(peer))), default=None)

    @property
    def of_best_mapping(self) -> float | None:
        """How many times longer `auto` takes than the mapping that is best, itself included. A mapping that has made
        the same code is as fast, whatever its time. None if no other one was played, or if the code of one was still
        to change."""
        ours = {player: took for player, took in self.nanoseconds.items() if player.startswith(OURS)}
        auto = ours.get(f"{OURS}auto")
        if auto is None or len(ours) < 2 or any(player in ours for player in self.unsettled):
            return None
        return auto / min(auto, *(took for player, took in ours.items() if not self.has_code_of_auto(player)))

    def has_code_of_auto(self, player: str) -> bool:
        """Return True for another mapping than `auto` that has made its machine code."""
        auto, code = f"{OURS}auto", self.codes.get(player)
        return player != auto and code is not None and code == self.codes.get(auto)

    def _of_peer(self, player: str) -> float | None:
        return None if player.startswith(OURS) else self.ratio(player)


def measure(
    recording: Recording, workers: Mapping[str, Worker], runs: int, corpus: Path, folder: Path, half: str
) -> Outcome:
    """Times of a recording of the corpus, by players; `folder` is for files."""
    outcome = Outcome(recording.name, half)
    results: dict[str, Results] = {}
    counts: dict[str, int] = {}
    for player, worker in workers.items():
        file = folder / "results"
        try:
            loaded = Loaded(*worker.load(corpus, recording.folder, file))
            (once,) = worker.time(1)
        except PeerError as error:
            outcome.failures[player] = str(error)
            continue
        results[player] = cast(Results, read_results(file))
        counts[player] = max(_LEAST_LAUNCHES, min(_MOST_LAUNCHES, round(_TURN / once)))
        if loaded.code:
            outcome.codes[player] = loaded.code
        if not loaded.is_settled:
            outcome.unsettled.append(player)
        if player == f"{OURS}auto":
            outcome.remarks = loaded.remarks
    _compare(outcome, results)

    turns: dict[str, list[float]] = {player: [] for player in counts if player not in outcome.failures}
    for _ in range(runs):
        for player in turns:
            if player not in outcome.failures:
                time.sleep(_PAUSE)
                try:
                    times = workers[player].time(counts[player])
                    turns[player].append(statistics.median(times))
                    outcome.fastest[player] = min(*times, outcome.fastest.get(player, times[0]))
                except PeerError as error:
                    outcome.failures[player] = str(error)
    played = [player for player in turns if player not in outcome.failures]
    outcome.nanoseconds = {player: statistics.median(turns[player]) for player in played}
    outcome.fastest = {player: outcome.fastest[player] for player in played}
    return outcome


def _compare(outcome: Outcome, results: Mapping[str, Results]) -> None:
    """Note who computed something else than the judge, where that computes the same twice. OpenCL's players don't know
    the types, ours do."""
    if JUDGE not in results:
        return
    wanted, unstable = results[JUDGE].changed, results[JUDGE].unstable
    types = next((each.types for each in results.values() if each.types), {})
    outcome.unstable = sorted(unstable)
    theirs = {number: data for number, data in wanted.items() if number not in unstable}
    for player, result in results.items():
        for found, code in ((result.changed, ""), (result.first, "by the code of the first launch, ")):
            ours = {number: data for number, data in found.items() if number not in unstable}
            if wrong := difference(ours, theirs, types):
                outcome.failures[player] = code + wrong
                break
