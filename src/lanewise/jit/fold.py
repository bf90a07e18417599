# SPDX-License-Identifier: Apache-2.0
"""The value of a reduction from the partial results of its work-items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OPERATIONS: Final[dict[str, Any]] = {
    "+": np.add, "*": np.multiply, "min": np.fmin, "max": np.fmax, "and": np.logical_and, "or": np.logical_or,
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
}  # fmt: skip


def folded(operation: str, start: Any, partial: NDArray[Any]) -> Any:
    """`start` and all partial results, at least one, put together; `partial` is overwritten.

    The tree is the same for any device: the second half is folded into the first, until one value is left. It is that
    of `runtime/calls/results.c`.
    """
    operator = _OPERATIONS[operation]
    count = len(partial)
    number = partial.dtype.type
    with np.errstate(all="ignore"):  # compiled code warns of nothing
        while count > 1:
            half = (count + 1) // 2
            operator(partial[: count - half], partial[half:count], out=partial[: count - half])
            count = half
        return number(operator(number(start), partial[0]))
