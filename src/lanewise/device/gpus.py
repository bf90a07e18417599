# SPDX-License-Identifier: Apache-2.0
"""GPUs, as NVIDIA's data sheets describe them: for occupancy, rooflines, and limits of launches.

Sources: NVIDIA A100 Tensor Core GPU Architecture (whitepaper, 2020) and its data sheet; NVIDIA H100 Tensor Core GPU
Architecture (whitepaper, 2022) and its data sheet; NVIDIA Ada GPU Architecture (whitepaper, 2023); NVIDIA T4 (data
sheet, 2019) and NVIDIA Turing GPU Architecture (whitepaper, 2018); CUDA C++ Programming Guide 13, table "Technical
Specifications per Compute Capability", and section "Arithmetic Instructions".
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from lanewise.errors import Error

REGISTERS_OF_THREAD: Final = 255
"""Registers of 32 bits that code of a thread can name, on all GPUs of the table."""
KIB: Final = 1024
GIB: Final = 1 << 30


class Gpu(NamedTuple):
    """`clock` is the highest one, in Hz. Rates are operations a clock and multiprocessor, a fused multiplication and
    addition being one. Bandwidth is in bytes a second, memory in bytes."""

    name: str
    arch: str
    multiprocessors: int
    clock: float
    memory: int
    bandwidth: float
    fp32: int
    fp64: int
    special: int
    shared_bytes: int
    """Shared memory of a multiprocessor."""
    shared_bytes_of_block: int
    """The most that a block may ask for."""
    reserved_bytes_of_block: int
    """Shared memory that the system takes for each block."""
    warps: int
    """Resident warps of a multiprocessor, at most."""
    blocks: int
    """Resident blocks of a multiprocessor, at most."""
    registers: int = 65536
    """Registers of 32 bits of a multiprocessor."""
    schedulers: int = 4
    """Warp instructions that a multiprocessor issues each clock."""

    @property
    def flops(self) -> float:
        """Operations in single precision a second, a fused multiplication and addition counted as two."""
        return 2 * self.fp32 * self.multiprocessors * self.clock


_ROWS: Final = (
    Gpu(
        "A100", "sm_80", 108, 1.41e9, 40 * GIB, 1555e9, 64, 32, 16,
        164 * KIB, 163 * KIB, KIB, warps=64, blocks=32,
    ),
    Gpu(
        "H100", "sm_90", 132, 1.98e9, 80 * GIB, 3352e9, 128, 64, 16,
        228 * KIB, 227 * KIB, KIB, warps=64, blocks=32,
    ),
    Gpu(
        "RTX 4090", "sm_89", 128, 2.52e9, 24 * GIB, 1008e9, 128, 2, 16,
        100 * KIB, 99 * KIB, KIB, warps=48, blocks=24,
    ),
    Gpu(
        "T4", "sm_75", 40, 1.59e9, 16 * GIB, 320e9, 64, 2, 16,
        64 * KIB, 64 * KIB, 0, warps=32, blocks=16,
    ),
)  # fmt: skip
GPUS: Final[Mapping[str, Gpu]] = MappingProxyType({row.name: row for row in _ROWS})
"""The GPUs by name."""


def gpu_named(name: str) -> Gpu:
    """The GPU called `name`, in any case and with or without blanks. Error, with the known names, if there is none."""
    wanted = "".join(str(name).lower().split())
    for row in _ROWS:
        if "".join(row.name.lower().split()) == wanted:
            return row
    raise Error(f"no GPU is called {name!r}; known are {', '.join(GPUS)}")
