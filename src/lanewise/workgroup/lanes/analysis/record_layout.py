# SPDX-License-Identifier: Apache-2.0
"""Fields that are near enough to each other to be loaded at once, with what is between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.workgroup.lanes.analysis.elements import Elements, Places

MAX_BYTES: Final = 64
"""Bytes from the first field of a record to the end of the last."""


def is_record(elements: Elements, places: Places) -> bool:
    """Return whether the fields at these places are worth a load of all between them."""
    return is_dense(places) and (places[-1] + 1) * elements.size <= MAX_BYTES


def is_dense(places: Sequence[int]) -> bool:
    """Return whether at least every second element, from 0 to the last place, is one of these."""
    return places[-1] + 1 <= 2 * len(places)
