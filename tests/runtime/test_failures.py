# SPDX-License-Identifier: Apache-2.0
"""Launches that end early: python -m pytest tests/runtime/test_failures.py"""

import ctypes
import os
import signal
import struct
import threading
import time

import pytest

from lanewise.runtime import SUCCESS, Failure, Known, Outcome, Pool

ONE = (1, 1, 1)
LARGEST = (2**31 - 1, 65535, 65535)


def test_trap_tells_where(pool: Pool, kernel, counter):
    args = struct.pack("QP", 7 + 10 * (3 + 20 * 2), counter.address)
    outcome = pool.launch(kernel("trap_at"), (10, 20, 30), ONE, args, 0)
    assert outcome == Outcome(Failure.TRAP, block=(7, 3, 2), thread=(1, 2, 3), known=Known.BLOCK | Known.THREAD)
    assert counter.value < 6000
    assert pool.launch(kernel("trap_at"), (5, 1, 1), ONE, args, 0) is SUCCESS


def test_trap_in_the_only_group(pool: Pool, kernel, counter):
    outcome = pool.launch(kernel("trap_at"), ONE, ONE, struct.pack("QP", 0, counter.address), 0)
    assert outcome.failure is Failure.TRAP


def test_the_largest_grid_costs_nothing_before_it_runs(pool: Pool, kernel, counter):
    outcome = pool.launch(kernel("trap_at"), LARGEST, ONE, struct.pack("QP", 100_000, counter.address), 0)
    assert outcome.failure is Failure.TRAP
    assert outcome.block == (100_000, 0, 0)


def test_assert_tells_its_text(pool: Pool, kernel):
    outcome = pool.launch(kernel("all_assert"), (50, 1, 1), ONE, b"", 0)
    known = Known.BLOCK | Known.THREAD | Known.PLACE
    assert outcome == Outcome(
        Failure.ASSERT, outcome.block, (4, 5, 6), "n > 0", "dir/file.cu", 77, "void k(int)", known=known
    )
    assert outcome.block[0] < 50


def test_long_and_missing_texts(pool: Pool, kernel):
    text = ctypes.create_string_buffer(b"x" * 5000)
    outcome = pool.launch(kernel("assert_long_text"), ONE, ONE, struct.pack("P", ctypes.addressof(text)), 0)
    assert outcome.message == "x" * 1023
    assert outcome.file == ""
    assert outcome.function == "x" * 1023


def test_output_before_a_failure_is_kept(pool: Pool, kernel):
    outcome = pool.launch(kernel("print_then_trap"), ONE, ONE, b"", 0)
    assert (outcome.failure, outcome.output) == (Failure.TRAP, b"before\n")


def test_groups_that_wait_are_stopped_too(pool: Pool, kernel, counter):
    outcome = pool.launch(kernel("trap_while_others_wait"), (20, 1, 1), ONE, struct.pack("P", counter.address), 0)
    assert (outcome.failure, outcome.block) == (Failure.TRAP, (0, 0, 0))


def test_cancel_from_another_thread(pool: Pool, kernel, counter):
    def cancel():
        while counter.value < 100:
            time.sleep(0.001)
        pool.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    outcome = pool.launch(kernel("slowly"), LARGEST, ONE, struct.pack("P", counter.address), 0)
    canceller.join()
    assert outcome.failure is Failure.CANCELLED


def test_timeout(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    assert pool.launch(kernel("slowly"), LARGEST, ONE, args, 0, timeout=0.1).failure is Failure.TIMED_OUT
    assert pool.launch(kernel("slowly"), (10, 1, 1), ONE, args, 0, timeout=60) == SUCCESS


class Interrupted(BaseException):
    pass


def test_a_signal_handler_that_raises_ends_the_launch(pool: Pool, kernel, counter):
    def interrupt(number: int, frame: object):
        raise Interrupted

    args = struct.pack("P", counter.address)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for delay in (0.02, 0.1, 0.17):
            signal.setitimer(signal.ITIMER_REAL, delay)
            with pytest.raises(Interrupted):
                pool.launch(kernel("slowly"), LARGEST, ONE, args, 0)
            ran = counter.value
            time.sleep(0.02)
            assert counter.value == ran  # no thread still works on it
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert pool.launch(kernel("slowly"), (10, 1, 1), ONE, args, 0) == SUCCESS


def _in_child(work) -> int:
    """Exit status of a forked child that runs `work`, or -1 if it hangs."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if work() else 2
        finally:
            os._exit(status)
    for _ in range(1000):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def test_a_forked_child_launches(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)

    def launch_200() -> bool:
        before = counter.value
        return pool.launch(kernel("slowly"), (200, 1, 1), ONE, args, 0) == SUCCESS and counter.value == before + 200

    assert launch_200()
    assert _in_child(launch_200) == 0
    assert _in_child(lambda: _in_child(launch_200) == 0) == 0
    assert launch_200()


def test_fork_while_other_threads_launch(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    stop = threading.Event()

    def launch_50() -> bool:
        return pool.launch(kernel("slowly"), (50, 1, 1), ONE, args, 0) is SUCCESS

    def launch_on():
        while not stop.is_set():
            pool.launch(kernel("print_thrice"), (20, 1, 1), ONE, args, 100_000)
            pool.launch(kernel("slowly"), (20, 1, 1), ONE, args, 0)

    threads = [threading.Thread(target=launch_on) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        codes = [_in_child(launch_50) for _ in range(20)]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert codes == [0] * 20
