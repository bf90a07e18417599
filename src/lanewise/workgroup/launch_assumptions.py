# SPDX-License-Identifier: Apache-2.0
"""Assumptions that code makes of its launches. Each launch is tested for them."""

from typing import Final, NamedTuple

MAX_SMALL_GRID: Final = 65535
"""Most work-groups along y and z. CUDA's grids have no more there; those of OpenCL may."""


class LaunchAssumptions(NamedTuple):
    """Assumptions about launches. Code compiled with fewer of them is also correct for launches that satisfy more."""

    small_grid: bool = True
    """Grids have at most 2^31 - 1 work-items along each axis, and MAX_SMALL_GRID groups along y and z."""
    apart: bool = True
    """Arrays that the kernel writes overlap none of its other arrays."""

    def weaker(self) -> "list[LaunchAssumptions]":
        """These assumptions and all weaker ones, the strongest first."""
        small = (True, False) if self.small_grid else (False,)
        apart = (True, False) if self.apart else (False,)
        return [LaunchAssumptions(s, a) for s in small for a in apart]


ALL: Final = LaunchAssumptions()
"""The assumptions that nearly all launches meet."""
