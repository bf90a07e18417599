# SPDX-License-Identifier: Apache-2.0
"""The rule of CUDA's legacy default stream: in order with all blocking streams, also from other threads."""

import threading
import time

import numpy as np

import lanewise as lw
from lanewise.streams.default_stream import in_default_stream

from .kernels import Gate


def test_it_waits_for_blocking_streams(kernels: lw.Module, device: str):
    x, clock = lw.zeros(8, "int32", device), lw.zeros(1, "int32", device)
    for index in range(3):
        kernels["stamp"].launch(1, 1, (x, clock, index, 2000), stream=lw.Stream(device))
    kernels["stamp"].launch(1, 1, (x, clock, 3, 0), device=device)
    assert list(x.copy_to_host()[6:]) == [6, 7]


def test_it_does_not_wait_for_others(kernels: lw.Module, gate: Gate):
    x, s = np.zeros(1, np.int32), lw.Stream(blocking=False)
    s.callback(gate.hold)
    kernels["add"].launch(1, 1, (x, 1), stream=s)
    kernels["add"][1, 1](x, 10)
    assert list(x) == [10]
    gate.open()
    s.synchronize()
    assert list(x) == [11]


def held(work: Gate) -> threading.Thread:
    """A thread with work in the default stream that lasts until the gate opens."""
    thread = threading.Thread(target=in_default_stream, args=(work.hold,))
    thread.start()
    assert work.reached.wait(30)
    return thread


def test_blocking_streams_wait_for_other_threads_work_in_it(kernels: lw.Module, gate: Gate):
    s, t, x = lw.Stream(), lw.Stream(blocking=False), np.zeros(2, np.int32)
    s.callback(lambda: None)
    s.synchronize()
    thread = held(gate)
    kernels["add"].launch(1, 1, (x[:1], 1), stream=s)
    kernels["add"].launch(1, 1, (x[1:], 1), stream=t)
    t.synchronize()
    time.sleep(0.02)
    assert list(x) == [0, 1]
    gate.open()
    s.synchronize()
    assert list(x) == [1, 1]
    thread.join(30)


def test_also_for_what_began_before_there_was_a_stream(kernels: lw.Module, gate: Gate):
    lw.synchronize()
    thread = held(gate)
    s, x = lw.Stream(), np.zeros(1, np.int32)
    kernels["add"].launch(1, 1, (x, 1), stream=s)
    time.sleep(0.02)
    assert list(x) == [0]
    gate.open()
    s.synchronize()
    assert list(x) == [1]
    thread.join(30)


def test_work_inside_of_other_work_of_the_thread_goes_on(kernels: lw.Module):
    """As when what a launch prints goes to an object that launches."""
    s, x = lw.Stream(), np.zeros(1, np.int32)
    s.callback(lambda: None)

    def outer() -> None:
        kernels["add"].launch(1, 1, (x, 1), stream=s)  # waits for this function
        in_default_stream(lambda: None)

    in_default_stream(outer)
    s.synchronize()
    assert list(x) == [1]


def test_copies_and_variables_are_in_it(kernels: lw.Module, device: str, gate: Gate):
    s = lw.Stream(device)
    b = lw.to_device(np.zeros(4, np.int32), device)
    total = kernels.variable("total", device)
    before = int(total.read())

    def launch() -> None:
        s.callback(time.sleep, 0.01)
        kernels["add"].launch(1, 4, (b, 3), stream=s)
        kernels["count"].launch(1, 1, (), stream=s)

    launch()
    assert list(b.copy_to_host()) == [3] * 4
    launch()
    assert total.read() == before + 2
    launch()
    b.copy_from_host(7)
    launch()
    total.write(0)
    s.synchronize()
    assert list(b.copy_to_host()) == [10] * 4
    assert total.read() == 0


def test_increments_from_two_threads_are_never_lost(kernels: lw.Module):
    """The kernel isn't atomic: work in the default stream and in a blocking stream never overlaps."""
    x, s = np.zeros(256, np.int32), lw.Stream("cpu")

    def launch_in_stream() -> None:
        for _ in range(300):
            kernels["add"].launch(1, 256, (x, 1), stream=s)
            if s.query():
                s.synchronize()

    thread = threading.Thread(target=launch_in_stream)
    thread.start()
    for _ in range(300):
        kernels["add"].launch(1, 256, (x, 1), device="cpu")
    thread.join(60)
    s.synchronize()
    assert (x == 600).all()
