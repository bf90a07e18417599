# SPDX-License-Identifier: Apache-2.0
"""Lane values of a whole warp as one vector: the chunks of its unit, put together."""

from __future__ import annotations

from lanewise.ir.values import Value
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue, shuffle


def joined(code: LaneCode, lane_value: LaneValue) -> Value:
    """The values of all chunks as one vector."""
    vectors = [code.vector(lane_value, chunk) for chunk in range(code.extent.chunks)]
    while len(vectors) > 1:
        count = 2 * vectors[0].type.count
        vectors = [
            shuffle(a, b, list(range(count)), code.build) for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]
