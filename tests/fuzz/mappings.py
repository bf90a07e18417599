# SPDX-License-Identifier: Apache-2.0
"""How the CPU device is to map the work-items of random kernels; see `lw.compile`."""

from random import Random
from typing import Final

from lanewise.config import default_mapping

MAPPINGS: Final = (
    "lanes:4x1", "lanes:4x8", "lanes:8x2", "lanes:8x4", "lanes:16x1", "lanes:16x2", "lanes:16x4", "loop",
)  # fmt: skip

THROUGH_PTX: Final = "ptx"
"""In place of a mapping: the kernel's PTX, on the device simt. Only who names it gets it."""

THROUGH_SPIRV: Final = "spirv"
"""In place of a mapping: the kernel's SPIR-V, as clang writes it, on the CPU device. Of OpenCL C only."""

BOTH: Final = "both"
"""In place of a mapping: work-groups run by lanes and by a loop in turn, as if launches were to decide."""


def sampled(seed: int, dialect: str) -> tuple[str, ...]:
    """What a kernel runs under unless someone says otherwise: as by default, and in one more way. A loop over
    work-items has no warps."""
    choices = [mapping for mapping in (*MAPPINGS, BOTH) if dialect != "warps" or mapping not in ("loop", BOTH)]
    return default_mapping(), Random(seed).choice(choices)


def all_mappings() -> tuple[str, ...]:
    return default_mapping(), *MAPPINGS, BOTH
