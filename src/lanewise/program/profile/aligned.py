# SPDX-License-Identifier: Apache-2.0
"""Arguments whose arrays begin a sector, as a GPU's buffers do: NumPy's arrays begin anywhere."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from lanewise.device.base import Device
from lanewise.program.memory.buffer import Buffer, to_device


@contextmanager
def aligned(arguments: Sequence[object], device: Device) -> Generator[Sequence[object]]:
    """The arguments with buffers in place of arrays, which hold the results after the block. Arrays that overlap, and
    what no buffer can hold, stay as they are."""
    arrays = list({id(each): each for each in arguments if _is_array(each)}.values())
    if any(np.may_share_memory(a, b) for a, b in combinations(arrays, 2)):
        yield arguments
        return
    copies: dict[int, Buffer] = {id(array): to_device(array, device) for array in arrays}
    yield [copies.get(id(argument), argument) for argument in arguments]
    for array in arrays:
        if array.flags.writeable:
            copies[id(array)].copy_to_host(array)


def _is_array(argument: object) -> TypeGuard[NDArray[Any]]:
    return isinstance(argument, np.ndarray) and argument.flags.c_contiguous and argument.nbytes > 0
