# SPDX-License-Identifier: Apache-2.0
"""Forks, exits and variables of the environment, in processes of their own:
python -m pytest tests/runtime/host/test_process.py
"""

import os
from pathlib import Path

import pytest

from .driver import Kind, Result
from .script import run

# ---- Forks -------------------------------------------------------------------------------------------------------


def test_a_child_has_none_of_its_parents_work(library: Path):
    code = """
        gate, log, queue, events = Gate(), host.log(), host.queue(), [host.event() for _ in range(2)]
        host.event_record(events[0], queue)
        host.hold(queue, gate)
        log.note(queue, 1)
        host.event_record(events[1], queue)

        def child():
            gate.open()
            assert host.synchronize() == 0
            assert log.entries == []
            assert [host.queue_query(queue), *map(host.event_query, events)] == [0, 0, 0]
            assert host.event_elapsed(ctypes.byref(ctypes.c_float()), *events) == Result.INVALID
            assert "forked" in host.explanation
            for each in (queue, host.queue(), host.default_queue()):
                log.note(each, 2)
                assert host.launch(each, "meet", log.address + 800, 0, grid=(8, 1, 1), flags=1) == 0
            assert host.synchronize() == 0
            assert log.entries == [2, 2, 2]
            host.tidy()

        print(in_child(child), log.entries)
        gate.open()
        assert host.synchronize() == 0
        print(log.entries)
    """
    assert run(library, code) == "0 []\n[1]\n"


def test_a_child_of_a_failed_queue_goes_on(library: Path):
    code = """
        queue, log = host.queue(), host.log()
        host.launch(queue, "trap")
        assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED

        def child():
            assert host.queue_query(queue) == 0
            log.note(queue, 1)
            assert host.queue_synchronize(queue) == 0
            assert log.entries == [1]

        print(in_child(child), host.queue_query(queue) == Result.LAUNCH_FAILED)
    """
    assert run(library, code) == "0 True\n"


@pytest.mark.parametrize("in_graph", [False, True])
def test_a_function_that_forks(library: Path, in_graph: bool):
    """It returns in the child, too, where none of the parent's work follows: whichever thread called it."""
    code = f"""
        parent, queue = os.getpid(), host.queue()
        reading, writing = os.pipe()
        children = []

        def fork():
            children.append(os.fork())
            return 0

        def tell():
            os.write(writing, f"{{os.getpid() == parent}} ".encode())
            return 0

        if {in_graph}:
            host.capture_begin(queue)
        for function in (fork, tell, tell):
            assert host.call(queue, function) == 0
        if {in_graph}:
            result, graph = host.end_capture(queue)
            host.graph_launch(graph, queue)
        assert host.queue_synchronize(queue) == 0
        if os.getpid() != parent:
            os._exit(0)
        assert os.waitpid(children[0], 0)[1] == 0
        print(os.read(reading, 100).decode())
    """
    for _ in range(3):
        assert run(library, code) == "True True \n"


def test_forks_while_other_threads_are_busy(library: Path):
    code = """
        import threading
        over = threading.Event()

        def add_work():
            queue, log = host.queue(), host.log()
            while not over.is_set():
                log.note(queue, 1)
                host.queue_synchronize(queue)
                host.memory_free(host.allocate(100), 0)
                host.image_find(bytes(16))
                log._words[0] = 0

        def child():
            queue, log = host.queue(), host.log()
            log.note(queue, 1)
            assert host.synchronize() == 0
            assert log.entries == [1]

        threads = [threading.Thread(target=add_work) for _ in range(3)]
        for thread in threads:
            thread.start()
        codes = [in_child(child) for _ in range(30)]
        over.set()
        for thread in threads:
            thread.join()
        print(set(codes))
    """
    assert run(library, code) == "{0}\n"


# ---- Exits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waits", [False, True])
def test_a_process_may_end_while_there_is_work(library: Path, waits: bool):
    code = f"""
        import threading
        gate, queue = Gate(), host.queue()
        host.hold(queue, gate)
        host.launch(queue, "nothing")
        if {waits}:
            threading.Thread(target=host.queue_synchronize, args=(queue,), daemon=True).start()
        print("over", flush=True)
        sys.exit(0)
    """
    assert run(library, code) == "over\n"


# ---- The environment ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "threads"), [("3", 3), ("0", 0), ("1025", 0), ("3x", 0), ("", 0)])
def test_number_of_threads(library: Path, value: str, threads: int):
    """0 stands for as many as the process may use processors."""
    told = run(library, "print(host.num_threads())", LANEWISE_NUM_THREADS=value)
    assert int(told) == (threads or len(os.sched_getaffinity(0)))


def test_watchdog(library: Path):
    """A launch that waits for what nobody changes is ended after that many seconds."""
    code = """
        import time
        queue = host.queue()
        start = time.monotonic()
        host.launch(queue, "spin_for_ever")
        result = host.queue_synchronize(queue)
        print(result, host.failure(queue)[2].kind, time.monotonic() - start)
    """
    result, kind, seconds = run(library, code, LANEWISE_WATCHDOG="0.2").split()
    assert (int(result), int(kind)) == (Result.LAUNCH_FAILED, Kind.STUCK)
    assert 0.2 <= float(seconds) < 4  # 5 where none are given
