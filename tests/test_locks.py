# SPDX-License-Identifier: Apache-2.0
"""Locks that other threads hold when the process forks: the child finds them free."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise import locks
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.session import Session

SOURCE = "kernel void twice(global float *p) { p[get_global_id(0)] *= 2; }"


def ends_well_in_a_child(action: Callable[[], object], held: Any) -> bool:
    """Return whether `action` succeeds within 20 seconds in a child forked while another thread has the lock `held`."""
    taken, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with held:
            taken.set()
            enough.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    enough.set()
    holder.join()
    return status == 0


@pytest.mark.parametrize("make", [locks.lock, locks.reentrant_lock])
def test_a_child_finds_a_lock_free(make: Callable[[], Any]):
    lock = make()
    assert ends_well_in_a_child(lock.acquire, lock)
    assert lock.acquire(blocking=False)


def test_a_child_gets_a_device_that_its_parent_was_making():
    session = Session(from_environment())
    assert ends_well_in_a_child(lambda: session.device("reference"), session._lock)


def test_a_child_uses_a_cache_that_its_parent_was_writing_to(tmp_path: Any):
    cache = Cache(tmp_path)
    assert ends_well_in_a_child(lambda: cache.put("ab", {"name": b"text"}), cache._lock)
    assert cache.get("ab", "name") is not None


def test_a_child_sets_threads_of_a_device_that_its_parent_was_starting():
    device: Any = Session(from_environment()).device("cpu")
    assert ends_well_in_a_child(lambda: device.set_num_threads(2), device._lock)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_child_launches_a_kernel_that_its_parent_was_loading(device: str):
    module: Any = lw.compile(SOURCE, language="opencl")
    module["twice"].ndrange((8,), (8,), device=device)(np.ones(8, np.float32))

    def launch() -> None:
        result = np.ones(16, np.float32)
        module["twice"].ndrange((16,), (16,), device=device)(result)
        assert (result == 2).all()

    (program,) = module._open.values()
    assert ends_well_in_a_child(launch, program._lock)


def test_a_child_takes_a_kernel_from_a_module_that_its_parent_was_using():
    module: Any = lw.compile(SOURCE, language="opencl")
    assert ends_well_in_a_child(lambda: module["twice"], module._lock)
