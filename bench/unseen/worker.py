# SPDX-License-Identifier: Apache-2.0
"""A player's process: python -m bench.unseen.worker PLAYER

PLAYER is "intel", "pocl", "platform:MAPPING" for Lanewise's OpenCL platform, or "python:MAPPING" for `lw.compile`.

It answers as `bench/cpu/worker.py` does:

    load FOLDER LAUNCH RESULTS    compile, launch, write what the launch changed; remarks of the compiler
    time COUNT                    launch for a while to warm up, then COUNT times; the nanoseconds of each
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
from bench.cpu.order import write
from bench.cpu.peers import Prepared
from bench.cpu.worker import Load, serve

from .played import Player, Results, changed
from .recording import read


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


def _load(player: Player, folder: Path, launch: Path, results: Path) -> tuple[list[str], Prepared]:
    recording = read(folder, launch)
    played = player.play(recording)
    played.launch()
    before = changed(recording, played)
    after = {number: played.contents(number).copy() for number in before}

    def put_back() -> None:
        for number, data in before.items():
            played.put_back(number, data)

    put_back()
    played.launch()
    unstable = {number for number, data in after.items() if not np.array_equal(played.contents(number), data)}
    write(results, Results(after, unstable, played.types))
    return played.remarks, Prepared(played.launch, list, put_back, played.is_settled)


if __name__ == "__main__":
    main()
