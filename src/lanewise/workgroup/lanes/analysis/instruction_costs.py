# SPDX-License-Identifier: Apache-2.0
"""Costs of instructions in lanes and in a loop over work-items, by processor, in cycles of a core.

bench/lane_costs.py measures them on any machine, under the same names. Runs of it agree to within a tenth, but for
divisions, which vary by a fifth. What it measured last:

                        EPYC 9005, AVX-512    EPYC 9005, AVX2    EPYC 7003, AVX2
    vector              0.57                  0.49               0.3
    mask                1.4                   0.75               1.5
    gathered, picked    0.82, 0.92            1.0, 1.0           1.3, 1.3
    arm                 2.4                   2.45               3
    apart               0.63                  0.93               1.2 (a Xeon)

What bench/lane_costs.py takes apart is only added up. A kernel of OpenCV that finds the greatest of bytes of shifted
vectors takes 2.3 times as long in lanes as in a loop on the EPYC 9005, as `apart` = 1.2 says: it is 1.2 everywhere.

A processor with registers of 16 lanes has AVX-512, or its vectors are as long; all others get the costs of the oldest
processor that was measured.
"""

from typing import Final, NamedTuple


class InstructionCosts(NamedTuple):
    """Cycles of instructions, for the work-items of one vector register unless it says otherwise."""

    vector: float
    """An instruction of a vector register."""
    mask: float
    """The masks of the edges of a divergent branch."""
    gathered: float
    """A lane of a load of 32 or 64 bits at any address."""
    picked: float
    """A lane of a load of 8 or 16 bits, for which there is no gather, or of any store, at any address."""
    apart: float
    """A register of one element of vectors that lie one after the other, per doubling of their number of elements."""
    division: float
    """A division of integers by floating-point numbers, for a register of 32-bit lanes."""
    uniform_division: float
    """The same if the divisor is uniform."""
    float_division: float
    """A division or square root of floating-point numbers, in one register."""
    arm: float
    """A branch on a work-item's own data in a loop over work-items: it is mispredicted one time in four."""
    scalar: float = 0.25
    """An instruction of a scalar."""
    scalar_division: float = 4.5
    scalar_wide_division: float = 5.5


AVX2: Final = InstructionCosts(
    vector=0.3, mask=1.5, gathered=1.3, picked=1.3, apart=1.2, division=7.0, uniform_division=7.0, float_division=3.0,
    arm=3.0, scalar_division=4.0, scalar_wide_division=6.0,
)  # fmt: skip
"""Costs of an EPYC 7003."""
AVX_512: Final = InstructionCosts(
    vector=0.57, mask=1.4, gathered=0.82, picked=0.92, apart=1.2, division=6.5, uniform_division=6.3,
    float_division=1.3, arm=2.4,
)  # fmt: skip
"""Costs of an EPYC 9005."""

_LONG: Final = 16


def instruction_costs(register_lanes: int) -> InstructionCosts:
    """The costs on a processor whose vector registers have so many lanes of 32 bits."""
    return AVX_512 if register_lanes >= _LONG else AVX2
