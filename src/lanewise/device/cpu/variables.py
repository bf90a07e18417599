# SPDX-License-Identifier: Apache-2.0
"""The `__device__` and `__constant__` variables of a program: host memory that all its kernels share."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Final, NamedTuple, final

import numpy as np

from lanewise.cache import Cache, key
from lanewise.device.base import Bytes, Program

_IMAGE: Final = "variables.json"
_LINE: Final = 64
"""Least alignment in bytes: a cache line, so that no two variables share one."""


class Image(NamedTuple):
    """A variable before the first launch. `pointers` are (offset, symbol, addend): addresses to be filled in."""

    symbol: str
    data: str
    """The bytes, in base 64."""
    align: int
    pointers: Sequence[tuple[int, str, int]]


@final
class Variables:
    """Memory of all variables of a program but shared ones."""

    def __init__(self, images: list[Image]) -> None:
        contents = {image.symbol: base64.b64decode(image.data) for image in images}
        self._memory: Final = {i.symbol: _allocate(len(contents[i.symbol]), max(_LINE, i.align)) for i in images}
        for image in images:
            memory = self._memory[image.symbol]
            memory[:] = np.frombuffer(contents[image.symbol], np.uint8)
            for offset, symbol, addend in image.pointers:
                if symbol in self._memory:  # the address of a function stays null: nothing on the CPU calls it
                    address = np.array([self.address(symbol) + addend], np.uint64)
                    memory[offset : offset + 8] = address.view(np.uint8)

    def take_over(self, older: Variables) -> None:
        """Use the memory, and so the values and addresses, that an older state of the program has for its variables."""
        self._memory.update(older._memory)

    def memory(self, symbol: str) -> Bytes:
        """The bytes of a variable. KeyError where there is none."""
        return self._memory[symbol]

    def address(self, symbol: str) -> int:
        return int(self._memory[symbol].__array_interface__["data"][0])


def load_variables(program: Program, cache: Cache) -> Variables:
    """The variables of `program` with their initial values, from the cache where they are there."""
    entry = key("variables", program.key)
    path = cache.get(entry, _IMAGE)
    if path is not None:
        try:
            stored = json.loads(path.read_bytes())
            return Variables([Image(*row) for row in stored])
        except (OSError, ValueError, TypeError):
            pass  # a broken entry is a miss
    images = _images(program)
    cache.put(entry, {_IMAGE: json.dumps(images).encode()})
    return Variables(images)


def _images(program: Program) -> list[Image]:
    from lanewise.ir.initializer import initial_value  # a warm start needs none of these
    from lanewise.ir.layout import align_of
    from lanewise.ir.reader import read_module
    from lanewise.workgroup.symbols import SHARED

    module = read_module(program.text())
    images: list[Image] = []
    for variable in module.variables:
        if variable.type.addrspace == SHARED or not variable.name or variable.name.startswith("llvm."):
            continue
        value = initial_value(variable.initializer, variable.value_type, module.types)
        align = max(variable.align, align_of(variable.value_type, module.types))
        pointers = tuple((r.offset, r.symbol, r.addend) for r in value.relocations)
        images.append(Image(variable.name, base64.b64encode(value.data).decode(), align, pointers))
    return images


def _allocate(size: int, align: int) -> Bytes:
    block = np.zeros(size + align, np.uint8)
    skip = -int(block.__array_interface__["data"][0]) % align
    return block[skip : skip + size]
