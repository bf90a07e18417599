# SPDX-License-Identifier: Apache-2.0
"""Names that the launches of planted faults are written with.

`f4(3, 4)`, `u1(7)` and the like are arrays of zeros; `i4([1, 2])` has these values. `ramp(n, "i4")` counts from 0,
`text("ab")` has the bytes of a text without a zero, `struct(n, ("key", "i4"), ...)` n structures of zeros.
`buffer(array)` lies at a multiple of 256 bytes, and `local(bytes)` is memory of a work-group.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

TYPES = ("i2", "i4", "i8", "u1", "u4", "u8", "f2", "f4", "f8")


def _maker(dtype: str) -> Callable[..., NDArray[Any]]:
    def made(*shape: Any) -> NDArray[Any]:
        return np.array(shape[0], dtype) if isinstance(shape[0], list) else np.zeros(shape, dtype)

    return made


def _ramp(count: int, dtype: str) -> NDArray[Any]:
    return np.arange(count).astype(dtype)


def _text(text: str) -> NDArray[np.int8]:
    return np.frombuffer(text.encode(), np.int8).copy()


def _struct(count: int, *fields: Any) -> NDArray[Any]:
    return np.zeros(count, np.dtype(list(fields), align=True))


def names(kept: list[lw.Buffer]) -> dict[str, Any]:
    """The names of an expression; its buffers are added to `kept`, which must last as long as their addresses."""

    def buffer(array: NDArray[Any]) -> lw.Buffer:
        kept.append(lw.to_device(array))
        return kept[-1]

    made: dict[str, Any] = {dtype: _maker(dtype) for dtype in TYPES}
    return made | {"ramp": _ramp, "text": _text, "struct": _struct, "buffer": buffer, "local": lw.local}
