# SPDX-License-Identifier: Apache-2.0
"""NumPy dtypes of source types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from lanewise.frontend.source_types import Dtype


def numpy_dtype(description: Dtype) -> np.dtype[Any]:
    """The dtype that `source_types.Dtype` describes."""
    if isinstance(description, str):
        return np.dtype(description)
    if "base" in description:
        base = numpy_dtype(cast("Dtype", description["base"]))
        return np.dtype((base, tuple(cast("list[int]", description["shape"]))))
    return np.dtype(
        {
            "names": cast("list[str]", description["names"]),
            "formats": [numpy_dtype(f) for f in cast("list[Dtype]", description["formats"])],
            "offsets": cast("list[int]", description["offsets"]),
            "itemsize": cast("int", description["itemsize"]),
        }
    )
