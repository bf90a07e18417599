# SPDX-License-Identifier: Apache-2.0
"""Instructions of PTX, each a function that makes its kernel IR, in tables by the chapters of the manual.

integers          integer arithmetic, with carries
floats            arithmetic on numbers of floating point
comparisons       comparison and selection
logic             logic and shifts
conversions       conversions between types
narrow_conversions  to formats of which kernel IR has no type
moves             moves, and addresses between spaces
memory, atomics   loads and stores; atomic operations
async_copies      copies to and from shared memory
mbarriers         barriers that are words in shared memory
control           branches, calls and ends
warps             shuffles, votes and the like
matrices          products and exchanges of matrices that a warp holds
quad_pairs        products of halves in groups of eight lanes
wmma              their loads, products and stores as a whole
matrix_elements   the elements of such matrices, and their products
textures          textures and surfaces
video             video instructions
synchronisation   barriers and fences
words             the words of an opcode
"""

from typing import Final

from lanewise.frontend.ptx.instructions import (
    async_copies,
    atomics,
    comparisons,
    control,
    conversions,
    floats,
    integers,
    logic,
    matrices,
    mbarriers,
    memory,
    moves,
    synchronisation,
    textures,
    video,
    warps,
    wmma,
)
from lanewise.frontend.ptx.instructions.words import Row

ROWS: Final[dict[str, Row]] = {
    **integers.ROWS,
    **floats.ROWS,
    **comparisons.ROWS,
    **logic.ROWS,
    **conversions.ROWS,
    **moves.ROWS,
    **memory.ROWS,
    **atomics.ROWS,
    **async_copies.ROWS,
    **control.ROWS,
    **warps.ROWS,
    **matrices.ROWS,
    **wmma.ROWS,
    **textures.ROWS,
    **video.ROWS,
    **synchronisation.ROWS,
    **mbarriers.ROWS,
}
"""The translation of each instruction, by the first word of its opcode."""
