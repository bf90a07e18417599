# SPDX-License-Identifier: Apache-2.0
"""Calls that C makes once a function has been called a few times: as those that Python makes, and refused likewise."""

import gc
import os
import signal
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.cpu import trials
from lanewise.jit import direct

CALLS = direct.FEW + 2


@lw.jit
def scaled(factor, x, y):
    for i in lw.prange(len(x)):
        y[i] = factor * x[i]


def is_direct(function) -> bool:
    """True if C makes calls like the last one."""
    return all(region._direct is not None for region in function._regions)


def test_calls_see_the_arrays_of_the_call():
    for n in (5, 40, 5, 3000, 40):
        for call in range(CALLS):
            x, y = np.full(n, float(call)), np.empty(n)
            scaled(2.0, x, y)
            assert (y == 2.0 * call).all()
    assert is_direct(scaled)


def test_other_types_strides_and_overlapping_arrays_go_the_long_way():
    x = np.arange(20.0)
    for _ in range(CALLS):
        scaled(2.0, x, np.empty(20))
    y = np.zeros(40)
    scaled(3.0, x, y[::2])
    assert (y[::2] == 3 * x).all()
    assert not y[1::2].any()
    single = np.zeros(20, np.float32)
    scaled(3, x.astype(np.float32), single)
    assert (single == 3 * x).all()
    memory = np.arange(21.0)
    expected = memory.copy()
    scaled.py_func(2.0, expected[:-1][::-1], expected[1:][::-1])
    scaled(2.0, memory[:-1][::-1], memory[1:][::-1])
    assert (memory == expected).all()
    with pytest.raises(lw.LaunchError, match="masked array"):
        scaled(2.0, np.ma.array(x, mask=x > 3), np.empty(20))
    frozen = np.zeros(20)
    frozen.flags.writeable = False
    with pytest.raises(lw.Error):
        scaled(2.0, x, frozen)
    unaligned = np.zeros(161, np.uint8)[1:].view(np.float64)
    with pytest.raises(lw.LaunchError, match="aligned"):
        scaled(2.0, x, unaligned)
    with pytest.raises(lw.LaunchError):
        scaled("2", x, np.empty(20))


@lw.jit
def all_reductions(x, k):
    total, product, least, greatest = 0.0, 1.0, x[0], x[0]
    ones, some = 0, 0
    for i in lw.prange(len(x)):
        total += x[i]
        product *= x[i]
        least = min(least, x[i])
        greatest = max(greatest, x[i])
        ones |= k[i]
        some += k[i]
    return total, product, least, greatest, ones, some


def test_reductions_are_the_same_to_the_bit_and_of_the_same_types():
    random = np.random.default_rng(1)
    for n in (1, 7, 300, 70_000):
        x, k = random.random(n) * 2, random.integers(0, 1 << 40, n)
        first = all_reductions(x, k)
        for _ in range(CALLS):
            again = all_reductions(x, k)
        assert first == again
        assert list(map(type, first)) == list(map(type, again))
    assert is_direct(all_reductions)


@lw.jit
def decay(x, start: int):
    last = np.float32(0)
    found = -1
    for i in range(start, len(x)):
        last = np.float32(last * np.float32(0.5) + x[i])
        if last > 3:
            found = i
    return last, found


def test_what_serial_loops_leave_behind():
    x = np.linspace(0, 5, 30).astype(np.float32)
    for _ in range(CALLS):
        last, found = decay(x, 2)
        expected, place = decay.py_func(x, 2)
        assert last == pytest.approx(expected)
        assert (type(last), found) == (np.float32, place)
    assert is_direct(decay)
    assert decay(x, 30) == (0, -1)  # no iteration: the variables keep their values


def test_numbers_that_do_not_fit_and_loops_without_steps():
    @lw.jit
    def filled(x, value, stop, step):
        for i in lw.prange(0, stop, step):
            x[i] = value

    x = np.zeros(8, np.int64)
    for _ in range(CALLS):
        filled(x, 7, 8, 2)
    assert x.tolist() == [7, 0] * 4
    with pytest.raises(lw.LaunchError, match="64 bits"):
        filled(x, 1 << 70, 8, 2)
    with pytest.raises(ValueError, match="zero"):
        filled(x, 1, 8, 0)
    filled(x, 9, 0, 1)
    assert x.tolist() == [7, 0] * 4


