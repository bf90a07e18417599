# SPDX-License-Identifier: Apache-2.0
"""Numba's parallel range, or Python's own where Numba is not installed: then the loops run as plain Python."""

try:
    from numba import prange
except ImportError:
    prange = range

__all__ = ["prange"]
