# SPDX-License-Identifier: Apache-2.0
"""Allocations: python -m pytest tests/runtime/host/test_memory.py"""

import ctypes
import random
import time

import pytest

from .driver import Allocation, Host, Memory, Result


@pytest.mark.parametrize("nbytes", [0, 1, 255, 256, 257, 4096, 100_000, 5 << 20])
def test_an_allocation_starts_at_a_multiple_of_256_and_is_found_with_its_slack(host: Host, nbytes: int):
    address = host.allocate(nbytes, Memory.HOST, 77)
    assert address % 256 == 0
    slack = max(256, -(-nbytes // 256) * 256)
    for inside in {0, nbytes // 2, max(nbytes - 1, 0), slack - 1}:
        found = host.find(address + inside)
        assert found is not None
        assert (found.address, found.bytes, found.kind, found.flags) == (address, nbytes, Memory.HOST, 77)
    assert host.find(address - 1) is None
    assert host.find(address + slack) is None


def test_an_allocation_is_gone_once_it_is_freed(host: Host):
    address = host.allocate(1000)
    assert host.memory_free(address, Memory.DEVICE) == 0
    assert host.find(address) is None
    assert host.memory_free(address, Memory.DEVICE) == Result.INVALID
    assert "no such memory" in host.explanation


def test_memory_is_freed_as_what_it_is(host: Host):
    address = host.allocate(1000, Memory.DEVICE)
    assert host.memory_free(address, Memory.HOST) == Result.INVALID
    assert host.memory_free(address + 1, Memory.ANY) == Result.INVALID
    assert host.memory_free(0, Memory.ANY) == Result.INVALID
    assert host.memory_free(address, Memory.ANY) == 0


@pytest.mark.parametrize("kind", [0, Memory.REGISTERED, Memory.VARIABLE, 99])
def test_only_some_kinds_are_allocated(host: Host, kind: int):
    handle = ctypes.c_void_p(1)
    assert host.memory_allocate(8, kind, 0, ctypes.byref(handle)) == Result.INVALID
    assert handle.value is None


def test_more_memory_than_there_is(host: Host):
    handle = ctypes.c_void_p()
    assert host.memory_allocate(1 << 62, Memory.DEVICE, 0, ctypes.byref(handle)) == Result.NO_MEMORY
    assert host.explanation


def test_used_memory_is_that_of_the_device(host: Host):
    before = host.memory_used()
    addresses = [host.allocate(1000, kind) for kind in (Memory.DEVICE, Memory.MANAGED, Memory.HOST)]
    assert host.memory_used() == before + 2000
    for address in addresses:
        assert host.memory_free(address, Memory.ANY) == 0
    assert host.memory_used() == before


def test_what_is_written_beside_an_array_is_told_when_it_is_freed(host: Host):
    address = host.allocate(1000)
    ctypes.memset(address + 1000, 7, 1)
    assert host.memory_free(address, Memory.ANY) == Result.LAUNCH_FAILED
    assert "1000 bytes from the start" in host.explanation
    assert host.find(address) is None


def test_memory_of_the_host_is_known_while_it_is_registered(host: Host):
    memory = ctypes.create_string_buffer(1000)
    address = ctypes.addressof(memory)
    assert host.find(address) is None
    assert host.memory_register(address, 1000, Memory.REGISTERED, 5) == 0
    found = host.find(address + 999)
    assert found is not None
    assert (found.kind, found.flags, found.bytes) == (Memory.REGISTERED, 5, 1000)
    assert host.find(address + 1000) is None
    assert host.memory_free(address, Memory.ANY) == Result.INVALID
    assert host.memory_register(address + 10, 10, Memory.REGISTERED, 0) == Result.INVALID
    assert host.memory_register(address - 10, 11, Memory.REGISTERED, 0) == Result.INVALID
    assert "overlaps" in host.explanation
    assert host.memory_register(address - 10, 10, Memory.REGISTERED, 0) == 0
    assert host.memory_unregister(address - 10) == 0
    assert host.memory_unregister(address + 1) == Result.INVALID
    assert host.memory_unregister(address) == 0
    assert host.memory_unregister(address) == Result.INVALID


def test_variables_are_not_the_hosts_to_unregister_or_to_free(host: Host):
    address = ctypes.cast(host.image_variable(host.image, b"variable"), ctypes.POINTER(ctypes.c_void_p))[2]
    assert address is not None
    assert host.memory_unregister(address) == Result.INVALID
    assert host.memory_free(address, Memory.ANY) == Result.INVALID
    assert host.memory_free(address, Memory.VARIABLE) == Result.INVALID
    assert host.find(address) is not None


def test_the_nearest_allocation(host: Host):
    address = host.allocate(1000)
    found = Allocation()
    assert host.memory_nearest(address + 5000, ctypes.byref(found)) == 1
    assert found.address == address


def test_many_allocations_in_any_order(host: Host):
    numbers, live = random.Random(3), {}
    for _ in range(3000):
        if live and numbers.random() < 0.45:
            address, nbytes = live.popitem()
            assert host.memory_free(address, Memory.ANY) == 0
        else:
            nbytes = numbers.randrange(1, 3000)
            live[host.allocate(nbytes)] = nbytes
        for address in numbers.sample(sorted(live), min(3, len(live))):
            found = host.find(address + numbers.randrange(live[address]))
            assert found is not None
            assert (found.address, found.bytes) == (address, live[address])


def test_a_lookup_is_quick(host: Host):
    addresses = [host.allocate(64) for _ in range(2000)]
    found = Allocation()
    out, find, least = ctypes.byref(found), host.memory_find, 1.0
    for address in addresses[:50]:
        start = time.perf_counter()
        find(address, out)
        least = min(least, time.perf_counter() - start)
    assert least < 5e-6  # Python's call is most of that
