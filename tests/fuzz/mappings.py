# SPDX-License-Identifier: Apache-2.0
"""How the CPU device is to map the work-items of random kernels; see `lw.compile`."""

from random import Random
from typing import Final

from lanewise.config import default_mapping

MAPPINGS: Final = (
    "lanes:4x1", "lanes:4x8", "lanes:8x2", "lanes:8x4", "lanes:16x1", "lanes:16x2", "lanes:16x4", "loop",
)  # fmt: skip

ONE: Final = "one"
"""In place of mappings: each kernel runs under one of them, another one from kernel to kernel."""

THROUGH_PTX: Final = "ptx"
"""In place of a mapping: the kernel's PTX, on the device simt. Only who names it gets it."""

THROUGH_SPIRV: Final = "spirv"
"""In place of a mapping: the kernel's SPIR-V, as clang writes it, on the CPU device. Of OpenCL C only."""

BOTH: Final = "both"
"""In place of a mapping: work-groups run by lanes and by a loop in turn, as if launches were to decide."""


def sampled(seed: int, dialect: str) -> tuple[str, ...]:
    """What a kernel runs under unless someone says otherwise: as by default, and in one more way. A loop over
    work-items has no warps."""
    return default_mapping(), Random(seed).choice(_of(dialect))


def one_of_all(seed: int, dialect: str) -> tuple[str, ...]:
    """One mapping alone, which may be that by default: it takes about half as long as `sampled`."""
    return (Random(seed).choice((default_mapping(), *_of(dialect))),)


def all_mappings(dialect: str = "cuda") -> tuple[str, ...]:
    """All mappings except those that run only when named."""
    return default_mapping(), *_of(dialect)


def _of(dialect: str) -> list[str]:
    return [mapping for mapping in (*MAPPINGS, BOTH) if dialect != "warps" or mapping not in ("loop", BOTH)]