def test_another_device_is_used_when_it_is_chosen(monkeypatch: pytest.MonkeyPatch):
    x, y = np.arange(6.0), np.zeros(6)
    for _ in range(CALLS):
        scaled(1.0, x, y)
    run = []
    region = scaled._regions[0]
    long_way = region._run_grid
    monkeypatch.setattr(region, "_run_grid", lambda *given: run.append(1) or long_way(*given), raising=False)
    scaled(2.0, x, y)
    assert not run
    with lw.on(lw.device("reference")):
        scaled(3.0, x, y)
    assert (run, y.tolist()) == ([1], (3 * x).tolist())
    monkeypatch.setenv("LANEWISE_DEVICE", "reference")
    scaled(4.0, x, y)
    assert (run, y.tolist()) == ([1, 1], (4 * x).tolist())


def test_threads_call_at_once():
    x = np.arange(2000.0)
    wrong: list[float] = []

    def work() -> None:
        for _ in range(200):
            total, *_ = all_reductions(x, np.arange(2000))
            if total != x.sum():
                wrong.append(total)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_function_that_is_gone_leaves_nothing_behind():
    def made():
        @lw.jit
        def local(x):
            for i in lw.prange(len(x)):
                x[i] += 1

        return local

    function = made()
    x = np.zeros(4)
    for _ in range(CALLS):
        function(x)
    assert x[0] == CALLS
    array = weakref.ref(x)
    gone = weakref.ref(function)
    del function, x
    gc.collect()
    assert array() is None
    assert gone() is None


@lw.jit
def total_from(x, total):
    for i in lw.prange(len(x)):
        total += x[i]
    return total


def test_what_a_sum_starts_with_has_the_type_of_the_call():
    whole, single = np.arange(5, dtype=np.int32), np.arange(5, dtype=np.float32)
    for _ in range(CALLS):
        assert type(total_from(whole, 0)) is np.int32
        assert type(total_from(single, np.float64(0))) is np.float64
    large = total_from(whole, np.int64(1 << 40))
    assert (large, type(large)) == ((1 << 40) + 10, np.int64)
    assert type(total_from(single, 0.0)) is np.float32
    for _ in range(CALLS):
        assert total_from(whole, 0) == 10
    with pytest.raises(OverflowError):
        total_from(whole, 1 << 40)


def test_subclasses_of_arrays(tmp_path: Path):
    for dtype in (np.float64, np.float32):
        x = np.memmap(tmp_path / np.dtype(dtype).name, dtype, "w+", shape=(12,))
        x[:] = np.arange(12)
        for step in (1, 2):
            y = np.zeros(12 // step)
            for _ in range(CALLS):
                scaled(2.0, x[::step], y)
            assert (y == 2 * x[::step]).all()


@lw.jit
def scaled_by_element(factor, x):
    for i in lw.prange(len(x)):
        x[i] = factor[()] * i


def test_arrays_without_dimensions():
    x = np.zeros(4)
    for _ in range(CALLS):
        scaled_by_element(np.array(2.0), x)
    assert x.tolist() == [0, 2, 4, 6]
    assert is_direct(scaled_by_element)


@lw.jit
def slow(x, n):
    total = 0.0
    for i in lw.prange(len(x)):
        value = x[i]
        for _ in range(n):
            value = value * 0.999 + 0.5
        total += value
    return total


@pytest.mark.parametrize("seconds", [0.02, 0.15])
def test_an_interrupted_launch_ends(seconds: float):
    x = np.ones(4000)
    for _ in range(CALLS):
        right = slow(x, 5)
    assert is_direct(slow)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        slow(x, 1 << 40)
    timer.join()
    used = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - used < 0.08  # nothing runs on
    assert slow(x, 5) == right


@lw.jit
def halvings(x, counts):
    for i in lw.prange(len(x)):
        value, count = x[i], 0
        while value > 1.0:
            value *= 0.5
            count += 1
        counts[i] = count


def test_calls_of_c_take_part_in_trials_to_the_end(monkeypatch: pytest.MonkeyPatch):
    chosen = threading.Event()
    monkeypatch.setattr(trials, "USUAL", trials.TrialPolicy(30_000_000, if_sure=True))
    monkeypatch.setattr(trials, "keep_choice", lambda *_: chosen.set())
    monkeypatch.setattr(trials, "kept_choice", lambda *_: None)
    x = 2.0 ** np.random.default_rng(1).integers(0, 60, 20_000)
    counts, end = np.zeros(len(x), np.int64), time.monotonic() + 60
    while not chosen.is_set():
        assert time.monotonic() < end, "no launch of C's looked at its trial"
        halvings(x, counts)
        time.sleep(0.001)  # a processor for the compilation
    assert is_direct(halvings)
    assert (counts == np.log2(x)).all()
