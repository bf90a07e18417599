# SPDX-License-Identifier: Apache-2.0
"""What is recorded in a capture, and CUDA's rules for it."""

import numpy as np
import pytest

import lanewise as lw


def test_what_is_captured_is_not_done(kernels: lw.Module, device: str):
    s, x = lw.Stream(device), np.zeros(1, np.int32)
    called: list[int] = []
    with s.capture() as graph:
        assert s.capturing
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        lw.copy_async(x, np.ones(1, np.int32), s)
        lw.memset_async(x, 1, s)
        s.callback(called.append, 1)
    assert not s.capturing
    s.synchronize()
    assert list(x) == [0]
    assert called == []
    assert [node.kind for node in graph.nodes] == ["kernel", "copy", "fill", "host function"]
    assert [len(node.dependencies) for node in graph.nodes] == [0, 1, 1, 1]
    assert repr(graph.nodes[0]) == "<node: kernel add>"
    assert repr(graph) == "<graph of 4 nodes>"


def test_events_carry_dependencies_to_other_streams(kernels: lw.Module):
    s, t, x = lw.Stream(), lw.Stream(), np.zeros(1, np.int32)
    fork, join = lw.Event(), lw.Event()
    with s.capture() as graph:
        for stream in (s, t):
            kernels["add"].launch(1, 1, (x, 1), stream=s)
            fork.record(s)
            t.wait(fork)
            assert t.capturing
            kernels["add"].launch(1, 1, (x, 1), stream=stream)
        kernels["add"].launch(1, 1, (x, 1), stream=t)
        join.record(t)
        s.wait(join)
        kernels["add"].launch(1, 1, (x, 1), stream=s)
    assert not t.capturing
    index = {node: i for i, node in enumerate(graph.nodes)}
    found = [sorted(index[d] for d in node.dependencies) for node in graph.nodes]
    assert found == [[], [0], [1], [0, 2], [3], [2, 4]]


def test_a_fork_without_work_needs_no_join(kernels: lw.Module):
    s, t, e, x = lw.Stream(), lw.Stream(), lw.Event(), np.zeros(1, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        e.record(s)
        t.wait(e)
    assert len(graph.nodes) == 1
    assert not t.capturing


def test_an_empty_capture_is_a_graph_that_does_nothing():
    s = lw.Stream()
    with s.capture() as graph:
        pass
    graph.launch(s)
    graph.launch()
    s.synchronize()
    assert graph.nodes == ()


def test_work_that_is_not_joined_is_refused(kernels: lw.Module):
    s, t, e, x = lw.Stream(), lw.Stream(), lw.Event(), np.zeros(1, np.int32)
    capture = s.capture()
    graph = capture.__enter__()
    e.record(s)
    t.wait(e)
    kernels["add"].launch(1, 1, (x, 1), stream=t)
    with pytest.raises(lw.LaunchError, match=rf"{t.name} takes part .* {s.name}.*cudaErrorStreamCaptureUnjoined"):
        capture.__exit__(None, None, None)
    assert not s.capturing
    assert not t.capturing
    with pytest.raises(lw.LaunchError, match="the graph's capture has not ended, or has failed"):
        graph.launch()


@pytest.mark.parametrize("ask", ["synchronize", "query"])
def test_a_captured_stream_has_nothing_to_wait_for(ask: str):
    s = lw.Stream()
    with s.capture():
        with pytest.raises(lw.LaunchError, match=rf"{ask}: .*\(cudaErrorStreamCaptureUnsupported\)"):
            getattr(s, ask)()
        s.callback(print)


@pytest.mark.parametrize("ask", ["synchronize", "query"])
def test_nor_has_an_event_in_it(ask: str):
    s, t, e = lw.Stream(), lw.Stream(), lw.Event()
    with s.capture():
        e.record(s)
        with pytest.raises(lw.LaunchError, match=rf"{ask}: .*\(cudaErrorCapturedEvent\)"):
            getattr(e, ask)()
    with pytest.raises(lw.LaunchError, match=r"elapsed: .*\(cudaErrorCapturedEvent\)"):
        e.elapsed(e)
    with pytest.raises(lw.LaunchError, match=r"a capture that has ended.*\(cudaErrorCapturedEvent\)"):
        t.wait(e)
    e.record(s)
    e.synchronize()


def test_the_default_stream_is_refused_while_a_blocking_stream_is_captured(kernels: lw.Module):
    s, x = lw.Stream(), np.zeros(1, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        with pytest.raises(lw.LaunchError, match=rf"{s.name}, a blocking stream, .*\(cudaErrorStreamCaptureImplicit\)"):
            kernels["add"][1, 1](x, 10)
        with pytest.raises(lw.LaunchError, match="cudaErrorStreamCaptureImplicit"):
            lw.to_device(x)
    kernels["add"][1, 1](x, 100)
    graph.launch()
    assert list(x) == [101]


def test_it_is_allowed_while_another_is(kernels: lw.Module):
    s, x = lw.Stream(blocking=False), np.zeros(1, np.int32)
    with s.capture() as graph:
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        kernels["add"][1, 1](x, 10)
    assert list(x) == [10]
    graph.launch()
    assert list(x) == [11]


def test_captures_do_not_mix(kernels: lw.Module):
    s, t, outside = lw.Stream(), lw.Stream(), lw.Event()
    outside.record(lw.Stream())
    e = lw.Event()
    with s.capture(), t.capture():
        e.record(s)
        with pytest.raises(lw.LaunchError, match=r"in two captures \(cudaErrorStreamCaptureMerge\)"):
            t.wait(e)
        with pytest.raises(lw.LaunchError, match=r"\(cudaErrorStreamCaptureIsolation\)"):
            t.wait(outside)
        with pytest.raises(lw.LaunchError, match=r"is being captured already \(cudaErrorIllegalState\)"), s.capture():
            pass
    assert not s.capturing


def test_after_an_exception_there_is_no_graph_and_the_stream_is_free(kernels: lw.Module):
    s, x = lw.Stream(), np.zeros(1, np.int32)
    graphs: list[lw.Graph] = []

    def capture() -> None:
        with s.capture() as graph:
            graphs.append(graph)
            kernels["add"].launch(1, 1, (x, 1), stream=s)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        capture()
    with pytest.raises(lw.LaunchError, match="has failed"):
        graphs[0].launch(s)
    kernels["add"].launch(1, 1, (x, 10), stream=s)
    s.synchronize()
    assert list(x) == [10]
