# SPDX-License-Identifier: Apache-2.0
"""The address of an array, whatever its elements are and whether it can be written."""

import weakref
from typing import Any

import numpy as np
import pytest

from lanewise.program.arguments.array_address import array_address

ARRAYS: dict[str, np.ndarray[Any, Any]] = {
    "numbers": np.zeros((3, 5), np.float32),
    "a part": np.zeros(10, np.int64)[3:7],
    "complex numbers": np.zeros(2, np.complex128),
    "half floats": np.zeros(2, np.float16),
    "without dimensions": np.zeros((), np.uint8),
    "empty": np.zeros(0, np.int32),
    "fields": np.zeros(2, [("x", "<i4"), ("y", "<f8")]),
    "bytes": np.zeros(2, "S1"),
    "dates": np.zeros(2, "datetime64[s]"),
    "another byte order": np.zeros(2, ">f4"),
    "broadcast with another": np.broadcast_arrays(np.zeros((4, 4)), np.zeros((1, 4)))[0],
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("writeable", [True, False])
def test_address(kind: str, writeable: bool):
    array = ARRAYS[kind].view()
    array.flags.writeable = writeable
    assert array_address(array) == array.ctypes.data


def test_the_array_is_not_held():
    array = np.zeros(4)
    held = weakref.ref(array)
    array_address(array)
    del array
    assert held() is None
