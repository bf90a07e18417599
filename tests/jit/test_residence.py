# SPDX-License-Identifier: Apache-2.0
# pyright: reportGeneralTypeIssues=false
"""Buffers as arguments of `lw.jit`: they stay where they are between calls."""

import re

import numpy as np
import pytest

import lanewise as lw


@lw.jit
def heat(a, b):
    for i in lw.prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i, j] + 0.1 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4.0 * a[i, j])


@lw.jit
def total(a):
    s = 0.0
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j]
    return s


@lw.jit
def running_sum(a):
    for i in range(1, len(a)):
        a[i] += a[i - 1]


@lw.jit
def add_scaled(a, b, factor):
    for i in lw.prange(len(a)):
        a[i] += factor * b[i]


class Copies:
    """Counts the bytes that are copied to and from a device's memory."""

    def __init__(self, memory, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written = self.read = 0
        write, read = memory.write, memory.read

        def counted_write(address, data):
            self.written += len(data)
            write(address, data)

        def counted_read(address, out):
            self.read += len(out)
            read(address, out)

        monkeypatch.setattr(memory, "write", counted_write)
        monkeypatch.setattr(memory, "read", counted_read)


@pytest.fixture(params=["cpu", "reference", "simt"])
def device(request: pytest.FixtureRequest) -> lw.Device:
    return lw.device(request.param)


def test_a_loop_of_calls_on_buffers(device: lw.Device):
    start = np.random.default_rng(5).random((12, 17))
    a, b = start.copy(), start.copy()
    there, back = lw.to_device(a, device), lw.to_device(b, device)
    with lw.on(device):
        for _ in range(4):
            heat.py_func(a, b)
            a, b = b, a
            heat(there, back)
            there, back = back, there
        np.testing.assert_allclose(there.copy_to_host(), a, rtol=1e-12)
        assert total(there) == pytest.approx(a.sum())


def test_without_on_the_loop_runs_where_its_buffers_are():
    buffer = lw.to_device(np.ones((5, 5)), lw.device("simt"))
    assert total(buffer) == 25


def test_serial_loops_take_buffers(device: lw.Device):
    buffer = lw.to_device(np.arange(9.0), device)
    with lw.on(device):
        running_sum(buffer)
    assert (buffer.copy_to_host() == np.arange(9.0).cumsum()).all()


def test_parts_of_a_buffer_with_gaps(device: lw.Device):
    whole = np.random.default_rng(6).random((9, 11))
    buffer, expected = lw.to_device(whole, device), whole.copy()
    heat.py_func(expected[1:8:2, 2:9], expected[2:9:2, 2:9])
    with lw.on(device):
        heat(buffer[1:8:2, 2:9], buffer[2:9:2, 2:9])
    np.testing.assert_allclose(buffer.copy_to_host(), expected, rtol=1e-12)


def test_nothing_is_copied_but_arrays_of_numpy(monkeypatch: pytest.MonkeyPatch):
    device = lw.device("simt", memory="64 MiB")
    a, b = lw.to_device(np.zeros(1000), device), np.arange(1000.0)
    add_scaled(a, b, 1.0)  # compiles
    copies = Copies(device.memory, monkeypatch)
    add_scaled(a, lw.to_device(b, device), 2.0)
    to_device = copies.written
    add_scaled(a, a, 1.0)
    assert (copies.written - to_device, copies.read) == (0, 0)
    assert "no transfers" in add_scaled.inspect()
    assert (a.copy_to_host() == 6 * b).all()


def test_buffers_and_arrays_together(device: lw.Device):
    a, b = lw.to_device(np.arange(50.0), device), np.arange(50.0)
    with lw.on(device):
        add_scaled(a, b[::-1], 2.0)
        add_scaled(b, a, 1.0)
    expected = np.arange(50.0) + 2 * np.arange(50.0)[::-1]
    assert (a.copy_to_host() == expected).all()
    assert (b == np.arange(50.0) + expected).all()


@lw.jit
def annotated(a: lw.f32[:], n: int):
    for i in lw.prange(n):
        a[i] = i


def test_annotations_hold_for_buffers():
    buffer = lw.to_device(np.zeros(8, np.float32), lw.device("simt"))
    annotated(buffer, 8)
    assert (buffer.copy_to_host() == np.arange(8)).all()
    with pytest.raises(lw.LaunchError, match=re.escape("must be an array lw.f32[:], not an array of float64")):
        annotated(lw.to_device(np.zeros(8), lw.device("simt")), 8)


def test_buffers_elsewhere_are_refused():
    one, other = lw.device("simt", memory="1 MiB"), lw.device("simt", memory="2 MiB")
    a, b = lw.to_device(np.zeros(8), one), lw.to_device(np.zeros(8), other)
    with pytest.raises(lw.LaunchError, match=r"add_scaled:\d+: '[ab]' is in the memory of .*, and '[ab]' in that of"):
        add_scaled(a, b, 1.0)
    with lw.on("cpu"), pytest.raises(lw.LaunchError, match=r"is in the memory of simt, and the loop runs on cpu"):
        add_scaled(a, a, 1.0)


@lw.jit
def from_pair(pair, out):
    for i in lw.prange(len(out)):
        out[i] = pair[0] * 2.0


def test_a_buffer_in_a_tuple_is_refused_and_no_number(device: lw.Device):
    with pytest.raises(lw.LaunchError, match="'pair' is a Buffer"):
        from_pair((lw.to_device(np.ones(4), device), 1), np.zeros(4))


@lw.jit(boundscheck=True)
def checked(a, n):
    for i in lw.prange(n):
        a[i] = 1.0


def test_bounds_are_checked_in_buffers(device: lw.Device):
    buffer = lw.to_device(np.zeros(8), device)
    with lw.on(device):
        checked(buffer, 8)
        with pytest.raises(IndexError, match="index 8 is out of bounds for axis 0 with size 8"):
            checked(buffer, 9)
    assert (buffer.copy_to_host() == 1).all()


@lw.jit(transfers="interval")
def add(a, b):
    for i in lw.prange(len(a)):
        a[i] += b[i]


def test_only_what_is_copied_goes_in_tiles():
    device = lw.device("simt", memory="1600 KiB")
    a, b = lw.to_device(np.zeros(100_000), device), np.arange(100_000.0)
    add(a, b)
    assert "transfers (interval): 800000 bytes to the device, 0 back" in add.inspect()
    assert (a.copy_to_host() == b).all()
    c = lw.to_device(np.zeros(60_000), device)
    add(c, b)
    assert re.search(r"in \d tiles: 480000 bytes to the device, 0 back", add.inspect())
    assert (c.copy_to_host() == b[:60_000]).all()
