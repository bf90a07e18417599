# SPDX-License-Identifier: Apache-2.0
"""`lw.prange`: a range whose iterations may run at the same time."""

from __future__ import annotations

from typing import Any


def prange(*bounds: Any) -> range:
    """`prange(stop)`, `prange(start, stop)` or `prange(start, stop, step)`: as `range`."""
    return range(*bounds)


prange.__lanewise_range__ = True  # type: ignore[attr-defined]
