# SPDX-License-Identifier: Apache-2.0
"""A peer's process: python -m bench.cpu.worker PEER

It answers each line of its input with a line of JSON: what was asked for, or {"error": why not}.

    load ORDER RESULTS    compile the kernel, launch it once, write what it computed; the nanoseconds that this took
    time COUNT            launch it for a while to warm up, then COUNT times; the nanoseconds of each

With `CPU_TIME` in the environment, launches are timed by what the processors spend on all threads of the process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Any, Final

from .order import read_order, write
from .peers import Peer, Prepared, open_peer

_WARM_UP: Final = 20e6
"""Nanoseconds, in one launch or many: while others had their turns, they or other guests of the machine have filled the
caches that all share. A kernel of half a millisecond was back at its speed after up to ten launches."""
CPU_TIME: Final = "LANEWISE_BENCH_CPU_TIME"
_PATIENCE: Final = 10e9
"""Nanoseconds after which launches that haven't settled count all the same."""

Load = Callable[..., tuple[Any, Prepared]]
"""Prepares what the words behind `load` name: what to answer, and what `time` launches."""


def main() -> None:
    def opened() -> tuple[str, Load]:
        peer = open_peer(sys.argv[1])
        return peer.version, lambda order, results: _load(peer, Path(order), Path(results))

    serve(opened)


def serve(opened: Callable[[], tuple[str, Load]]) -> None:
    """Answer the lines of the input. `opened` gives the peer's version, and how it loads."""
    # What compilers and runtimes print must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(what: Any) -> None:
        print(json.dumps(what), file=answers, flush=True)

    try:
        version, load = opened()
    except Exception as error:  # of any kind: it is told to the driver, which goes on without this peer
        answer({"error": f"{type(error).__name__}: {error}"})
        return
    answer(version)

    prepared: Prepared | None = None
    for line in sys.stdin:
        verb, *words = line.split()
        try:
            if verb == "load":
                prepared = None  # its memory goes before more is taken
                loaded, prepared = load(*words)
                answer(loaded)
            elif prepared is not None:
                answer(_times(prepared, int(words[0])))
        except Exception as error:  # as above
            answer({"error": f"{type(error).__name__}: {error}"})


def _load(peer: Peer, order: Path, results: Path) -> tuple[int, Prepared]:
    read = read_order(order)
    start = perf_counter_ns()
    prepared = peer.prepare(read)
    prepared.launch()
    nanoseconds = perf_counter_ns() - start
    write(results, prepared.results())
    return nanoseconds, prepared


def _times(prepared: Prepared, count: int) -> list[int]:
    launch, put_back = prepared.launch, prepared.put_back
    begin = perf_counter_ns()
    while True:
        put_back()
        launch()
        took = perf_counter_ns() - begin
        if took >= _WARM_UP and (took >= _PATIENCE or prepared.is_settled()):
            break
        if took >= _WARM_UP:
            time.sleep(0.001)  # a processor for what is compiled meanwhile
    clock = process_time_ns if os.environ.get(CPU_TIME) else perf_counter_ns
    times: list[int] = []
    for _ in range(count):
        put_back()
        start = clock()
        launch()
        times.append(clock() - start)
    return times


if __name__ == "__main__":
    main()
