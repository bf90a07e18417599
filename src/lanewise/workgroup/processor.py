# SPDX-License-Identifier: Apache-2.0
"""What of a processor decides how work-groups are mapped to it."""

from __future__ import annotations

from typing import Final, NamedTuple


class Processor(NamedTuple):
    """`lanes`: 32-bit lanes of a vector. `streams`: it has stores that pass by the caches. `rows`: so many rows of
    memory, at any distance from each other, may be walked along together."""

    lanes: int = 16
    streams: bool = True
    rows: int = 8


USUAL: Final = Processor()
"""One with AVX-512."""
