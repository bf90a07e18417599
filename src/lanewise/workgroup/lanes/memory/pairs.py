# SPDX-License-Identifier: Apache-2.0
"""Two fields of 32 bits, neighbours in memory at any address for each work-item: a gather or scatter of 64 bits.

That is for complex numbers and `float2`. Intel's processors with AVX-512 gather 64 bits as fast as 32, and scatter them
so, too: `fft` of bench/cpu takes 14.6 ms on a Xeon (Sapphire Rapids) so, 23.8 ms by a load or store for each work-item
(`records.py`). AMD's take gathers and scatters apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.elements import Elements, Places
from lanewise.workgroup.lanes.memory.runs import gather, scatter
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import shuffle

_PAIR: Final = (0, 1)
_FIELD_BYTES: Final = 4


def are_pairs(code: LaneCode, elements: Elements, places: Places) -> bool:
    """Return whether fields are gathered and scattered as pairs."""
    return code.processor.gathers_pairs and places == _PAIR and elements.size == _FIELD_BYTES


def load_pairs(code: LaneCode, elements: Elements, pointers: Value, bits: Value | None) -> list[Value]:
    """Both fields of each work-item's pair."""
    count = pointers.type.count
    pairs = gather(code, elements._replace(type=ty.I64), pointers, bits)
    fields = code.build.cast("bitcast", pairs, ty.vector(2 * count, elements.type))
    return [shuffle(fields, None, range(which, 2 * count, 2), code.build) for which in _PAIR]


def store_pairs(
    code: LaneCode, elements: Elements, values: Sequence[Value], pointers: Value, bits: Value | None
) -> None:
    """Store both fields of each work-item's pair; where work-items share an address, the last one's stay."""
    count = pointers.type.count
    first, second = values
    fields = shuffle(first, second, [which * count + lane for lane in range(count) for which in _PAIR], code.build)
    scatter(code, elements, code.build.cast("bitcast", fields, ty.vector(count, ty.I64)), pointers, bits)
