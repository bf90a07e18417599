# SPDX-License-Identifier: Apache-2.0
"""What fails in a stream stops it, and what waits for it, until it is raised; it is never lost."""

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.streams import failures

from .kernels import Gate


@pytest.mark.faults
def test_a_failure_is_raised_once_and_names_the_kernel(kernels: lw.Module, device: str):
    s, x = lw.Stream(device), np.zeros(1, np.int32)
    kernels["trap"].launch(1, 1, (), stream=s)
    kernels["add"].launch(1, 1, (x, 1), stream=s)  # dropped
    with pytest.raises(lw.LaunchError, match=r"(?s)kernel trap.*block \(0, 0, 0\), thread \(0, 0, 0\)"):
        s.synchronize()
    s.synchronize()
    kernels["add"].launch(1, 1, (x, 10), stream=s)
    s.synchronize()
    assert list(x) == [10]


@pytest.mark.faults
def test_an_assertion_has_its_text(kernels: lw.Module, device: str):
    s = lw.Stream(device)
    kernels["check"].launch(1, 1, (0,), stream=s)
    with pytest.raises(lw.LaunchError, match="n > 0"):
        s.synchronize()


def failed(kernels: lw.Module, blocking: bool = False) -> lw.Stream:
    """A stream that has failed, and is done."""
    s, e = lw.Stream(blocking=blocking), lw.Event()
    kernels["trap"].launch(1, 1, (), stream=s)
    e.record(s)
    with pytest.raises(lw.LaunchError, match="kernel trap"):
        e.synchronize()
    return s


def clear(*streams: lw.Stream) -> None:
    for stream in streams:
        with pytest.raises(lw.LaunchError, match="kernel trap"):
            stream.synchronize()


def test_questions_raise_it_and_leave_it(kernels: lw.Module):
    s, e = failed(kernels), lw.Event()
    e.record(s)
    for ask in (s.query, e.synchronize, e.query, lw.synchronize):
        with pytest.raises(lw.LaunchError, match="kernel trap"):
            ask()
    clear(s)
    assert s.query()


def test_what_waits_for_it_fails(kernels: lw.Module):
    s, t, e, x = failed(kernels), lw.Stream(), lw.Event(), np.zeros(1, np.int32)
    e.record(s)
    t.wait(e)
    kernels["add"].launch(1, 1, (x, 1), stream=t)
    clear(s, t)
    assert list(x) == [0]


def test_what_waits_for_it_fails_though_it_has_been_raised_meanwhile(kernels: lw.Module, gate: Gate):
    s, t, e, x = lw.Stream(blocking=False), lw.Stream(blocking=False), lw.Event(), np.zeros(1, np.int32)
    kernels["trap"].launch(1, 1, (), stream=s)
    e.record(s)
    t.callback(gate.hold)
    t.wait(e)
    kernels["add"].launch(1, 1, (x, 1), stream=t)
    clear(s)
    s.synchronize()
    gate.open()
    clear(t)
    with pytest.raises(lw.LaunchError, match="kernel trap"):
        e.synchronize()
    assert list(x) == [0]


def test_failures_are_kept_as_long_as_somebody_can_ask(kernels: lw.Module):
    """And no longer: they refer to arrays."""
    s, e = lw.Stream(blocking=False), lw.Event()
    kept: list[weakref.ref[Any]] = []
    for _ in range(4):
        big = np.zeros(8, np.int32)
        kernels["trap"].launch(1, 1, (), stream=s)
        s.callback(print, big)
        kept.append(weakref.ref(big))
        del big
        e.record(s)
        clear(s)
    with pytest.raises(lw.LaunchError, match="kernel trap"):
        e.synchronize()
    gc.collect()
    assert len(failures._failures) <= 3
    assert all(reference() is None for reference in kept)


def test_the_default_stream_refuses_to_run_behind_it(kernels: lw.Module):
    s, x = failed(kernels, blocking=True), np.zeros(1, np.int32)
    with pytest.raises(lw.LaunchError, match=rf"the default stream waits for {s.name}, which has failed: kernel trap"):
        kernels["add"][1, 1](x, 1)
    clear(s)
    kernels["add"][1, 1](x, 1)
    assert list(x) == [1]


def test_what_a_callback_raises_is_raised_with_its_name():
    def mistake() -> None:
        raise ValueError("not today")

    s = lw.Stream()
    s.callback(mistake)
    with pytest.raises(lw.LaunchError, match=r"host function .*mistake raised ValueError: not today") as caught:
        s.synchronize()
    assert isinstance(caught.value.__cause__, ValueError)


def test_what_nobody_was_told_is_shown_when_the_stream_ends(kernels: lw.Module, monkeypatch: pytest.MonkeyPatch):
    shown: list[Any] = []
    ended = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda args: (shown.append(args), ended.set()))
    s = failed(kernels)
    del s
    gc.collect()
    assert ended.wait(30)
    assert "kernel trap" in str(shown[0].exc_value)


def test_a_kernel_that_can_not_be_compiled_fails_its_stream():
    module = lw.compile("extern __device__ void nowhere(); __global__ void k() { nowhere(); }", language="cuda")
    s = lw.Stream()
    module["k"].launch(1, 1, (), stream=s)
    with pytest.raises(lw.CompileError, match="nowhere"):
        s.synchronize()
