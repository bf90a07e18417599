# SPDX-License-Identifier: Apache-2.0
"""Parts of a matrix in memory that a warp loads or stores as a whole, as intrinsics.

    %a = call i32 @__lw_matrix_rows.load.i32(i32 -1, ptr %p, i64 %stride)
    %c = call { i32, i32 } @__lw_matrix_rows.load.x2.i32(i32 -1, ptr %p, i64 %stride)
    %b = call i16 @__lw_matrix_columns.load.i16(i32 -1, ptr %p, i64 %stride)
    call void @__lw_matrix_rows.store.x2.i32(i32 -1, ptr %p, i64 %stride, i32 %c0, i32 %c1)

Lane l of `rows` has the elements, one or two neighbours, at place l % 4 of row l / 4. Rows are `stride` bytes apart.
`columns` are those of a matrix that lies in memory by its columns: lane l has the element at place l / 4 of row l % 4,
as rows are counted in memory. All lanes of the warp take part, with the same pointer and stride; the mask says so.

Source of the layout: PTX ISA 9.0, 9.7.14.5 "Matrix Fragments for mma". It fits `ir/matrix_products.py`.
"""

from typing import Final, NamedTuple


class MatrixRows(NamedTuple):
    """`across`: by columns. `together`: neighbours of a lane. `type`: of an element, an integer."""

    action: str
    across: bool
    together: int
    type: str

    @property
    def symbol(self) -> str:
        pair = ".x2" if self.together == 2 else ""
        return f"__lw_matrix_{'columns' if self.across else 'rows'}.{self.action}{pair}.{self.type}"

    @property
    def bits(self) -> int:
        """Bits of an element."""
        return int(self.type[1:])


MATRIX_ROWS: Final = tuple(
    MatrixRows(action, across, together, type_)
    for action in ("load", "store")
    for across, together, types in (
        (False, 1, ("i32", "i64")), (False, 2, ("i32", "i64")), (True, 1, ("i8", "i16", "i32", "i64")),
    )
    for type_ in types
)  # fmt: skip
"""The accesses that instructions of PTX need."""
BY_SYMBOL: Final = {row.symbol: row for row in MATRIX_ROWS}
