# SPDX-License-Identifier: Apache-2.0
"""Random programs of launches, events and waits: whatever must happen before something else does.

The model knows no queues or threads, only sets: what each stream, event and the host are known to be behind.
"""

from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lanewise as lw

from .kernels import Gate, module

STREAMS, EVENTS = 3, 2
BLOCKING = (True, True, False)
SPINS = (0, 2_000, 200_000)
SLOWER = {"cpu": 1, "reference": 10_000}


class Step(NamedTuple):
    """`where` is a stream; `event` and `spins` are what the action needs of them."""

    action: str
    where: int
    event: int
    spins: int


def steps(*actions: str) -> st.SearchStrategy[list[Step]]:
    places = (st.integers(0, n - 1) for n in (STREAMS, EVENTS))
    step = st.builds(Step, st.sampled_from(actions), *places, st.sampled_from(SPINS))
    return st.lists(step, min_size=1, max_size=12) | st.lists(step, min_size=12, max_size=40)


HOST_GOES_ON = steps("launch", "launch", "record", "wait")
HOST_WAITS = steps("launch", "launch", "launch", "record", "wait", "wait", "default", "synchronize")


class Model:
    """Sets of the launches that have ended wherever the next launch of a stream, or of the host, begins."""

    def __init__(self) -> None:
        self.streams: list[set[int]] = [set() for _ in range(STREAMS)]
        self.events: list[set[int]] = [set() for _ in range(EVENTS)]
        self.host: set[int] = set()
        self.before: list[set[int]] = []
        """Of each launch, those that must have ended when it begins."""

    def launch(self, stream: int) -> None:
        before = self.streams[stream] | self.host
        self.streams[stream] = before | {len(self.before)}
        self.before.append(before)

    def launch_without_stream(self) -> None:
        before = self.host.union(*(self.streams[i] for i in range(STREAMS) if BLOCKING[i]))
        self.host = before | {len(self.before)}
        self.before.append(before)

    def check(self, times: np.ndarray) -> None:
        for index, before in enumerate(self.before):
            begin, end = times[2 * index], times[2 * index + 1]
            assert 0 <= begin < end, f"launch {index} has not run"
            for other in before:
                assert times[2 * other + 1] < begin, f"launch {index} began before {other} had ended"


@given(HOST_GOES_ON | HOST_WAITS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_streams_and_events(program: list[Step], on_cpu: bool):
    device = "cpu" if on_cpu else "reference"
    kernel = module()["stamp"]
    times, clock = np.full(2 * len(program) + 1, -1, np.int32), np.zeros(1, np.int32)
    streams = [lw.Stream(device, blocking=blocking) for blocking in BLOCKING]
    events = [lw.Event() for _ in range(EVENTS)]
    model, gate = Model(), Gate()
    with gate:
        for stream in streams:
            stream.callback(gate.hold)  # so that as much as possible could begin at once
        for action, where, event, spins in program:
            arguments = (times, clock, len(model.before), spins // SLOWER[device])
            match action:
                case "launch":
                    kernel.launch(1, 1, arguments, stream=streams[where])
                    model.launch(where)
                case "record":
                    events[event].record(streams[where])
                    model.events[event] = model.streams[where] | model.host
                case "wait":
                    streams[where].wait(events[event])
                    model.streams[where] |= model.events[event]
                case "default":
                    gate.open()
                    kernel.launch(1, 1, arguments, device=device)
                    model.launch_without_stream()
                case _:
                    gate.open()
                    streams[where].synchronize()
                    model.host |= model.streams[where]
    for stream in streams:
        stream.synchronize()
    model.check(times)


@given(HOST_GOES_ON, st.booleans())
@settings(max_examples=40, deadline=None)
def test_graphs(program: list[Step], on_cpu: bool):
    """Each launch of a graph of such a program, forked and joined, is in the program's order."""
    device = "cpu" if on_cpu else "reference"
    kernel = module()["stamp"]
    times, clock = np.full(2 * len(program) + 1, -1, np.int32), np.zeros(1, np.int32)
    streams = [lw.Stream(device, blocking=blocking) for blocking in BLOCKING]
    events = [lw.Event() for _ in range(EVENTS)]
    model = Model()
    fork = lw.Event()
    with streams[0].capture() as graph:
        fork.record(streams[0])
        for other in streams[1:]:
            other.wait(fork)
        for event in events:
            event.record(streams[0])
        for action, where, event, spins in program:
            match action:
                case "launch":
                    arguments = (times, clock, len(model.before), spins // SLOWER[device])
                    kernel.launch(1, 1, arguments, stream=streams[where])
                    model.launch(where)
                case "record":
                    events[event].record(streams[where])
                    model.events[event] = set(model.streams[where])
                case _:
                    streams[where].wait(events[event])
                    model.streams[where] |= model.events[event]
        for other in streams[1:]:
            join = lw.Event()
            join.record(other)
            streams[0].wait(join)
    assert len(graph.nodes) == len(model.before)
    for where in (streams[0], streams[2], None):
        times[...] = -1
        graph.launch(where)
        lw.synchronize()
        model.check(times)
