# SPDX-License-Identifier: Apache-2.0
"""The mathematics of PTX, as users choose it: `math=` of `lanewise.compile`, `--math` on the command line.

    same-bits   the functions of every other device: results are equal to the bit
    hardware    a GPU's approximate instructions, corrected to CUDA's errors

Without a choice, PTX for a GPU computes by its hardware, and PTX for the simulated GPU gives the same bits as the CPU.
"""

from collections.abc import Mapping
from typing import Final

from lanewise.errors import Error

SAME_BITS: Final = "same-bits"
HARDWARE: Final = "hardware"
_NAMES: Final = (SAME_BITS, HARDWARE)

OPTION: Final = "math"
"""The name of the choice among `Program.options`, which are without it if there is none."""


def mathematics_option(math: object) -> dict[str, str]:
    """The choice as options of a program; none for None. Error for any other word."""
    if math is None:
        return {}
    if not isinstance(math, str) or math not in _NAMES:
        raise Error(f"math must be {' or '.join(map(repr, _NAMES))}, not {math!r}")
    return {OPTION: math}


def mathematics_of_gpus(options: Mapping[str, str]) -> str:
    """The mathematics of PTX that is made for a GPU."""
    return options.get(OPTION, HARDWARE)


def mathematics_of_simulated_gpus(options: Mapping[str, str]) -> str:
    """The mathematics of PTX that is made to be run here."""
    return options.get(OPTION, SAME_BITS)
