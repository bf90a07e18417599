# SPDX-License-Identifier: Apache-2.0
"""Streams at the end of a process, in the child of a fork, under Ctrl-C, and from many threads."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .kernels import SOURCE, Gate

BEGIN = f"""
import os, signal, sys, threading, time
import numpy as np
import lanewise as lw
kernels = lw.compile({SOURCE!r}, language="cuda")
s, x = lw.Stream(), np.zeros(1, np.int32)
"""


def run(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BEGIN + textwrap.dedent(text)]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, env=os.environ | environment)


def test_the_end_of_the_process_waits_for_its_streams():
    done = run("""
        s.callback(time.sleep, 0.1)
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        s.callback(lambda: os.write(1, b"%d" % x[0]))
    """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1", "")


def test_and_shows_failures_that_nobody_was_told_of():
    done = run("""
        s.callback(time.sleep, 0.1)
        kernels["trap"].launch(1, 1, (), stream=s)
    """)
    assert "kernel trap: __trap()" in done.stderr


def test_and_what_is_compiled_only_then_is_compiled(tmp_path: Path):
    source = "__global__ void waves(float *x) { x[0] = sinf(x[0]) + powf(x[0], 0.f) + expf(x[0]); }"
    done = run(
        f"""
        waves = lw.compile({source!r}, language="cuda")["waves"]
        y = np.zeros(1, np.float32)
        s.callback(time.sleep, 0.3)
        waves.launch(1, 1, (y,), stream=s)
        s.callback(lambda: os.write(1, b"%d" % y[0]))
        """,
        LANEWISE_CACHE_DIR=str(tmp_path),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "2", "")


def test_a_child_launches_a_graph_of_several_streams_that_its_parent_runs():
    done = run("""
        t, forked, gate = lw.Stream(blocking=False), threading.Event(), threading.Event()
        s = lw.Stream(blocking=False)
        reached = threading.Event()
        def wait():
            reached.set()
            if not forked.is_set():
                gate.wait()
        with s.capture() as graph:
            fork, join = lw.Event(), lw.Event()
            s.callback(wait)
            fork.record(s)
            t.wait(fork)
            t.callback(os.write, 1, b"t")
            join.record(t)
            s.wait(join)
        graph.launch(s)
        reached.wait()
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            forked.set()
            graph.launch(s)
            s.synchronize()
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        gate.set()
        s.synchronize()
        assert status == 0, status
    """)
    assert (done.returncode, done.stdout) == (0, "tt"), done.stderr


def test_a_fork_within_work_without_a_stream_leaves_the_child_whole():
    done = run("""
        from lanewise.streams.default_stream import in_default_stream
        s.callback(int)  # forks are followed from the first stream's work on
        s.synchronize()
        del s
        while threading.active_count() > 1:
            time.sleep(0.001)
        child = in_default_stream(os.fork)
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_child_has_fresh_streams_and_none_of_the_parent_s_work():
    done = run("""
        e, f = lw.Event(), lw.Event()
        gate = threading.Event()
        s.callback(gate.wait)
        e.record(s)
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        child = os.fork()
        if child == 0:
            e.synchronize()
            assert s.query()
            s.wait(e)
            kernels["add"].launch(1, 1, (x, 10), stream=s)
            s.synchronize()
            kernels["add"][1, 1](x, 100)
            os._exit(0 if x[0] == 110 else 1)
        _, status = os.waitpid(child, 0)
        gate.set()
        s.synchronize()
        print(status, x[0])
    """)
    assert (done.stdout, done.stderr) == ("0 1\n", "")


def test_ctrl_c_ends_a_wait_promptly_and_the_work_goes_on():
    done = run("""
        gate = threading.Event()
        s.callback(gate.wait)
        kernels["add"].launch(1, 1, (x, 1), stream=s)
        e = lw.Event()
        e.record(s)
        late = []
        for wait in (s.synchronize, e.synchronize, lw.synchronize, lambda: kernels["add"][1, 1](x, 1)):
            sent = []
            def interrupt():
                time.sleep(0.1)
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt).start()
            try:
                wait()
            except KeyboardInterrupt:
                late.append(time.monotonic() - sent[0])
        gate.set()
        s.synchronize()
        kernels["add"][1, 1](x, 10)
        print(len(late), max(late) < 5, x[0])
    """)
    assert (done.stdout, done.stderr) == ("4 True 11\n", "")


def test_interrupts_at_any_point_leave_streams_usable(kernels: lw.Module):
    """A signal handler raises between any two instructions: what was launched is done or is not, and nothing hangs."""
    streams, x = [lw.Stream(), lw.Stream(blocking=False)], np.zeros(1, np.int32)
    e, rounds = lw.Event(), 1000

    class Interrupt(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupt

    def work() -> None:
        for s in streams:
            kernels["add"].launch(1, 1, (x, 1), stream=s)
            e.record(s)
            streams[0].wait(e)
            kernels["add"].launch(1, 1, (x, 1))
            s.synchronize()

    work()  # imports: an exception in the middle of one leaves Python's import lock taken (CPython 3.11)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for i in range(rounds):
            try:
                signal.setitimer(signal.ITIMER_REAL, 20e-6 + 5e-6 * (i % 60))
                work()
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for s in streams:
        s.synchronize()
        assert s.query()
    kernels["add"].launch(1, 1, (x, 1))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_many_threads_share_streams(kernels: lw.Module, device: str):
    rounds = 40 if device == "cpu" else 8
    streams, x = [lw.Stream(device) for _ in range(3)], np.zeros((6, 1), np.int32)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            e = lw.Event()
            for i in range(rounds):
                here, there = streams[(number + i) % 3], streams[(number + i + 1) % 3]
                kernels["add"].launch(1, 1, (x[number], 1), stream=here)
                e.record(here)
                there.wait(e)
                kernels["add"].launch(1, 1, (x[number], 1), stream=there)
                if i % 4 == 0:
                    kernels["add"].launch(1, 1, (x[number], 1), device=device)
                there.synchronize()
                own = lw.Stream(device, blocking=i % 2 == 0)
                kernels["add"].launch(1, 1, (x[number], 1), stream=own)
                own.synchronize()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(x))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert not failures
    assert (x == 3 * rounds + rounds // 4).all()


def test_a_process_that_uses_no_stream_starts_no_thread_for_one():
    done = run("""
        kernels["add"][1, 1](x, 1)
        print([t.name for t in threading.enumerate()])
    """)
    assert done.stdout == "['MainThread']\n"


def test_a_held_stream_does_not_hold_others(kernels: lw.Module, gate: Gate):
    s, t, x = lw.Stream(), lw.Stream(), np.zeros(1, np.int32)
    s.callback(gate.hold)
    for _ in range(100):
        kernels["add"].launch(1, 1, (x, 1), stream=t)
    t.synchronize()
    assert list(x) == [100]
