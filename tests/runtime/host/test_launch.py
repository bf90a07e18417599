# SPDX-License-Identifier: Apache-2.0
"""Launches: python -m pytest tests/runtime/host/test_launch.py"""

import ctypes

import pytest

from lanewise.runtime.caches import last_level_cache_bytes

from .driver import COOPERATIVE, ONE, Host, Memory, Result


@pytest.fixture
def queue(host: Host) -> int:
    return host.queue()


def test_a_kernel_is_told_its_launch(host: Host, queue: int):
    address, words = host.words(9)
    assert host.launch(queue, "describe", address, grid=(2, 1, 1), block=(4, 3, 2), dynamic_shared=500) == 0
    assert host.queue_synchronize(queue) == 0
    assert list(words)[:8] == [2, 1, 1, 4, 3, 2, 500, 0]


def test_arguments_are_copied(host: Host, queue: int, gate):
    address, words = host.words(1)
    host.hold(queue, gate)
    launch = host.request("add", address, 5)
    assert host.queue_launch(queue, ctypes.byref(launch)) == 0
    ctypes.memset(launch.args, 0, 16)
    gate.open()
    assert host.queue_synchronize(queue) == 0
    assert words[0] == 5


@pytest.mark.parametrize(
    ("grid", "block", "fits"),
    [
        (ONE, (1024, 1, 1), True),
        (ONE, (1, 1024, 1), True),
        (ONE, (16, 1, 64), True),
        ((1, 65535, 1), ONE, True),
        ((1, 1, 65535), ONE, True),
        (ONE, (1025, 1, 1), False),
        (ONE, (1, 1, 65), False),
        (ONE, (32, 33, 1), False),
        (ONE, (0, 1, 1), False),
        (ONE, (1 << 31, 2, 1), False),
        (ONE, (1 << 16, 1 << 16, 1), False),
        ((0, 1, 1), ONE, False),
        ((1, 65536, 1), ONE, False),
        ((1, 1, 65536), ONE, False),
        ((1 << 31, 1, 1), ONE, False),
    ],
)
def test_limits_of_extents(host: Host, queue: int, grid, block, fits: bool):
    assert host.launch(queue, "nothing", grid=grid, block=block) == (Result.SUCCESS if fits else Result.BAD_GEOMETRY)
    if not fits:
        assert "kernel nothing" in host.explanation


def test_limits_of_a_kernel(host: Host, queue: int):
    assert host.launch(queue, "bounded", block=(128, 1, 1)) == 0
    assert host.launch(queue, "bounded", block=(129, 1, 1)) == Result.BAD_GEOMETRY
    assert "__launch_bounds__" in host.explanation


def test_limit_of_shared_memory(host: Host, queue: int):
    address, _ = host.words(9)
    most = (227 << 10) - 1000
    assert host.launch(queue, "describe", address, dynamic_shared=most) == 0
    assert host.queue_synchronize(queue) == 0
    assert host.launch(queue, "describe", address, dynamic_shared=most + 1) == Result.BAD_GEOMETRY
    assert host.launch(queue, "describe", address, dynamic_shared=0xFFFFFFFF) == Result.BAD_GEOMETRY
    assert "shared memory" in host.explanation


def test_limit_of_the_arena(host: Host, queue: int):
    assert host.launch(queue, "huge", block=(512, 1, 1)) == 0
    assert host.launch(queue, "huge", block=(513, 1, 1)) == Result.BAD_GEOMETRY
    assert "MiB" in host.explanation


def test_cooperative_launches(host: Host, queue: int):
    address, _ = host.words(1)
    assert host.launch(queue, "meet", address, 0, grid=(40, 1, 1), flags=COOPERATIVE) == 0
    assert host.queue_synchronize(queue) == 0
    assert host.launch(queue, "meet", address, 0, grid=(5000, 1, 1), flags=COOPERATIVE) == Result.BAD_GEOMETRY
    assert host.launch(queue, "meet", address, 0, grid=(2, 1, 1)) == 0
    assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED  # not cooperative


def test_a_kernel_that_is_refused(host: Host, queue: int):
    assert host.launch(queue, "refused") == Result.NO_KERNEL
    assert host.explanation == "kernel refused uses what no CPU has"
    assert host.launch(queue, "for_64", block=(64, 1, 1)) == 0
    assert host.launch(queue, "for_64", block=(32, 1, 1)) == Result.NO_KERNEL
    assert "for_64" in host.explanation


def test_denormals(host: Host, queue: int):
    address, words = host.words(1)
    for symbol, kept in (("kept", 1), ("flushed", 0), ("kept", 1)):
        assert host.launch(queue, symbol, address) == 0
        assert host.queue_synchronize(queue) == 0
        assert words[0] == kept


def test_large_launches_are_told_what_the_caches_hold(host: Host, queue: int):
    address, words = host.words(9)
    assert host.launch(queue, "describe", address, grid=(1000, 1, 1)) == 0
    assert host.queue_synchronize(queue) == 0
    assert words[8] == last_level_cache_bytes() // 1000  # so that stores of a launch that passes it can bypass them


