# SPDX-License-Identifier: Apache-2.0
"""Work in streams: in order in each, at once in several, kept alive until it is done."""

import gc
import sys
import threading
import time
import weakref
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw

from .kernels import Gate


def test_a_launch_returns_before_it_is_done(kernels: lw.Module, gate: Gate, device: str):
    x, s = np.ones(4, np.int32), lw.Stream(device)
    s.callback(gate.hold)
    kernels["add"].launch(1, 4, (x, 5), stream=s)
    assert (x == 1).all()
    assert not s.query()
    gate.open()
    s.synchronize()
    assert (x == 6).all()
    assert s.query()


def test_work_in_a_stream_is_done_in_order(kernels: lw.Module, device: str):
    x, s = np.ones(4, np.int32), lw.Stream(device)
    for by in range(2, 6):
        kernels["add"][1, 4, 0, s](x, by)
        kernels["scale"][1, 4, 0, s](x, by)
    s.synchronize()
    assert (x == ((((1 + 2) * 2 + 3) * 3 + 4) * 4 + 5) * 5).all()


def test_kernels_of_two_streams_run_at_once(kernels: lw.Module):
    a, b, met = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)
    s, t = lw.Stream("cpu"), lw.Stream("cpu")
    kernels["meet"].launch(1, 1, (a, b, met[:1]), stream=s)
    kernels["meet"].launch(1, 1, (b, a, met[1:]), stream=t)
    s.synchronize()
    t.synchronize()
    assert list(met) == [1, 1]


def test_a_stream_has_a_device(kernels: lw.Module, device: str):
    x, s = np.zeros(1, np.int32), lw.Stream(device)
    counted = kernels.variable("total", device)
    before = counted.read()
    kernels["count"].launch(1, 1, (), stream=s)
    assert counted.read() == before + 1
    kernels["add"].launch(1, 1, (x, 1), stream=s, device=lw.device(device))
    other = "cpu" if device == "reference" else "reference"
    with pytest.raises(lw.LaunchError, match=r"kernel add: stream \d+ is of another device than the launch names"):
        kernels["add"].launch(1, 1, (x, 1), stream=s, device=other)
    s.synchronize()  # no order between two streams that share an array
    kernels["add"].launch(1, 1, (x, 1), stream=lw.Stream(), device=other)
    lw.synchronize()
    assert list(x) == [2]


def test_arguments_live_until_the_launch_is_done(kernels: lw.Module, gate: Gate):
    s = lw.Stream()
    x = np.ones(1024, np.int32)
    alive = weakref.ref(x)
    s.callback(gate.hold)
    kernels["add"].launch(1, 1024, (x, 1), stream=s)
    del x
    gc.collect()
    assert alive() is not None
    gate.open()
    s.synchronize()
    s.synchronize()  # the thread drops the launch after it has been done, before the next work
    assert alive() is None


def test_and_no_longer_though_nobody_asks(kernels: lw.Module):
    s = lw.Stream("cpu")
    kernels["add"].launch(1, 1, (np.zeros(1, np.int32), 1), device="cpu")  # its code is loaded from now on
    x = np.ones(1024, np.int32)
    alive = weakref.ref(x)
    kernels["add"].launch(1, 1024, (x, 1), stream=s)
    del x
    deadline = time.monotonic() + 30
    while alive() is not None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert alive() is None


@pytest.mark.parametrize("in_graph", [False, True], ids=["stream", "graph"])
def test_launches_on_the_cpu_need_no_python(kernels: lw.Module, in_graph: bool):
    """They are done while another thread keeps Python's lock, but for the first of a kernel, which loads its code."""
    s, x = lw.Stream("cpu"), np.zeros(1, np.int32)
    kernels["add"].launch(1, 1, (x, 1), device="cpu")
    s.callback(int)
    s.synchronize()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        if in_graph:
            with s.capture() as graph:
                for _ in range(100):
                    kernels["add"].launch(1, 1, (x, 1), stream=s)
            graph.launch(s)
        else:
            for _ in range(100):
                kernels["add"].launch(1, 1, (x, 1), stream=s)
        deadline = time.monotonic() + 30
        while x[0] < 101 and time.monotonic() < deadline:
            pass
        assert x[0] == 101
    finally:
        sys.setswitchinterval(interval)


