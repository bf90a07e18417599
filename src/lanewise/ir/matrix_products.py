# SPDX-License-Identifier: Apache-2.0
"""Products of small matrices that a warp holds, as intrinsics.

    %d = call { float, float, float, float } @__lw_matrix_product.m16n8k16x2.f32(i32 -1, float %a0, ..., float %b0, ...,
                                                                                 float %c0, ...)

is D = A B + C of a matrix A with 16 rows and 16 columns, and B with 8 columns. A *quad* is four neighbouring lanes.
Lane l holds elements of row l / 4 of A, of column l / 4 of B, and of row l / 4 and columns 2 (l % 4) and one more of C
and D. If A has 16 rows, it holds the same of row l / 4 + 8, too. `x2`: two elements that a lane holds are neighbours in
their row of A or column of B. Such runs of neighbours go round the quad, member after member; those of all four are a
*group*.

The operands are the mask of the lanes, which is all of the warp, then the elements of A by group, row and place, those
of B by group and place, and those of C by row and column. Products are added in ascending order, with one rounding
each.

`.xor` and `.and`: elements of A and B are words of 32 one-bit elements, and their product is the number of ones in
their exclusive or, or conjunction.

Source of the layout: PTX ISA 9.0, 9.7.14.5 "Matrix Fragments for mma".
"""

from typing import Final, NamedTuple

QUAD: Final = 4
"""Lanes that share a row of A."""


class MatrixProduct(NamedTuple):
    """`rows`: rows that a lane holds, each for 8 of the matrix. `together`: neighbours in a lane. `type`: of all
    elements. `of_bits`: "xor" or "and" for words of bits, else ""."""

    rows: int
    groups: int
    together: int
    type: str
    of_bits: str = ""

    @property
    def symbol(self) -> str:
        depth = QUAD * self.groups * self.together
        suffix = f".{self.of_bits}" if self.of_bits else ""
        return f"__lw_matrix_product.m{8 * self.rows}n8k{depth}x{self.together}.{self.type}{suffix}"

    @property
    def a_count(self) -> int:
        """Elements of A in a lane."""
        return self.groups * self.rows * self.together

    @property
    def b_count(self) -> int:
        """Elements of B in a lane."""
        return self.groups * self.together

    @property
    def sum_count(self) -> int:
        """Elements of C or D in a lane."""
        return 2 * self.rows


_OF_INTEGERS: Final = ((1, 1, 4), (2, 1, 4), (2, 2, 4), (1, 1, 8), (2, 1, 8), (2, 2, 8))
_OF_BITS: Final = ((1, 1, 1), (2, 1, 1), (2, 2, 1))
PRODUCTS: Final = (
    *(
        MatrixProduct(*shape, type_)
        for type_, shapes in {
            "f32": ((1, 2, 2), (2, 1, 2), (2, 2, 2), (2, 1, 1), (2, 2, 1), (2, 1, 4), (2, 2, 4)),
            "f64": ((1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 4, 1)),
            "i32": _OF_INTEGERS,
            "i64": _OF_INTEGERS,
        }.items()
        for shape in shapes
    ),
    *(MatrixProduct(*shape, "i32", of_bits) for of_bits in ("xor", "and") for shape in _OF_BITS),
)
"""The products that instructions of PTX need."""
