# SPDX-License-Identifier: Apache-2.0
"""Graphs and captures: python -m pytest tests/runtime/host/test_graph.py"""

import ctypes

from .driver import FUNCTION, NON_BLOCKING, Box, Gate, Host, Pitch, Result


def run(host: Host, graph: int, times: int = 1) -> Result:
    queue = host.queue()
    for _ in range(times):
        assert host.graph_launch(graph, queue) == 0
    return Result(host.queue_synchronize(queue))


def captured_notes(host: Host, *values: int):
    """A graph that notes these numbers, and the log."""
    queue, log = host.queue(), host.log()
    assert host.capture_begin(queue) == 0
    for value in values:
        assert log.note(queue, value) == 0
    result, graph = host.end_capture(queue)
    assert result == 0
    return graph, log


def test_captured_work_is_done_by_launches_of_the_graph(host: Host):
    graph, log = captured_notes(host, 1, 2, 3)
    assert log.entries == []
    assert host.graph_size(graph) == 3
    assert run(host, graph, times=2) == 0
    assert log.entries == [1, 2, 3] * 2
    host.graph_destroy(graph)


def test_a_queue_that_waits_for_a_captured_one_takes_part(host: Host):
    first, second, log = host.queue(), host.queue(NON_BLOCKING), host.log()
    fork, join = host.event(), host.event()
    assert host.capture_begin(first) == 0
    log.note(first, 1)
    host.event_record(fork, first)
    assert host.queue_wait(second, fork) == 0
    assert [host.is_captured(first), host.is_captured(second)] == [1, 1]
    log.note(second, 2)
    host.event_record(join, second)
    assert host.queue_wait(first, join) == 0
    log.note(first, 3)
    result, graph = host.end_capture(first)
    assert result == 0
    assert [host.is_captured(first), host.is_captured(second)] == [0, 0]
    assert run(host, graph) == 0
    assert log.entries == [1, 2, 3]
    assert host.queue_wait(second, fork) == Result.INVALID
    assert "capture that has ended" in host.explanation


def test_a_capture_ends_with_all_queues_joined(host: Host):
    first, second, log, event = host.queue(), host.queue(), host.log(), host.event()
    host.capture_begin(first)
    host.event_record(event, first)
    host.queue_wait(second, event)
    log.note(second, 1)
    assert host.end_capture(second) == (Result.INVALID, 0)  # it began elsewhere
    assert host.end_capture(first) == (Result.INVALID, 0)
    assert "has not waited for" in host.explanation
    assert [host.is_captured(first), host.is_captured(second)] == [0, 0]
    log.note(second, 2)
    assert host.queue_synchronize(second) == 0
    assert log.entries == [2]


def test_captures_that_cannot_begin_or_end(host: Host):
    queue = host.queue()
    assert host.end_capture(queue) == (Result.INVALID, 0)
    assert host.capture_begin(host.default_queue()) == Result.INVALID
    assert host.capture_begin(queue) == 0
    assert host.capture_begin(queue) == Result.INVALID
    assert host.end_capture(queue)[0] == 0


def test_a_captured_queue_is_not_waited_for(host: Host):
    queue, other, event, outside = host.queue(), host.queue(), host.event(), host.event()
    host.event_record(outside, other)
    host.capture_begin(queue)
    host.event_record(event, queue)
    calls = [host.queue_synchronize(queue), host.queue_query(queue), host.event_synchronize(event)]
    assert [*calls, host.event_query(event), host.queue_wait(queue, outside)] == [Result.INVALID] * 5
    assert host.end_capture(queue)[0] == 0
    assert host.queue_synchronize(queue) == 0


def test_a_capture_ends_with_the_queue_where_it_began(host: Host):
    handle, other, event, log = ctypes.c_void_p(), host.queue(), host.event(), host.log()
    assert host.queue_create(0, 0, ctypes.byref(handle)) == 0
    assert host.capture_begin(handle) == 0
    host.event_record(event, handle)
    host.queue_wait(other, event)
    host.queue_destroy(handle)
    assert host.is_captured(other) == 0
    log.note(other, 1)
    assert host.queue_synchronize(other) == 0
    assert log.entries == [1]
    assert host.queue_wait(other, event) == Result.INVALID


def test_nodes_that_are_added_one_by_one(host: Host):
    graph, log, seen = host.graph(), host.log(), []
    source, target = host.words(2)[0], host.words(2)
    flat, box = Pitch(8, 8), Box(8, 1, 1)
    function = FUNCTION(lambda _: seen.append((log.entries, list(target[1]))) or 0)
    assert host.graph_add_fill(graph, source, flat, 7, 1, box, *host.node()) == 0
    assert host.graph_add_copy(graph, target[0], flat, source, flat, box, *host.node([0])) == 0
    assert host.graph_add_launch(graph, ctypes.byref(log.request(5)), *host.node([0])) == 0
    assert host.graph_add_call(graph, function, None, *host.node([1, 2])) == 0
    assert host.graph_add_call(graph, function, None, *host.node([4])) == Result.INVALID
    assert "node 4" in host.explanation
    assert host.graph_size(graph) == 4
    assert run(host, graph) == 0
    assert seen == [([5], [0x0707070707070707, 0])]


def test_a_copy_of_a_graph_is_one_of_its_own(host: Host):
    graph, log = captured_notes(host, 1)
    copy = ctypes.c_void_p()
    assert host.graph_copy(graph, ctypes.byref(copy)) == 0
    assert host.graph_add_launch(graph, ctypes.byref(log.request(2)), *host.node([0])) == 0
    host.graph_destroy(graph)
    assert host.graph_size(copy) == 1
    assert run(host, copy.value or 0) == 0
    assert log.entries == [1]


def test_a_graph_that_is_destroyed_is_still_run(host: Host, gate: Gate):
    graph, log = captured_notes(host, 1, 2)
    queue = host.queue()
    host.hold(queue, gate)
    assert host.graph_launch(graph, queue) == 0
    host.graph_destroy(graph)
    gate.open()
    assert host.queue_synchronize(queue) == 0
    assert log.entries == [1, 2]


def test_after_a_node_that_fails_the_others_are_dropped(host: Host):
    """Also where all of a graph is dropped, or it is a node of another one."""
    inner, outer, log, seen = host.queue(), host.queue(), host.log(), []
    host.capture_begin(inner)
    log.note(inner, 1)
    host.launch(inner, "trap")
    host.call(inner, lambda: seen.append("called") or 0, lambda: seen.append("dropped"))
    log.note(inner, 2)
    graph = host.end_capture(inner)[1]
    host.capture_begin(outer)
    host.graph_launch(graph, outer)
    log.note(outer, 3)
    host.graph_launch(graph, outer)
    whole = host.end_capture(outer)[1]
    assert run(host, whole, times=2) == Result.LAUNCH_FAILED
    assert host.explanation == "kernel trap failed"
    assert log.entries == [1]
    assert seen == ["dropped"] * 4
