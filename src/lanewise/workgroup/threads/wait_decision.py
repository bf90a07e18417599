# SPDX-License-Identifier: Apache-2.0
"""The answer to whether threads or warps of a kernel may wait for what comes too late."""

from typing import NamedTuple


class WaitDecision(NamedTuple):
    """`too_late`: one may wait for a tell that would be too late. `apart`: numbers of the parameters whose arrays must
    overlap no other argument's, if it isn't so."""

    too_late: bool
    apart: frozenset[int] = frozenset()
