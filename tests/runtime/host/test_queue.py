# SPDX-License-Identifier: Apache-2.0
"""Queues: python -m pytest tests/runtime/host/test_queue.py"""

import ctypes
import os
import select
import threading
import time
from collections.abc import Callable

import pytest

from .driver import NON_BLOCKING, SIZES, WAITED_FOR, Box, Gate, Host, Pitch, Result


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_structures_have_the_sizes_of_the_header():
    assert {name: ctypes.sizeof(each) for name, each in SIZES.items()} == {
        "lw_allocation": 24, "lw_kernel_launch": 48, "lw_box": 24, "lw_pitch": 16, "lw_status": 3152,
    }  # fmt: skip


def test_a_queue_knows_how_it_was_made(host: Host):
    queue = host.queue(NON_BLOCKING, -3)
    assert (host.queue_flags_of(queue), host.queue_priority(queue)) == (NON_BLOCKING, -3)
    assert (host.queue_flags_of(host.default_queue()), host.queue_priority(host.default_queue())) == (0, 0)
    assert host.default_queue() == host.default_queue()


def test_work_is_done_in_order(host: Host):
    queue, log = host.queue(), host.log()
    for value in range(500):
        assert log.note(queue, value) == 0
    assert host.queue_synchronize(queue) == 0
    assert log.entries == list(range(500))


def test_work_is_done_though_nobody_waits(host: Host):
    queue, log = host.queue(), host.log()
    log.note(queue, 1)
    wait_until(lambda: log.entries == [1])
    wait_until(lambda: host.queue_query(queue) == 0)


def test_query(host: Host, gate: Gate):
    queue = host.queue()
    assert host.queue_query(queue) == 0
    host.hold(queue, gate)
    assert host.queue_query(queue) == Result.NOT_READY
    gate.open()
    assert host.queue_synchronize(queue) == 0
    assert host.queue_query(queue) == 0


def test_queues_are_concurrent(host: Host, gate: Gate):
    held, free, log = host.queue(), host.queue(), host.log()
    host.hold(held, gate)
    log.note(free, 1)
    assert host.queue_synchronize(free) == 0
    assert log.entries == [1]
    assert host.queue_query(held) == Result.NOT_READY


def test_the_work_of_a_queue_that_is_destroyed_is_done(host: Host, gate: Gate):
    handle, log = ctypes.c_void_p(), host.log()
    assert host.queue_create(0, 0, ctypes.byref(handle)) == 0
    queue = handle.value or 0
    host.hold(queue, gate)
    log.note(queue, 1)
    host.queue_destroy(queue)
    assert log.entries == []
    gate.open()
    wait_until(lambda: log.entries == [1])


def threads_of_process() -> int:
    return len(os.listdir("/proc/self/task"))


def threads_that_stay() -> int:
    """Number of threads once those of earlier tests' queues have ended."""
    while True:
        threads = threads_of_process()
        time.sleep(0.05)
        if threads_of_process() == threads:
            return threads


def test_threads_end_with_their_queues(host: Host):
    for _ in range(3):
        host.launch(host.default_queue(), "nothing")
        assert host.synchronize() == 0
    before = threads_that_stay()
    for _ in range(50):
        handle = ctypes.c_void_p()
        assert host.queue_create(0, 0, ctypes.byref(handle)) == 0
        assert host.launch(handle.value or 0, "nothing") == 0
        host.queue_destroy(handle.value)
    wait_until(lambda: threads_of_process() <= before)


def test_a_queue_that_is_waited_for_has_no_thread(host: Host):
    host.launch(host.default_queue(), "nothing")
    assert host.synchronize() == 0
    before = threads_that_stay()
    queue, log = host.queue(NON_BLOCKING | WAITED_FOR), host.log()
    for value in range(20):
        log.note(queue, value)
        assert host.queue_synchronize(queue) == 0
        assert threads_of_process() == before
    assert log.entries == list(range(20))


def destroy_while_a_thread_waits(host: Host) -> bool:
    """True if that thread did the last work of the queue, and not the queue's own."""
    handle, running, destroyed, doing = ctypes.c_void_p(), threading.Event(), threading.Event(), []
    assert host.queue_create(0, 0, ctypes.byref(handle)) == 0
    queue = handle.value or 0
    assert host.launch(queue, "nothing") == 0
    assert host.queue_synchronize(queue) == 0
    time.sleep(0.002)  # its thread sleeps

    def last() -> int:
        doing.append(threading.get_ident())
        running.set()
        return 0 if destroyed.wait(30) else 1

    def wait() -> None:
        assert host.call(queue, last) == 0
        assert host.queue_synchronize(queue) == 0

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert running.wait(30)
    done_by_waiting = doing == [waiting.ident]
    if done_by_waiting:
        host.queue_destroy(queue)
        time.sleep(0.005)  # the queue's own thread sleeps again
    destroyed.set()
    waiting.join()
    if not done_by_waiting:
        host.queue_destroy(queue)
    return done_by_waiting


