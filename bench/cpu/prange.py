# SPDX-License-Identifier: Apache-2.0
"""Numba's parallel range, or Python's own where Numba is not installed: then the loops run as plain Python."""

import importlib
from typing import Any

try:
    numba: Any = importlib.import_module("numba")
    prange: Any = numba.prange
except ImportError:
    prange = range

__all__ = ["prange"]
