# SPDX-License-Identifier: Apache-2.0
"""The functions of the kernel IR for textures and surfaces, which every device provides.

    <4 x i32> @__lw_tex_fetch(i64 handle, i32 element, i32 x)
    <4 x i32> @__lw_tex_gather(i64 handle, i32 element, i32 channel, float x, float y)
    <4 x i32> @__lw_tex_GEOMETRY[_level|_grad](i64 handle, i32 element, [i32 layer,] float x, ..., [detail])
    <4 x i32> @__lw_surf_read_GEOMETRY(i64 handle, i32 access, i32 x, ..., [i32 layer])
    void @__lw_surf_write_GEOMETRY(i64 handle, i32 access, i32 x, ..., [i32 layer,] <4 x i32> value)

The words are a texel's channels, those that it lacks 0. `element` says what the caller takes a texel for: bits 0-7 the
bytes of a channel, 8-15 the number of channels, 16-17 their kind (0 signed, 1 unsigned, 2 floating point). If both
numbers are 0, the texture may have any. `access` has a boundary mode besides, in bits 24-25: 0 zero, 1 clamp, 2 trap; x
counts bytes. `detail` is a level, or derivatives of the coordinates, first those by x.

Source: CUDA C++ Programming Guide, "Texture Functions", "Surface Functions".
"""

import re
from typing import Final, Literal, NamedTuple

KIND_SHIFT: Final = 16
CHANNELS_SHIFT: Final = 8
BOUNDARY_SHIFT: Final = 24
SIGNED: Final = 0
FLOATING: Final = 2

_NAME: Final = re.compile(
    r"__lw_(?:tex_(?P<direct>fetch|gather)"
    r"|(?P<kind>tex|surf_read|surf_write)_(?P<geometry>[12]d(?:_layered)?|3d|cube(?:_layered)?)(?P<detail>_level|_grad)?)"
).fullmatch
_OPERATIONS: Final[dict[str, Literal["sample", "read", "write"]]] = {
    "tex": "sample", "surf_read": "read", "surf_write": "write",
}  # fmt: skip


class TextureFunction(NamedTuple):
    """The facts that a function's name says."""

    operation: Literal["fetch", "gather", "sample", "read", "write"]
    geometry: str
    """1d, 2d, 3d, 1d_layered or 2d_layered; of samples also cube or cube_layered."""
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
        return 3 if self.cube else int(self.geometry[0])


def texture_function(name: str) -> TextureFunction | None:
    """The texture function called `name`; None for other functions."""
    match = _NAME(name) if name.startswith("__lw_") else None
    if match is None:
        return None
    if match["direct"] == "fetch":
        return TextureFunction("fetch", "1d")
    if match["direct"]:
        return TextureFunction("gather", "2d")
    if match["geometry"].startswith("cube") and match["kind"] != "tex":
        return None
    detail: Literal["", "level", "grad"] = {"_level": "level", "_grad": "grad"}.get(match["detail"] or "", "")  # pyright: ignore[reportAssignmentType] : the values of the table
    return TextureFunction(_OPERATIONS[match["kind"]], match["geometry"], detail)