def test_a_thread_ends_though_another_one_did_the_last_work(host: Host):
    assert host.synchronize() == 0
    before = threads_that_stay()
    while not destroy_while_a_thread_waits(host):
        pass
    wait_until(lambda: threads_of_process() <= before)


# ---- Copies and fills --------------------------------------------------------------------------------------------


def test_a_copy_of_one_row_may_overlap(host: Host):
    memory = ctypes.create_string_buffer(b"0123456789", 10)
    address, queue = ctypes.addressof(memory), host.queue()
    assert host.copy(queue, address + 2, address, 8) == 0
    assert host.queue_synchronize(queue) == 0
    assert memory.raw == b"0101234567"


def test_a_copy_of_planes(host: Host):
    source = ctypes.create_string_buffer(bytes(range(200)), 200)
    target = ctypes.create_string_buffer(200)
    queue = host.queue()
    assert (
        host.queue_copy(
            queue, ctypes.addressof(target), Pitch(5, 30), ctypes.addressof(source), Pitch(10, 50), Box(3, 4, 2)
        )
        == 0
    )
    assert host.queue_synchronize(queue) == 0
    expected = bytearray(200)
    for plane in range(2):
        for row in range(4):
            at, start = plane * 30 + row * 5, plane * 50 + row * 10
            expected[at : at + 3] = bytes(range(start, start + 3))
    assert target.raw == bytes(expected[:200])


