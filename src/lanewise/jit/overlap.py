# SPDX-License-Identifier: Apache-2.0
"""Arrays among the inputs of a call that overlap."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

from lanewise.frontend.python.python_types import Tuple, Type


def has_arrays_in_tuples(types: Mapping[str, Type]) -> bool:
    """True if a tuple among the inputs has an array, of whose references nothing is known."""
    return any(isinstance(of, Tuple) and of.has_arrays for of in types.values())


def are_apart(written: Iterable[int], inputs: tuple[Any, ...]) -> bool:
    """True if no array that is written to overlaps another one."""
    arrays: list[Any] = [cast("Any", value) for value in inputs if isinstance(value, np.ndarray)]
    in_tuples = [array for value in inputs if isinstance(value, tuple) for array in _arrays_in(value)]
    return not any(
        other != number and np.may_share_memory(arrays[number], array)
        for number in written
        for other, array in enumerate((*arrays, *in_tuples))
    )


def _arrays_in(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [array for item in cast("tuple[Any, ...]", value) for array in _arrays_in(item)]
    return [value] if isinstance(value, np.ndarray) else []
