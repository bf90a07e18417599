# SPDX-License-Identifier: Apache-2.0
"""Performing a plan's copies on NumPy arrays of bytes, a vector operation per copy."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from lanewise.errors import Error
from lanewise.transfer.copies import StridedCopy
from lanewise.transfer.plan import GroupPlan

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


def pack_in(group: GroupPlan, memory: Bytes, origin: int, buffer: Bytes) -> None:
    """Copy a group's elements from host memory, whose first byte has address `origin`, into its buffer.

    Raises `Error` for a buffer of another size, or copies that leave the memory.
    """
    for host, packed in _views(group, group.copies_in, memory, origin, buffer):
        packed[...] = host


def unpack_out(group: GroupPlan, memory: Bytes, origin: int, buffer: Bytes) -> None:
    """Copy a group's written elements back to host memory."""
    for host, packed in _views(group, group.copies_out, memory, origin, buffer):
        host[...] = packed


def _views(group: GroupPlan, copies: Iterable[StridedCopy], memory: Bytes, origin: int, buffer: Bytes):
    if len(buffer) != group.size:
        raise Error(f"a buffer of {len(buffer)} bytes, for a group of {group.size}")
    for copy in copies:
        yield (
            _view(copy, memory, copy.host - origin, copy.host_strides),
            _view(copy, buffer, copy.packed, copy.packed_strides),
        )


def _view(copy: StridedCopy, memory: Bytes, offset: int, strides: tuple[int, ...]) -> "np.ndarray[Any, Any]":
    last = offset + sum(s * (count - 1) for s, count in zip(strides, copy.counts, strict=True)) + copy.block
    if offset < 0 or last > len(memory):
        raise Error(f"a copy of bytes {offset} to {last} of a memory of {len(memory)}")
    return np.ndarray(copy.counts, dtype=f"V{copy.block}", buffer=memory.data, offset=offset, strides=strides)
