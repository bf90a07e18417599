# SPDX-License-Identifier: Apache-2.0
"""PTX's fundamental types as NumPy has them (PTX ISA 9.0, 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

Lanes = np.ndarray[Any, np.dtype[Any]]
"""A value of each thread of the grid, or one element that stands for all."""

BITS: Final = {8: np.dtype(np.uint8), 16: np.dtype(np.uint16), 32: np.dtype(np.uint32), 64: np.dtype(np.uint64)}
_SIGNED: Final = {8: np.dtype(np.int8), 16: np.dtype(np.int16), 32: np.dtype(np.int32), 64: np.dtype(np.int64)}
_FLOATS: Final = {16: np.dtype(np.float16), 32: np.dtype(np.float32), 64: np.dtype(np.float64)}


@dataclass(frozen=True, slots=True)
class Format:
    """`kind`: u, s, f, b or p, of a predicate. `dtype` computes with values, `raw` is what a register of it holds."""

    name: str
    kind: str
    bits: int
    dtype: np.dtype[Any]
    raw: np.dtype[Any]

    @property
    def bytes(self) -> int:
        return self.bits // 8


def _formats() -> dict[str, Format]:
    made = {"pred": Format("pred", "p", 1, np.dtype(np.bool_), np.dtype(np.bool_))}
    for bits, raw in BITS.items():
        for kind in "ub":
            made[f"{kind}{bits}"] = Format(f"{kind}{bits}", kind, bits, raw, raw)
        made[f"s{bits}"] = Format(f"s{bits}", "s", bits, _SIGNED[bits], raw)
    for bits, dtype in _FLOATS.items():
        made[f"f{bits}"] = Format(f"f{bits}", "f", bits, dtype, BITS[bits])
    return made


FORMATS: Final = _formats()


def wider(of: Format) -> Format:
    """The integer of twice the width."""
    return FORMATS[f"{of.kind}{2 * of.bits}"]


def as_signed(value: Lanes) -> Lanes:
    return value.view(_SIGNED[value.dtype.itemsize * 8])
