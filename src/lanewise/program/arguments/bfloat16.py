# SPDX-License-Identifier: Apache-2.0
"""bfloat16 on NumPy's side, which has no such number: its bits as uint16, or the dtype of the package `ml_dtypes`."""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

_NAME: Final = "bfloat16"


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """True if memory of this dtype (`frontend.source_types`) is bfloat16 and nothing else."""
    while dtype.subdtype is not None or (dtype.names is not None and dtype.names != (_NAME,)):
        if dtype.subdtype is not None:
            dtype = dtype.subdtype[0]
        else:
            assert dtype.fields is not None
            members = {field[0] for field in dtype.fields.values()}
            if len(members) != 1:
                return False
            dtype = members.pop()
    return dtype.names == (_NAME,)


def is_foreign_bfloat16(dtype: np.dtype[Any]) -> bool:
    """True for the dtype of `ml_dtypes`."""
    return dtype.name == _NAME


def bfloat16_bits(value: float) -> int:
    """The bits of the nearest bfloat16, ties to even. `value` is one that binary32 holds, or is rounded to it first."""
    (bits,) = struct.unpack("<I", struct.pack("<f", np.float32(value)))
    if value != value:
        return bits >> 16 | 0x40
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
