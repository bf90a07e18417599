# SPDX-License-Identifier: Apache-2.0
"""A player's process: python -m bench.unseen.worker PLAYER

PLAYER is "intel", "pocl", "platform:MAPPING" for Lanewise's OpenCL platform, or "python:MAPPING" for `lw.compile`.

It answers as `bench/cpu/worker.py` does:

    load FOLDER LAUNCH RESULTS    compile, launch until later launches run by the same code; write what launches
                                  changed; the parts of `Loaded`
    time COUNT                    launch for a while to warm up, then COUNT times; the nanoseconds of each
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
from bench.cpu.order import write
from bench.cpu.peers import Prepared
from bench.cpu.worker import Load, serve

from .played import Loaded, Player, Results, changed
from .recording import Bytes, read

_PATIENCE: Final = 20.0
"""Seconds after which launches that haven't settled count all the same."""
_BATCH: Final = 0.02
"""Seconds of launches before the others get their half of the time."""
_LONGEST_SLEEP: Final = 1.0
"""Seconds."""


def main() -> None:
    def opened() -> tuple[str, Load]:
        player = _player(sys.argv[1])
        return player.version, lambda folder, launch, results: _load(player, *map(Path, (folder, launch, results)))

    serve(opened)


def _player(name: str) -> Player:
    """The player of that name. What others need is not imported."""
    module, _, mapping = name.partition(":")
    if module == "platform":
        return import_module("bench.unseen.ours_by_opencl").LanewisePlatform(mapping)
    if module == "python":
        return import_module("bench.unseen.ours").Lanewise(mapping)
    return import_module("bench.unseen.opencl").OpenCl(name)


def _load(player: Player, folder: Path, launch: Path, results: Path) -> tuple[Loaded, Prepared]:
    recording = read(folder, launch)
    played = player.play(recording)
    before: dict[int, Bytes] = {}

    def put_back() -> None:
        for number, data in before.items():
            played.put_back(number, data)

    def found() -> dict[int, Bytes]:
        """Changes by a launch on the recorded contents; they are added to `before`."""
        played.launch()
        changes = changed(recording, played)
        before.update(changes)
        return {number: played.contents(number).copy() for number in changes}

    first = found()
    is_settled = settle(played.launch, put_back, played.is_settled)
    put_back()
    timed = found()
    unstable = {number for number in first.keys() | timed.keys() if not _same(first.get(number), timed.get(number))}
    write(results, Results(timed, timed if not unstable else first, unstable, played.types))
    return Loaded(played.remarks, played.code, is_settled), Prepared(played.launch, list, put_back)


def settle(launch: Callable[[], object], put_back: Callable[[], object], is_settled: Callable[[], bool]) -> bool:
    """Launch until later launches run by the same code, or for `_PATIENCE`. Tells whether they do.

    Code is made after so much time in launches, in a process of low priority: half of the time there are launches, one
    after the other, and the other half is left to it.
    """
    end = time.monotonic() + _PATIENCE
    while not is_settled():
        began = time.monotonic()
        if began >= end:
            return False
        while (now := time.monotonic()) < began + _BATCH:
            put_back()
            launch()
        time.sleep(min(now - began, _LONGEST_SLEEP))
    return True


def _same(one: Bytes | None, other: Bytes | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other)


if __name__ == "__main__":
    main()
