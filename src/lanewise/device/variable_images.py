# SPDX-License-Identifier: Apache-2.0
"""The initial values of a program's `__device__` and `__constant__` variables, and their form in files.

Compiling a program needs these and no array, so this module does without NumPy, whose import takes 100 ms.
"""

import base64
import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.device.program import Program

IMAGES_FILE: Final = "cpu/variables.json"
"""Name of the program's file with all images."""


class VariableImage(NamedTuple):
    """A variable before the first launch. `pointers` are (offset, symbol, addend): addresses to be filled in."""

    symbol: str
    data: str
    """The bytes, in base 64."""
    align: int
    pointers: Sequence[tuple[int, str, int]]


def images_json(program: Program) -> bytes:
    """The images of all variables, each a list of its fields in order."""
    return program.files.get(IMAGES_FILE) or json.dumps(images_of(program)).encode()


def images_from_json(data: bytes) -> list[VariableImage]:
    """The inverse of `images_json`. ValueError or TypeError for anything else."""
    return [VariableImage(*row) for row in json.loads(data)]


def images_of(program: Program) -> list[VariableImage]:
    """The images of all variables, from the IR of the program."""
    from lanewise.ir.address_spaces import SHARED  # a warm start needs none of these
    from lanewise.ir.initializer import initial_value
    from lanewise.ir.layout import align_of
    from lanewise.ir.reader import read_module

    module = read_module(program.ir(), ())
    images: list[VariableImage] = []
    for variable in module.variables:
        if variable.type.addrspace == SHARED or not variable.name or variable.name.startswith("llvm."):
            continue
        value = initial_value(variable.initializer, variable.value_type, module.types)
        align = max(variable.align, align_of(variable.value_type, module.types))
        pointers = tuple((r.offset, r.symbol, r.addend) for r in value.relocations)
        images.append(VariableImage(variable.name, base64.b64encode(value.data).decode(), align, pointers))
    return images
