# SPDX-License-Identifier: Apache-2.0
"""Events: waiting across streams, and the time between them."""

import time

import numpy as np
import pytest

import lanewise as lw

from .kernels import Gate


def test_a_stream_waits_for_an_event_of_another(kernels: lw.Module, device: str, gate: Gate):
    x, s, t, e = np.ones(1, np.int32), lw.Stream(device), lw.Stream(device, blocking=False), lw.Event()
    s.callback(gate.hold)
    kernels["add"].launch(1, 1, (x, 4), stream=s)
    e.record(s)
    t.wait(e)
    kernels["scale"].launch(1, 1, (x, 3), stream=t)
    assert not e.query()
    assert not t.query()
    gate.open()
    t.synchronize()
    assert list(x) == [15]
    assert e.query()


def test_a_wait_is_for_the_record_before_it(gate: Gate):
    s, t, e = lw.Stream(), lw.Stream(), lw.Event()
    s.record(e)
    t.wait(e)
    s.callback(gate.hold)
    s.record(e)
    t.synchronize()  # not held
    assert not e.query()
    gate.open()
    e.synchronize()
    assert e.query()


def test_an_event_that_was_never_recorded_is_done():
    s, e = lw.Stream(), lw.Event()
    assert e.query()
    e.synchronize()
    s.wait(e)
    s.synchronize()


def test_streams_that_wait_for_each_other_in_turn_come_to_an_end(kernels: lw.Module):
    x, s, t = np.zeros(1, np.int32), lw.Stream(), lw.Stream()
    for _ in range(50):
        for here, there in ((s, t), (t, s)):
            kernels["add"].launch(1, 1, (x, 1), stream=here)
            e = lw.Event()
            e.record(here)
            there.wait(e)
    s.synchronize()
    assert list(x) == [100]


def test_elapsed_is_in_milliseconds():
    s, start, end = lw.Stream(), lw.Event(), lw.Event()
    start.record(s)
    s.callback(time.sleep, 0.02)
    end.record(s)
    end.synchronize()
    assert 20 <= end.elapsed(start) < 20000
    assert start.elapsed(end) == -end.elapsed(start)
    later = lw.Event()
    later.record()
    assert later.elapsed(start) > end.elapsed(start)


def test_elapsed_needs_two_that_are_done(gate: Gate):
    s, start, end = lw.Stream(blocking=False), lw.Event(), lw.Event()
    start.record()
    with pytest.raises(lw.LaunchError, match=r"the event was never recorded \(cudaErrorInvalidResourceHandle\)"):
        end.elapsed(start)
    s.callback(gate.hold)
    end.record(s)
    with pytest.raises(lw.LaunchError, match=r"the event is not done \(cudaErrorNotReady\)"):
        end.elapsed(start)


def test_the_default_stream_s_event_is_behind_blocking_streams():
    s, e, f = lw.Stream(), lw.Event(), lw.Event()
    s.callback(time.sleep, 0.01)
    e.record(s)
    f.record()
    assert e.query()
    assert f.elapsed(e) >= 0


def test_only_events_are_waited_for():
    s = lw.Stream()
    with pytest.raises(lw.LaunchError, match=r"wait: expected an lw\.Event"):
        s.wait(s)  # type: ignore[arg-type]
    with pytest.raises(lw.LaunchError, match=r"record: stream must be an lw\.Stream or None, not 3"):
        lw.Event().record(3)  # type: ignore[arg-type]
    with pytest.raises(lw.LaunchError, match=r"record: expected an lw\.Event"):
        s.record(None)  # type: ignore[arg-type]
