# SPDX-License-Identifier: Apache-2.0
"""Launches of graphs: their order, what runs at once, changed arguments, failures."""

import gc
import threading
import time

import numpy as np
import pytest

import lanewise as lw

from .kernels import Gate


def test_each_launch_does_the_work_once(kernels: lw.Module, device: str):
    s, x = lw.Stream(device), np.ones(4, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 4, (x, 1), stream=s)
        kernels["scale"].launch(1, 4, (x, 2), stream=s)
    graph.launch(s)
    graph.launch(s)
    s.synchronize()
    assert (x == 10).all()
    graph.launch()
    assert (x == 22).all()


def fork_and_join(kernels: lw.Module, s: lw.Stream, t: lw.Stream, x: np.ndarray, y: np.ndarray) -> lw.Graph:
    """x = (x + 1) * 2 in s and y = y + x + ... in t, where both meet."""
    fork, join = lw.Event(), lw.Event()
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        fork.record(s)
        t.wait(fork)
        lw.copy_async(y, x, t)
        kernels["scale"].launch(1, 1, (y, 10), stream=t)
        join.record(t)
        s.wait(join)
        kernels["scale"].launch(1, 1, (x, 2), stream=s)
    return graph


def test_a_graph_of_two_streams(kernels: lw.Module, device: str):
    s, t = lw.Stream(device), lw.Stream(device)
    x, y = np.zeros(1, np.int32), np.zeros(1, np.int32)
    graph = fork_and_join(kernels, s, t, x, y)
    expected_x = 0
    for stream in (s, t, None, lw.Stream(blocking=False)):
        graph.launch(stream)
        lw.synchronize()
        expected_y, expected_x = 10 * (expected_x + 1), 2 * (expected_x + 1)
        assert (x[0], y[0]) == (expected_x, expected_y)


def test_independent_nodes_run_at_once(kernels: lw.Module):
    a, b, met = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)
    s, t, fork, join = lw.Stream("cpu"), lw.Stream("cpu"), lw.Event(), lw.Event()
    with s.capture() as graph:
        fork.record(s)
        t.wait(fork)
        kernels["meet"].launch(1, 1, (a, b, met[:1]), stream=s)
        kernels["meet"].launch(1, 1, (b, a, met[1:]), stream=t)
        join.record(t)
        s.wait(join)
    for stream in (s, None):
        for array in (a, b, met):
            array[...] = 0
        graph.launch(stream)
        lw.synchronize()
        assert list(met) == [1, 1]


def test_launches_of_one_graph_never_overlap(kernels: lw.Module):
    """Not even in streams that are not in order with each other: the kernels aren't atomic."""
    streams = [lw.Stream(blocking=False) for _ in range(3)]
    s, x = streams[0], np.zeros(256, np.int32)
    with s.capture() as graph:
        for _ in range(4):
            kernels["add"].launch(1, 256, (x, 1), stream=s)
    for _ in range(50):
        for stream in streams:
            graph.launch(stream)
    lw.synchronize()
    assert (x == 600).all()


def test_a_launch_is_behind_the_one_before_in_another_stream(kernels: lw.Module, gate: Gate):
    s, t, x = lw.Stream(), lw.Stream(), np.zeros(1, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
    s.callback(gate.hold)
    graph.launch(s)
    graph.launch(t)
    time.sleep(0.02)
    assert list(x) == [0]
    assert not t.query()
    gate.open()
    t.synchronize()
    assert list(x) == [2]


def test_changed_arguments_are_those_of_later_launches(kernels: lw.Module, device: str):
    s, x, y = lw.Stream(device), np.zeros(1, np.int32), np.zeros(1, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
    s.callback(time.sleep, 0.01)
    graph.launch(s)
    node = graph.nodes[0]
    assert node.arguments[1] == 1
    node.arguments = (y, 5)
    graph.launch(s)
    s.synchronize()
    assert (x[0], y[0]) == (1, 5)
    with pytest.raises(lw.LaunchError, match="kernel add takes 2 arguments"):
        node.arguments = (y,)
    graph.launch()
    assert (x[0], y[0]) == (1, 10)


def test_graphs_are_launched_in_streams():
    s = lw.Stream()
    with s.capture() as graph:
        pass
    with pytest.raises(lw.LaunchError, match=r"graph\.launch: stream must be an lw\.Stream or None, not 'fast'"):
        graph.launch("fast")  # type: ignore[arg-type]


def test_only_kernels_have_arguments():
    s = lw.Stream()
    with s.capture() as graph:
        s.callback(print)
    with pytest.raises(lw.LaunchError, match="only a kernel's node has arguments; this is a host function"):
        graph.nodes[0].arguments = ()


@pytest.mark.faults
def test_a_failure_stops_the_rest(kernels: lw.Module, device: str):
    s, t, x, y = lw.Stream(device), lw.Stream(device), np.zeros(1, np.int32), np.zeros(1, np.int32)
    fork, join = lw.Event(), lw.Event()
    with s.capture() as graph:
        fork.record(s)
        t.wait(fork)
        kernels["trap"].launch(1, 1, (), stream=t)
        join.record(t)
        s.wait(join)
        kernels["add"].launch(1, 1, (x, 1), stream=s)
    graph.launch(s)
    with pytest.raises(lw.LaunchError, match="kernel trap"):
        s.synchronize()
    with pytest.raises(lw.LaunchError, match="kernel trap"):
        graph.launch()
    assert (x[0], y[0]) == (0, 0)


def test_a_graph_in_a_graph(kernels: lw.Module):
    s, t, x, y = lw.Stream(), lw.Stream(), np.zeros(1, np.int32), np.zeros(1, np.int32)
    inner = fork_and_join(kernels, s, t, x, y)
    with s.capture() as outer:
        inner.launch(s)
        inner.launch(s)
        kernels["add"].launch(1, 1, (y, 1), stream=s)
    assert [node.kind for node in outer.nodes] == ["graph", "graph", "kernel"]
    outer.launch(s)
    s.synchronize()
    assert (x[0], y[0]) == (6, 31)


def test_the_threads_of_a_graph_end_with_it(kernels: lw.Module):
    s, t, x, y = lw.Stream(), lw.Stream(), np.zeros(1, np.int32), np.zeros(1, np.int32)
    before = set(threading.enumerate())
    graph = fork_and_join(kernels, s, t, x, y)
    graph.launch(s)
    graph.launch()
    started = set(threading.enumerate()) - before
    assert len(started) == 3  # the stream's, and one for each part
    del graph, s, t
    gc.collect()
    for thread in started:
        thread.join(30)
        assert not thread.is_alive()
