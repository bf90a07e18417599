# SPDX-License-Identifier: Apache-2.0
"""Facts about a processor that decide how work-groups are mapped to it.

Source of how its caches are: Linux, Documentation/ABI/testing/sysfs-devices-system-cpu,
/sys/devices/system/cpu/cpu*/cache/index*.
"""

from pathlib import Path
from typing import Final, NamedTuple

_FIRST_CACHE: Final = Path("/sys/devices/system/cpu/cpu0/cache/index0")


class Processor(NamedTuple):
    """Facts about a processor that decide on the code of work-groups."""

    lanes: int = 16
    """Number of 32-bit lanes of a vector."""
    nontemporal_stores: bool = True
    """True if it has stores that pass by the caches."""
    rows: int = 8
    """Number of rows of memory, at any distance from each other, that may be read along together."""
    truncating_stores: bool = True
    """True if it has masked stores that truncate each lane, as AVX-512 does (`lanes/values/opaque.py`)."""
    masked_stores: bool = True
    """True if masked stores are as fast as others, as those of AVX-512 are (`lanes/memory/blended_stores.py`)."""
    unsigned_conversions: bool = True
    """True if it converts vectors of doubles to unsigned integers, as AVX-512 does (`lanes/values/division.py`)."""
    gathers_pairs: bool = True
    """True if it gathers and scatters 64 bits as fast as 32, as Intel's do with AVX-512 (`lanes/memory/pairs.py`)."""
    scales: bool = True
    """True if it multiplies by powers of two in one instruction, as AVX-512 does (`lanes/values/scaling.py`)."""
    saturates: bool = False
    """True if its conversions to integers saturate, as those of AArch64 do (`lowering/floats/saturating.py`)."""


USUAL: Final = Processor()
"""A processor with AVX-512."""


def first_cache_ways(cache: Path = _FIRST_CACHE) -> int:
    """Ways of the first data cache: the number of lines, at distances that are multiples of a power of two, that it
    keeps at once; 8 if the system doesn't say."""
    try:
        return int((cache / "ways_of_associativity").read_text())
    except (OSError, ValueError):
        return 8
