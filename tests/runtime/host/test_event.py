# SPDX-License-Identifier: Apache-2.0
"""Events: python -m pytest tests/runtime/host/test_event.py"""

import ctypes
import time

from .driver import NO_TIMING, NON_BLOCKING, Gate, Host, Result


def elapsed(host: Host, start: int, end: int) -> tuple[Result, float]:
    milliseconds = ctypes.c_float()
    return Result(host.event_elapsed(ctypes.byref(milliseconds), start, end)), milliseconds.value


def test_an_event_that_was_never_recorded_holds_nobody(host: Host):
    event, queue = host.event(), host.queue()
    assert [host.event_query(event), host.event_synchronize(event), host.queue_wait(queue, event)] == [0] * 3
    assert elapsed(host, event, event)[0] == Result.INVALID
    host.event_destroy(event)


def test_an_event_is_reached_with_the_work_before_it(host: Host, gate: Gate):
    event, queue, log, later = host.event(), host.queue(), host.log(), Gate()
    host.hold(queue, gate)
    log.note(queue, 1)
    assert host.event_record(event, queue) == 0
    host.hold(queue, later)
    assert host.event_query(event) == Result.NOT_READY
    assert elapsed(host, event, event)[0] == Result.NOT_READY
    gate.open()
    assert host.event_synchronize(event) == 0
    assert log.entries == [1]
    assert host.event_query(event) == 0
    assert host.queue_query(queue) == Result.NOT_READY
    later.open()


def test_the_time_between_events(host: Host):
    start, end, queue = host.event(), host.event(), host.queue()
    host.event_record(start, queue)
    host.call(queue, lambda: time.sleep(0.03) or 0)
    host.event_record(end, queue)
    assert host.queue_synchronize(queue) == 0
    result, milliseconds = elapsed(host, start, end)
    assert result == 0
    assert 30 <= milliseconds < 3000
    assert elapsed(host, end, start) == (0, -milliseconds)


def test_events_without_timing(host: Host):
    event, queue = host.event(NO_TIMING), host.queue()
    host.event_record(event, queue)
    assert host.event_synchronize(event) == 0
    assert elapsed(host, event, event)[0] == Result.INVALID


def test_a_queue_waits_for_an_event(host: Host, gate: Gate):
    event, log = host.event(), host.log()
    first, second = host.queue(NON_BLOCKING), host.queue(NON_BLOCKING)
    host.hold(first, gate)
    log.note(first, 1)
    host.event_record(event, first)
    log.note(second, 0)
    assert host.queue_wait(second, event) == 0
    log.note(second, 2)
    time.sleep(0.02)
    assert log.entries == [0]
    gate.open()
    assert host.queue_synchronize(second) == 0
    assert log.entries == [0, 1, 2]


def test_a_wait_is_for_the_event_as_it_was_recorded_then(host: Host, gate: Gate):
    """Neither a later record, nor the end of the event and of its queue, changes what others wait for."""
    event, log, handle = host.event(), host.log(), ctypes.c_void_p()
    assert host.queue_create(NON_BLOCKING, 0, ctypes.byref(handle)) == 0
    waiting, busy, later = host.queue(NON_BLOCKING), host.queue(NON_BLOCKING), Gate()
    host.hold(handle.value or 0, gate)
    log.note(handle.value or 0, 1)
    host.event_record(event, handle)
    host.queue_wait(waiting, event)
    log.note(waiting, 2)
    host.hold(busy, later)
    host.event_record(event, busy)
    host.event_destroy(event)
    host.queue_destroy(handle)
    time.sleep(0.02)
    assert log.entries == []
    gate.open()
    assert host.queue_synchronize(waiting) == 0
    assert log.entries == [1, 2]
    later.open()