@pytest.mark.parametrize("value_bytes", [1, 2, 4])
def test_a_fill_repeats_the_lowest_bytes(host: Host, value_bytes: int):
    target, queue = ctypes.create_string_buffer(64), host.queue()
    pitch, box = Pitch(16, 32), Box(8, 2, 2)
    assert host.queue_fill(queue, ctypes.addressof(target), pitch, 0x11223344, value_bytes, box) == 0
    assert host.queue_synchronize(queue) == 0
    row = (0x11223344).to_bytes(4, "little")[:value_bytes] * (8 // value_bytes) + bytes(8)
    assert target.raw == row * 4


def test_wrong_copies_and_fills(host: Host):
    queue, flat = host.queue(), Pitch(8, 8)
    for value_bytes in (0, 3, 8):
        assert host.queue_fill(queue, 0, flat, 1, value_bytes, Box(8, 1, 1)) == Result.INVALID
    assert host.copy(queue, 0, 0, 8) == Result.INVALID
    assert host.copy(queue, 0, 0, 0) == 0
    assert host.queue_synchronize(queue) == 0


# ---- Functions ---------------------------------------------------------------------------------------------------


def test_functions_are_called_in_order(host: Host):
    queue, seen, log = host.queue(), [], host.log()
    for value in range(10):
        log.note(queue, value)
        assert host.call(queue, lambda value=value: seen.append((value, len(log.entries))) or 0) == 0
    assert host.queue_synchronize(queue) == 0
    assert seen == [(value, value + 1) for value in range(10)]


def test_functions_cannot_wait(host: Host):
    queue, other, event, seen = host.queue(), host.queue(), host.event(), []

    def ask() -> int:
        seen.extend([host.queue_synchronize(other), host.synchronize(), host.event_synchronize(event)])
        return 0

    host.call(queue, ask)
    assert host.queue_synchronize(queue) == 0
    assert seen == [Result.NOT_PERMITTED] * 3
    assert host.queue_synchronize(other) == 0


def test_functions_that_are_dropped_cannot_wait(host: Host):
    queue, other, seen = host.queue(), host.queue(), []
    host.launch(queue, "trap")
    host.call(queue, lambda: 0, lambda: seen.append(host.queue_synchronize(other)))
    assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED
    assert seen == [Result.NOT_PERMITTED]


def test_a_function_may_add_work(host: Host):
    queue, log = host.queue(), host.log()
    host.call(queue, lambda: int(log.note(queue, 1)))
    assert host.queue_synchronize(queue) == 0
    assert host.queue_synchronize(queue) == 0
    assert log.entries == [1]


# ---- The default queue -------------------------------------------------------------------------------------------


def test_the_default_queue_comes_after_blocking_queues(host: Host, gate: Gate):
    a, b, log = host.queue(), host.queue(), host.log()
    host.hold(a, gate)
    log.note(a, 1)
    log.note(host.default_queue(), 2)
    log.note(b, 3)  # after the default queue's
    time.sleep(0.02)
    assert log.entries == []
    gate.open()
    assert host.synchronize() == 0
    assert log.entries == [1, 2, 3]


def test_blocking_queues_come_after_the_default_queue(host: Host, gate: Gate):
    queue, log = host.queue(), host.log()
    host.hold(host.default_queue(), gate)
    log.note(queue, 1)
    time.sleep(0.02)
    assert log.entries == []
    gate.open()
    assert host.queue_synchronize(queue) == 0
    assert log.entries == [1]


def test_only_present_work_comes_before(host: Host, gate: Gate):
    queue, log = host.queue(), host.log()
    log.note(queue, 1)
    log.note(host.default_queue(), 2)
    assert host.queue_synchronize(host.default_queue()) == 0
    host.hold(queue, gate)
    assert log.entries == [1, 2]
    assert host.queue_synchronize(host.default_queue()) == 0


def test_non_blocking_queues_are_in_no_order_with_it(host: Host, gate: Gate):
    queue, log = host.queue(NON_BLOCKING), host.log()
    host.hold(queue, gate)
    log.note(host.default_queue(), 1)
    assert host.queue_synchronize(host.default_queue()) == 0
    other = Gate()
    host.hold(host.default_queue(), other)
    free = host.queue(NON_BLOCKING)
    log.note(free, 2)
    assert host.queue_synchronize(free) == 0
    other.open()
    assert host.queue_synchronize(host.default_queue()) == 0
    assert log.entries == [1, 2]


def test_a_queue_that_is_destroyed_is_still_in_order(host: Host, gate: Gate):
    handle, log = ctypes.c_void_p(), host.log()
    assert host.queue_create(0, 0, ctypes.byref(handle)) == 0
    host.hold(handle.value or 0, gate)
    log.note(handle.value or 0, 1)
    host.queue_destroy(handle.value)
    log.note(host.default_queue(), 2)
    time.sleep(0.02)
    assert log.entries == []
    gate.open()
    assert host.queue_synchronize(host.default_queue()) == 0
    assert log.entries == [1, 2]


def test_synchronize_waits_for_all_queues(host: Host, gate: Gate):
    queues = [host.queue(i % 2) for i in range(6)]
    for queue in queues:
        host.hold(queue, gate)
    threading.Timer(0.02, gate.open).start()
    assert host.synchronize() == 0
    assert [host.queue_query(queue) for queue in queues] == [0] * 6


@pytest.mark.parametrize("seed", range(5))
def test_many_threads_and_queues(host: Host, seed: int):
    """Turns that threads take in queues of their own and in the default queue, with events, waits and new queues."""
    assert host.play_together(seed, 300) == 0


# ---- Output ------------------------------------------------------------------------------------------------------


def flushed(host: Host) -> bytes:
    reading, writing = os.pipe()
    host.flush_output(writing)
    os.close(writing)
    with open(reading, "rb") as file:
        return file.read()


def test_output_is_that_of_work_that_is_done(host: Host, gate: Gate):
    queue = host.queue()
    flushed(host)
    for value in range(100):
        host.launch(queue, "print", value)
    assert host.queue_synchronize(queue) == 0
    host.hold(queue, gate)
    host.launch(queue, "print", 100)
    text = b"".join(b"<%d>\n" % value for value in range(100))
    assert host.printed_bytes() == len(text)
    assert flushed(host) == text
    assert flushed(host) == b""
    gate.open()
    assert host.queue_synchronize(queue) == 0
    assert flushed(host) == b"<100>\n"


def test_output_that_a_reader_takes_slowly(host: Host):
    """A descriptor that doesn't block, and has no room at times."""
    queue = host.queue()
    flushed(host)
    host.launch(queue, "print", 123456, grid=(40_000, 1, 1))
    assert host.queue_synchronize(queue) == 0
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    got = bytearray()

    def read() -> None:
        while piece := os.read(reading, 4096):
            got.extend(piece)
            time.sleep(0.0001)

    reader = threading.Thread(target=read)
    reader.start()
    host.flush_output(writing)
    os.close(writing)
    reader.join()
    os.close(reading)
    assert len(got) == 40_000 * len("<123456>\n")


def test_output_of_several_flushes_at_once_stays_in_order(host: Host):
    """The first one waits for a reader when the second one begins."""
    queue = host.queue()
    flushed(host)
    reading, writing = os.pipe()
    flushing = [threading.Thread(target=host.flush_output, args=(writing,)) for _ in range(2)]
    host.launch(queue, "print", 1, grid=(100_000, 1, 1))
    assert host.queue_synchronize(queue) == 0
    flushing[0].start()
    wait_until(lambda: not select.select([], [writing], [], 0)[1])
    host.launch(queue, "print", 2)
    assert host.queue_synchronize(queue) == 0
    flushing[1].start()
    time.sleep(0.02)
    got = b""
    while len(got) < 400_004:
        got += os.read(reading, 65536)
    for thread in flushing:
        thread.join()
    os.close(writing)
    os.close(reading)
    assert got == b"<1>\n" * 100_000 + b"<2>\n"
