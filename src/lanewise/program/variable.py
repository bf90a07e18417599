# SPDX-License-Identifier: Apache-2.0
"""`__device__` and `__constant__` variables, read and written from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanewise.device.memory import DeviceMemory, Span
from lanewise.errors import LaunchValueError
from lanewise.program.arguments.numbers import shortened
from lanewise.streams.default_stream import in_default_stream


@final
class Variable:
    """A variable of a module, on one device.

        counts = mod.variable("counts")
        counts.write(np.zeros(16, np.int32));  k[64, 256](x);  print(counts.read())

    `dtype` and `shape` are those of the declaration (shape () for a scalar); without debug information it is bytes.
    """

    def __init__(
        self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...], place: Callable[[], tuple[DeviceMemory, Span]]
    ) -> None:
        """`place()` returns the device's memory and the variable's place there."""
        self.name: Final = name
        self.dtype: Final = dtype
        self.shape: Final = shape
        self._place: Final = place

    def __repr__(self) -> str:
        return f"<variable {self.name}: {self.dtype} {self.shape}>"

    def read(self) -> NDArray[Any]:
        """A copy of its present value."""
        memory, span = self._place()
        out = np.empty(span.nbytes, np.uint8)
        in_default_stream(memory.read, span.address, out)
        return out.view(self.dtype).reshape(self.shape)

    def write(self, value: ArrayLike) -> None:
        """Set it; `value` must have, or broadcast to, its shape."""
        memory, span = self._place()
        whole = np.empty(self.shape, self.dtype)
        try:
            given = np.asarray(value, None if self.dtype.names is None else self.dtype)
            if not _holds(self.dtype, given):
                raise ValueError("it does not hold these values")
            np.copyto(whole, given, "unsafe")
        except (ValueError, TypeError, OverflowError) as error:
            raise LaunchValueError(
                f"variable {self.name} has dtype {self.dtype} and shape {self.shape}; "
                f"can't write {shortened(repr(value))}: {error}"
            ) from None
        in_default_stream(memory.write, span.address, whole.reshape(-1).view(np.uint8))


def _holds(dtype: np.dtype[Any], given: NDArray[Any]) -> bool:
    """True if the values can be written to `dtype` as they are, or rounded from one floating-point type to another."""
    if dtype.kind == "b":
        return given.dtype.kind == "b" or (given.dtype.kind in "iu" and bool(((given == 0) | (given == 1)).all()))
    if dtype.kind not in "iu":
        return given.dtype.kind not in "c" or dtype.kind == "c"
    if given.dtype.kind not in "biu":
        return given.size == 0
    limits = np.iinfo(dtype)
    return given.size == 0 or bool(limits.min <= int(given.min()) and int(given.max()) <= limits.max)
