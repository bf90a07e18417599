# SPDX-License-Identifier: Apache-2.0
"""The value of a reduction from the partial results of its work-items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPERATIONS: Final[dict[str, Any]] = {
    "+": np.add, "*": np.multiply, "min": np.fmin, "max": np.fmax, "minimum": np.minimum, "maximum": np.maximum,
    "and": np.logical_and, "or": np.logical_or, "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
}  # fmt: skip


def folded(operation: str, start: Any, partial: NDArray[Any]) -> Any:
    """`start` and all partial results, at least one, put together; `partial` is overwritten."""
    number = partial.dtype.type
    total = folded_in_place(operation, partial)
    with np.errstate(all="ignore"):  # compiled code warns of nothing
        return number(OPERATIONS[operation](number(start), total))


def folded_in_place(operation: str, partial: NDArray[Any]) -> Any:
    """All partial results along the first axis, at least one, put together; `partial` is overwritten.

    The tree is the same for any device: the second half is folded into the first, until one value is left. It is that
    of `runtime/calls/results.c`.
    """
    operator = OPERATIONS[operation]
    count = len(partial)
    with np.errstate(all="ignore"):
        while count > 1:
            half = (count + 1) // 2
            operator(partial[: count - half], partial[half:count], out=partial[: count - half])
            count = half
    return partial[0]
