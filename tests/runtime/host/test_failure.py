# SPDX-License-Identifier: Apache-2.0
"""Failures of work: python -m pytest tests/runtime/host/test_failure.py"""

import ctypes

from .driver import Gate, Host, Kind, Result


def test_work_after_a_failure_is_dropped_until_that_is_taken(host: Host):
    queue, log = host.queue(), host.log()
    host.launch(queue, "trap")
    log.note(queue, 1)
    assert [host.queue_synchronize(queue), host.queue_query(queue)] == [Result.LAUNCH_FAILED] * 2
    assert host.explanation == "kernel trap failed"
    result, kernel, status, _ = host.failure(queue)
    assert (result, kernel, status.kind, status.thread[0]) == (Result.LAUNCH_FAILED, "trap", Kind.TRAP, 7)
    host.queue_clear_failure(queue)
    log.note(queue, 2)
    assert host.queue_synchronize(queue) == 0
    assert log.entries == [2]


def test_a_function_fails_by_what_it_returns(host: Host):
    queue, log = host.queue(), host.log()
    host.call(queue, lambda: -5)
    log.note(queue, 1)
    assert host.queue_synchronize(queue) == Result.WORK_FAILED
    assert host.explanation == "a function in the queue returned -5"
    result, kernel, _, returned = host.failure(queue)
    assert (result, kernel, ctypes.c_int32(returned).value) == (Result.WORK_FAILED, None, -5)
    assert log.entries == []


def test_a_function_that_is_dropped_is_told(host: Host):
    queue, seen = host.queue(), []
    host.launch(queue, "trap")
    host.call(queue, lambda: seen.append("called") or 0, lambda: seen.append("dropped"))
    host.call(queue, lambda: seen.append("called") or 0)
    assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED
    assert seen == ["dropped"]


def test_a_failure_follows_the_order_of_queues(host: Host):
    """It reaches those who wait for what has failed, not those who wait for earlier work."""
    failing, early, late, log = host.queue(), host.queue(), host.queue(), host.log()
    before, after = host.event(), host.event()
    host.event_record(before, failing)
    host.launch(failing, "trap")
    host.event_record(after, failing)
    assert host.queue_synchronize(failing) == Result.LAUNCH_FAILED
    for queue, event in ((early, before), (late, after)):
        assert host.queue_wait(queue, event) == 0
        log.note(queue, queue == late)
    assert host.queue_synchronize(early) == 0
    assert host.queue_synchronize(late) == Result.LAUNCH_FAILED
    assert log.entries == [0]
    assert host.failure(late)[1] == "trap"
    assert host.event_query(after) == 0  # so that nobody waits for ever


def test_the_hook_is_called_before_those_who_wait_go_on(host: Host, gate: Gate):
    queue, seen = host.queue(), []
    host.hook(lambda of, launch, status: seen.append((of, launch.block[0], status.kind, host.queue_query(of))))
    host.hold(queue, gate)
    host.launch(queue, "trap", block=(32, 1, 1))
    gate.open()
    assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED
    assert seen == [(queue, 32, Kind.TRAP, Result.NOT_READY)]


def test_the_explanation_is_that_of_the_last_call_that_failed(host: Host, gate: Gate):
    queue, event = host.queue(), host.event()
    assert host.launch(queue, "nothing", block=(0, 1, 1)) == Result.BAD_GEOMETRY
    host.hold(queue, gate)
    host.event_record(event, queue)
    assert host.queue_query(queue) == Result.NOT_READY
    assert host.explanation == "the queue has work"
    assert host.event_query(event) == Result.NOT_READY
    assert host.explanation == "the event is not reached yet"
    host.launch(queue, "trap")
    gate.open()
    assert host.synchronize() == Result.LAUNCH_FAILED
    assert host.explanation == "kernel trap failed"
