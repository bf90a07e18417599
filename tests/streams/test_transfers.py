# SPDX-License-Identifier: Apache-2.0
"""Copies and fills in streams."""

import numpy as np
import pytest

import lanewise as lw

from .kernels import Gate


def test_copies_are_in_the_stream_s_order(kernels: lw.Module, device: str, gate: Gate):
    s, host, back = lw.Stream(device), np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    b, c = lw.zeros(4, "int32", device), lw.zeros(4, "int32", device)
    s.callback(gate.hold)
    b.copy_from_host(host, stream=s)
    kernels["add"].launch(1, 4, (b, 5), stream=s)
    lw.copy_async(c, b, s)
    kernels["add"].launch(1, 4, (c, 5), stream=s)
    lw.copy_async(back, c, s)
    also = b.copy_to_host(stream=s)
    lw.memset_async(b, 0xFF, s)
    assert not back.any()
    gate.open()
    s.synchronize()
    assert list(back) == [10, 11, 12, 13]
    assert list(also) == [5, 6, 7, 8]
    assert list(b.copy_to_host()) == [-1] * 4


def test_without_a_stream_they_are_done_on_return():
    a, b = np.ones(3), np.zeros(3)
    lw.copy_async(b, a)
    assert list(b) == [1, 1, 1]
    lw.memset_async(b, 0)
    assert list(b) == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["i1", "u2", "f4", "c16", "?", [("x", "f4"), ("y", "i2")]])
def test_memset_sets_bytes(dtype: object):
    a = np.zeros(3, dtype)  # type: ignore[call-overload]
    lw.memset_async(a, 1)
    assert a.tobytes() == b"\1" * a.nbytes


def test_bad_copies_are_refused():
    a, frozen, s = np.zeros(3), np.zeros(3), lw.Stream()
    frozen.flags.writeable = False
    with pytest.raises(lw.LaunchError, match=r"destination has shape \(3,\) and dtype float64, source \(2,\)"):
        lw.copy_async(a, np.zeros(2), s)
    with pytest.raises(lw.LaunchError, match="destination must be a buffer or an array"):
        lw.copy_async([1, 2], a, s)  # type: ignore[arg-type]
    with pytest.raises(lw.LaunchError, match="the destination is read-only"):
        lw.copy_async(frozen, a, s)
    with pytest.raises(lw.LaunchError, match="a byte is 0 to 255, not 256"):
        lw.memset_async(a, 256, s)
    with pytest.raises(lw.LaunchError, match=r"stream must be an lw\.Stream or None, not 'fast'"):
        lw.memset_async(a, 0, "fast")  # type: ignore[arg-type]
    with pytest.raises(lw.Error, match="can't copy to"):
        lw.zeros(3).copy_from_host(np.zeros(4), stream=s)
