# SPDX-License-Identifier: Apache-2.0
"""An estimate of the registers that copies of a body need.

It counts registers of 32 bits: the values that go around the innermost loop, those that copies have from before it, the
elements that one turn loads, and an address of 64 bits for all loads at constant distances from it. Intermediate values
are left out, since they can be computed one after the other.
"""

from collections.abc import Mapping
from typing import Final

from lanewise.frontend.python.names import assigned, reads
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Number, Type
from lanewise.frontend.python.tiling.fitness import carried, loops_of
from lanewise.frontend.python.unrolling.loads import LoadsOfItem
from lanewise.frontend.python.unrolling.shape import ItemShape

_OTHERS: Final = 16
"""Registers for counters, bounds, and what an expression needs meanwhile."""
_ADDRESS: Final = 2
_WORD: Final = 4


def registers_of(grid: Grid, types: Mapping[str, Type], shape: ItemShape, loads: LoadsOfItem) -> int:
    """The registers of a work-item with copies of this shape."""
    inner = [loop for loop in loops_of(grid.body) if not loops_of(loop.body)]
    around = max((len(carried(loop.body)) for loop in inner), default=0)
    before = max((len(reads(loop) & (assigned(grid.body) - assigned(loop))) for loop in inner), default=0)
    values = shape.copies * (around + before) * _words(types)
    return _OTHERS + values + -(-(loads.bytes + loads.kept) // _WORD) + _ADDRESS * loads.starts


def _words(types: Mapping[str, Type]) -> int:
    """The registers of a local variable: those of the largest number among the inputs."""
    numbers = [of.element if isinstance(of, Array) else of for of in types.values()]
    return max((max(each.size // _WORD, 1) for each in numbers if isinstance(each, Number)), default=1)
