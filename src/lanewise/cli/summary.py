# SPDX-License-Identifier: Apache-2.0
"""Results: one line per array, whole arrays, and arrays as data for JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lanewise.cli.values import TYPES

_FIRST: Final = 5
_LINE: Final = 100
"""Width of a line of a whole array, in characters."""
_NAMES: Final = {np.dtype(code): name for name, code in TYPES.items()}


def summary(arrays: Mapping[str, NDArray[Any]]) -> list[str]:
    """A line per array: name, type, shape, least and greatest value, and first values, in columns."""
    rows = [(name, _type(array), _range(array), _first(array)) for name, array in arrays.items()]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return ["  ".join((*map(str.ljust, row[:3], widths), row[3])).rstrip() for row in rows]


def whole(name: str, array: NDArray[Any]) -> str:
    """All elements of an array, with enough digits to tell each from its neighbours."""
    with np.printoptions(threshold=sys.maxsize, linewidth=_LINE, floatmode="unique"):
        return f"{name}  {_type(array)}\n{array}"


def described(array: NDArray[Any], with_values: bool) -> dict[str, Any]:
    """An array as data for JSON: its type and shape, its least and greatest value, and its elements if wanted."""
    told: dict[str, Any] = {"type": _type(array).partition("[")[0], "shape": list(array.shape)}
    if array.size and not array.dtype.names and array.dtype.kind != "b":
        numbers = array.astype(np.float64) if array.dtype.kind == "f" else array
        nans = int(np.count_nonzero(np.isnan(numbers))) if array.dtype.kind == "f" else 0
        if nans < array.size:
            told |= {"min": np.nanmin(numbers).item(), "max": np.nanmax(numbers).item()}
        told["nan"] = nans
    flat = array.reshape(-1)
    told |= {"values": array.tolist()} if with_values else {"first": flat[:_FIRST].tolist()}
    return told


def _type(array: NDArray[Any]) -> str:
    name = _NAMES.get(array.dtype, "struct" if array.dtype.names else str(array.dtype))
    return f"{name}[{','.join(map(str, array.shape))}]"


def _range(array: NDArray[Any]) -> str:
    if array.size == 0 or array.dtype.names:
        return ""
    if array.dtype.kind == "b":
        return f"{np.count_nonzero(array)} true"
    values = array.astype(np.float64) if array.dtype.itemsize == 2 and array.dtype.kind == "f" else array
    nans = int(np.count_nonzero(np.isnan(values))) if array.dtype.kind == "f" else 0
    if nans == array.size:
        return "all NaN"
    low, high = np.nanmin(values), np.nanmax(values)
    return f"min {_value(low)}, max {_value(high)}" + (f", {nans} NaN" if nans else "")


def _first(array: NDArray[Any]) -> str:
    if array.size == 0:
        return "empty"
    values = " ".join(_value(value) for value in array.reshape(-1)[:_FIRST])
    return f"first {values}" + (" ..." if array.size > _FIRST else "")


def _value(value: Any) -> str:
    if isinstance(value, np.void):
        return "(" + ", ".join(_value(field) for field in value.tolist()) + ")"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(_value(field) for field in value) + ")"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] : fields of a struct
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return str(value)
