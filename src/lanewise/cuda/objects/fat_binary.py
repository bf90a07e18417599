# SPDX-License-Identifier: Apache-2.0
"""Fat binaries: what a program's start-up code hands to the runtime for each unit.

     0   8 bytes   LWFATBIN
     8   4 bytes   version, 1
    12   4 bytes   0
    16  16 bytes   id of the unit, as in its image

Machine code for the processor is no part of it: that is linked into the program, so that it starts at once, is shared
by processes, and is seen by debuggers and profilers. PTX is in the image, too (`gpu_code.py`).
"""

from __future__ import annotations

import struct
from typing import Final

ID_BYTES: Final = 16
_FORMAT: Final = struct.Struct("<8sII16s")
_MAGIC: Final = b"LWFATBIN"
_VERSION: Final = 1


def fat_binary(unit: str) -> bytes:
    """The fat binary of the unit whose id is `unit`, in hexadecimal digits."""
    return _FORMAT.pack(_MAGIC, _VERSION, 0, bytes.fromhex(unit))