def test_launches_in_a_stream_are_checked_at_once(kernels: lw.Module):
    s = lw.Stream()
    with pytest.raises(lw.LaunchError, match="kernel add takes 2 arguments"):
        kernels["add"].launch(1, 1, (), stream=s)
    with pytest.raises(lw.LaunchError, match=r"kernel add: stream must be an lw\.Stream or None, not 7"):
        kernels["add"][1, 1, 0, cast(Any, 7)](np.zeros(1, np.int32), 1)
    assert s.query()


def test_indexing_takes_up_to_four(kernels: lw.Module):
    x = np.zeros(1, np.int32)
    kernels["add"][1, 1, 0](x, 1)
    kernels["add"][1, 1, 0, None](x, 1)
    assert list(x) == [2]
    with pytest.raises(lw.LaunchError, match="kernel add: write k"):
        kernels["add"][1, 1, 0, None, None](x, 1)  # type: ignore[index]


def test_output_of_a_launch_is_whole(kernels: lw.Module, capfd: pytest.CaptureFixture[str], device: str):
    streams = [lw.Stream(device) for _ in range(3)]
    for n in range(1, 4):
        for s in streams:
            kernels["say"].launch(1, 1, (n,), stream=s)
    lw.synchronize()
    printed = capfd.readouterr().out
    texts = {n: "".join(f"line {i} of {n}\n" for i in range(n)) for n in range(1, 4)}
    if device == "cpu":  # the reference device prints as it goes
        assert [printed.count(texts[n]) for n in range(1, 4)] == [3, 3, 3]
    assert len(printed) == 3 * sum(map(len, texts.values()))


def test_callbacks_get_their_arguments_in_a_thread_of_the_streams(gate: Gate):
    called: list[object] = []
    s = lw.Stream()
    s.callback(gate.hold)
    s.callback(lambda *given: called.extend([*given, threading.current_thread() is threading.main_thread()]), 1, "two")
    assert called == []
    gate.open()
    s.synchronize()
    assert called == [1, "two", False]
    with pytest.raises(lw.LaunchError, match="callback: expected a function, not 3"):
        s.callback(3)  # type: ignore[arg-type]


def test_a_callback_may_not_launch_copy_or_wait(kernels: lw.Module, device: str):
    s, t, x = lw.Stream(device), lw.Stream(device), np.zeros(1, np.int32)
    forbidden = [
        lambda: kernels["add"].launch(1, 1, (x, 1), device=device),
        lambda: kernels["add"].launch(1, 1, (x, 1), stream=t),
        lambda: lw.copy_async(x, x.copy(), t),
        lambda: lw.to_device(x),
        s.synchronize,
        lw.synchronize,
        lambda: lw.Event().record(t),
    ]
    for function in forbidden:
        s.callback(function)
        with pytest.raises(lw.LaunchError, match=r"raised LaunchError: a host function in a stream can't launch"):
            s.synchronize()
    assert list(x) == [0]


def test_the_thread_of_a_stream_ends_with_it(kernels: lw.Module, gate: Gate):
    def threads(name: str) -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t.name == f"lanewise {name}"]

    x, s = np.zeros(1, np.int32), lw.Stream()
    name = s.name
    assert not threads(name)
    s.callback(gate.hold)
    kernels["add"].launch(1, 1, (x, 1), stream=s)
    (thread,) = threads(name)
    del s
    gc.collect()
    time.sleep(0.01)
    assert thread.is_alive()
    gate.open()
    thread.join(30)
    assert not thread.is_alive()
    assert list(x) == [1]


def test_a_stream_says_what_it_is():
    assert repr(lw.Stream()).startswith("<stream ")
    assert repr(lw.Stream(blocking=False)).endswith(", non-blocking>")
