# SPDX-License-Identifier: Apache-2.0
"""Dtypes of structs."""

from __future__ import annotations

from typing import Any

import numpy as np


def leaf_dtype(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """The one dtype that a struct is made of without gaps (float32 of float4); None if there are several. Three
    that take the place of four, as OpenCL C's do, count as without gaps."""
    if dtype.subdtype is not None:
        return leaf_dtype(dtype.subdtype[0])
    if dtype.fields is None:
        return None if dtype.kind == "V" else dtype
    leaves = {leaf_dtype(field[0]) for field in dtype.fields.values()}
    sizes = sum(field[0].itemsize for field in dtype.fields.values())
    if len(dtype.fields) == 3:
        sizes = max(sizes, min(dtype.itemsize, sizes // 3 * 4))
    return leaves.pop() if len(leaves) == 1 and sizes == dtype.itemsize else None
