# SPDX-License-Identifier: Apache-2.0
"""The `__device__` and `__constant__` variables of a program: host memory that all its kernels share."""

import base64
import json
from collections.abc import Mapping
from typing import Final, final

import numpy as np

from lanewise.cache import Cache, key
from lanewise.device.memory import Bytes, Span
from lanewise.device.program import Program
from lanewise.device.variable_images import IMAGES_FILE, VariableImage, images_from_json, images_of

_IMAGE: Final = "variables.json"
_LINE: Final = 64
"""Least alignment in bytes: a cache line, so that no two variables share one."""


@final
class Variables:
    """Memory of all variables of a program except shared ones."""

    def __init__(self, images: list[VariableImage]) -> None:
        contents = {image.symbol: base64.b64decode(image.data) for image in images}
        self._memory: Final = {i.symbol: _allocate(len(contents[i.symbol]), max(_LINE, i.align)) for i in images}
        self.function_pointers: Final[list[tuple[str, int, str]]] = []
        """Each function address in an initialiser: the variable, the offset in it, and the function."""
        for image in images:
            memory = self._memory[image.symbol]
            memory[:] = np.frombuffer(contents[image.symbol], np.uint8)
            for offset, symbol, addend in image.pointers:
                if symbol in self._memory:
                    _write_address(memory, offset, self.address(symbol) + addend)
                else:
                    self.function_pointers.append((image.symbol, offset, symbol))

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._memory

    def fill_in(self, functions: Mapping[str, int], older: Mapping[str, int] = {}) -> None:
        """Write the addresses of functions into the variables that are initialised with them, unless the program has
        overwritten them since. `older` are the addresses in an older state of the program."""
        for variable, offset, symbol in self.function_pointers:
            memory = self._memory[variable]
            now = int(memory[offset : offset + 8].view(np.uint64)[0])
            if now == older.get(symbol, 0):
                _write_address(memory, offset, functions.get(symbol, 0))

    def take_over(self, older: "Variables") -> None:
        """Use the memory, and with it the values and addresses, of the variables in an older state of the program."""
        self._memory.update(older._memory)

    def span(self, symbol: str) -> Span:
        """Place of a variable. KeyError if there is none."""
        return Span(self.address(symbol), self._memory[symbol].nbytes)

    def address(self, symbol: str) -> int:
        return int(self._memory[symbol].__array_interface__["data"][0])


def load_variables(program: Program, cache: Cache) -> Variables:
    """The variables of `program` with their initial values: embedded in it, from the cache, or from its IR."""
    brought = program.files.get(IMAGES_FILE)
    if brought is not None:
        return Variables(images_from_json(brought))
    entry = key("variables", program.key)
    path = cache.get(entry, _IMAGE)
    if path is not None:
        try:
            return Variables(images_from_json(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            pass  # a broken entry is a miss
    images = images_of(program)
    cache.put(entry, {_IMAGE: json.dumps(images).encode()})
    return Variables(images)


def _write_address(memory: Bytes, offset: int, address: int) -> None:
    memory[offset : offset + 8] = np.array([address], np.uint64).view(np.uint8)


def _allocate(size: int, align: int) -> Bytes:
    block = np.zeros(size + align, np.uint8)
    skip = -int(block.__array_interface__["data"][0]) % align
    return block[skip : skip + size]