# ---- Pointers ----------------------------------------------------------------------------------------------------


def test_pointers_are_null_or_in_an_allocation(host: Host, queue: int):
    here = ctypes.create_string_buffer(16)
    assert host.launch(queue, "add", ctypes.addressof(here), 1) == Result.BAD_POINTER
    assert "ns::add: argument 1, first" in host.explanation
    host.allow_host_pointers(1)
    assert host.launch(queue, "add", ctypes.addressof(here), 1) == 0
    assert host.queue_synchronize(queue) == 0
    host.allow_host_pointers(0)
    assert host.launch(queue, "add", ctypes.addressof(here), 1) == Result.BAD_POINTER


@pytest.mark.parametrize("nbytes", [0, 1, 256, 4096])
def test_the_end_of_an_array_is_a_pointer_to_it(host: Host, queue: int, nbytes: int):
    result, address = host.allocate(8), host.allocate(nbytes)
    assert host.launch(queue, "chosen", result, address, address + nbytes) == 0
    assert host.launch(queue, "chosen", result, address - 4097, 0) == Result.BAD_POINTER
    assert "argument 2, a" in host.explanation


def test_values_are_no_pointers(host: Host, queue: int):
    address, words = host.words(1)
    assert host.launch(queue, "add", address, 12345) == 0
    assert host.queue_synchronize(queue) == 0
    assert words[0] == 12345


# ---- The code of a launch ----------------------------------------------------------------------------------------


def chosen(host: Host, queue: int, a: int, b: int, grid=ONE, block=(32, 1, 1)) -> int:
    address, words = host.words(1)
    assert host.launch(queue, "chosen", address, a, b, grid=grid, block=block) == 0
    assert host.queue_synchronize(queue) == 0
    return words[0]


def test_code_by_block_and_grid(host: Host, queue: int):
    a, b = host.allocate(100), host.allocate(100)
    assert chosen(host, queue, a, b) == 1
    assert chosen(host, queue, a, b, block=(16, 1, 1)) == 2
    assert chosen(host, queue, a, b, block=(16, 2, 1)) == 2
    assert chosen(host, queue, a, b, block=(1024, 1, 1), grid=(100_000, 1, 1)) == 2


def test_a_large_grid_has_code_of_its_own(host: Host, queue: int):
    address, words = host.words(1)
    # Too many blocks to run all of them: only the code is of interest.
    assert host.launch(queue, "trap") == 0
    assert host.launch(queue, "chosen", address, 0, 0, grid=(1 << 21, 1, 1), block=(1024, 1, 1)) == 0
    assert host.queue_synchronize(queue) == Result.LAUNCH_FAILED
    host.queue_clear_failure(queue)
    assert chosen(host, queue, 0, 0, grid=(1 << 21, 1, 1), block=(1024, 1, 1)) == 3
    assert words[0] == 0


def test_code_for_arrays_that_are_apart(host: Host, queue: int):
    a, b = host.allocate(100), host.allocate(100)
    assert chosen(host, queue, a, a + 50) == 2
    assert chosen(host, queue, a, a + 100) == 2  # its slack
    assert chosen(host, queue, 0, a) == 1
    assert chosen(host, queue, a, 0) == 1
    assert chosen(host, queue, a + 99, b + 99) == 1


def test_the_other_argument_may_be_any_pointer(host: Host, queue: int):
    address, words = host.words(4)
    assert host.launch(queue, "chosen", address, address + 8, 0, block=(32, 1, 1)) == 0
    assert host.queue_synchronize(queue) == 0
    assert words[0] == 2


def test_variables_count_as_allocations(host: Host, queue: int):
    variable = ctypes.cast(host.image_variable(host.image, b"variable"), ctypes.POINTER(ctypes.c_void_p))[2] or 0
    a = host.allocate(100)
    assert chosen(host, queue, variable, a) == 1
    assert chosen(host, queue, variable, variable + 8) == 2


def test_host_memory_that_is_not_known_is_not_apart(host: Host, queue: int):
    here = ctypes.create_string_buffer(100)
    address, a = ctypes.addressof(here), host.allocate(100)
    host.allow_host_pointers(1)
    assert chosen(host, queue, address, a) == 2
    assert chosen(host, queue, a, address) == 2
    assert host.memory_register(address, 100, Memory.REGISTERED, 0) == 0
    assert chosen(host, queue, address, a) == 1
    assert host.memory_unregister(address) == 0


def test_kernels_of_any_number_of_parameters(host: Host, queue: int):
    assert host.launch(queue, "many", *[host.allocate(8)] * 65) == 0
    assert host.launch(queue, "many", *[host.allocate(8)] * 64, 8) == Result.BAD_POINTER
    assert "argument 65" in host.explanation


def test_threads(host: Host):
    before = host.num_threads()
    assert host.set_num_threads(0) == Result.INVALID
    assert host.set_num_threads(1025) == Result.INVALID
    assert host.set_num_threads(1) == 0
    assert host.num_threads() == 1
    assert host.set_num_threads(before) == 0
