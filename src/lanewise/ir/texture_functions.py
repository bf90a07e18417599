# SPDX-License-Identifier: Apache-2.0
"""The functions of the kernel IR for textures and surfaces, which every device provides.

    <4 x i32> @__lw_tex_fetch(i64 handle, i32 element, i32 x)
    <4 x i32> @__lw_tex_gather(i64 handle, i32 element, i32 channel, float x, float y)
    <4 x i32> @__lw_tex_GEOMETRY[_level|_grad](i64 handle, i32 element, [i32 layer,] float x, ..., [detail])
    <4 x i32> @__lw_surf_read_GEOMETRY(i64 handle, i32 access, i32 x, ..., [i32 layer])
    void @__lw_surf_write_GEOMETRY(i64 handle, i32 access, i32 x, ..., [i32 layer,] <4 x i32> value)
    void @__lw_surf_reduce_GEOMETRY(i64 handle, i32 access, i32 x, ..., [i32 layer,] <4 x i32> value)
    <4 x i32> @__lw_tex_query(i64 handle, i32 what)
    <4 x i32> @__lw_surf_query(i64 handle, i32 what)

The words are a texel's channels, those that it lacks 0. `element` says what the caller takes a texel for: bits 0-7 the
bytes of a channel, 8-15 the number of channels, 16-17 their kind (0 signed, 1 unsigned, 2 floating point). If both
numbers are 0, the texture may have any. `access` has a boundary mode besides, in bits 24-25: 0 zero, 1 clamp, 2 trap; x
counts bytes, or elements if bit 30 says that words are converted to the surface's format. A reduction is an atomic
operation on one number of 32 or 64 bits, the one of `REDUCTIONS` that bits 26-28 number; its kind says if numbers are
signed. `detail` is a level, or derivatives of the coordinates, first those by x. The answer to a query, one of
`QUERIES`, is the first word.

Source: CUDA C++ Programming Guide, "Texture Functions", "Surface Functions".
"""

import re
from typing import Final, Literal, NamedTuple

KIND_SHIFT: Final = 16
KIND_OF_SURFACE: Final = 3
"""The kind of a reduction that takes that of the surface."""
CHANNELS_SHIFT: Final = 8
BOUNDARY_SHIFT: Final = 24
REDUCTION_SHIFT: Final = 26
FORMATTED: Final = 1 << 30
SIGNED: Final = 0
FLOATING: Final = 2

REDUCTIONS: Final = ("add", "min", "max", "and", "or")
QUERIES: Final = (
    "width", "height", "depth", "array_size", "channel_data_type", "channel_order", "normalized_coords",
    "num_mipmap_levels", "num_samples", "filter_mode",
)  # fmt: skip
"""Names of PTX (5.3.1, 9.7.10 "txq"), in the order of `enum lw_query`."""

_NAME: Final = re.compile(
    r"__lw_(?:tex_(?P<direct>fetch|gather)|(?P<asked>tex|surf)_query"
    r"|(?P<kind>tex|surf_read|surf_write|surf_reduce)_(?P<geometry>[12]d(?:_layered)?|3d|cube(?:_layered)?)(?P<detail>_level|_grad)?)"
).fullmatch
_OPERATIONS: Final[dict[str, Literal["sample", "read", "write", "reduce"]]] = {
    "tex": "sample", "surf_read": "read", "surf_write": "write", "surf_reduce": "reduce",
}  # fmt: skip


class TextureFunction(NamedTuple):
    """The facts that a function's name says."""

    operation: Literal["fetch", "gather", "sample", "read", "write", "reduce", "query"]
    geometry: str
    """tex or surf of a query. Else 1d, 2d, 3d, 1d_layered or 2d_layered; of samples also cube or cube_layered."""
    detail: Literal["", "level", "grad"] = ""

    @property
    def layered(self) -> bool:
        return self.geometry.endswith("_layered")

    @property
    def cube(self) -> bool:
        return self.geometry.startswith("cube")

    @property
    def axes(self) -> int:
        """Coordinates, without the layer."""
        if self.operation == "query":
            return 0
        return 3 if self.cube else int(self.geometry[0])


def texture_function(name: str) -> TextureFunction | None:
    """The texture function called `name`; None for other functions."""
    match = _NAME(name) if name.startswith("__lw_") else None
    if match is None:
        return None
    if match["asked"]:
        return TextureFunction("query", match["asked"])
    if match["direct"] == "fetch":
        return TextureFunction("fetch", "1d")
    if match["direct"]:
        return TextureFunction("gather", "2d")
    if match["geometry"].startswith("cube") and match["kind"] != "tex":
        return None
    detail: Literal["", "level", "grad"] = {"_level": "level", "_grad": "grad"}.get(match["detail"] or "", "")  # pyright: ignore[reportAssignmentType] : the values of the table
    return TextureFunction(_OPERATIONS[match["kind"]], match["geometry"], detail)
