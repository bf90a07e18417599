# SPDX-License-Identifier: Apache-2.0
"""The compute capability of the GPU in this machine, for `-arch=native`.

Source: CUDA Driver API reference, "Device Management".
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Final

_LIBRARY: Final = "libcuda.so.1"
_MAJOR: Final = 75
_MINOR: Final = 76


@cache
def gpu_here() -> int | None:
    """The capability of the first GPU, 86 for 8.6; None if there is no driver or no GPU."""
    try:
        driver = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    device, number = ctypes.c_int(), ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
        return None
    parts: list[int] = []
    for attribute in (_MAJOR, _MINOR):
        if driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, device):
            return None
        parts.append(number.value)
    return 10 * parts[0] + parts[1]
