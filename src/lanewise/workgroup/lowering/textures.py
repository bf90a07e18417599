# SPDX-License-Identifier: Apache-2.0
"""Texture fetches and surface accesses as calls of the runtime core.

Before
    define ptx_kernel void @k(ptr %p, i64 %t, float %x) {
      %v = call <4 x i32> @__lw_tex_2d(i64 %t, i32 131332, float %x, float %x)
      store <4 x i32> %v, ptr %p, align 16
      ret void
    }
    declare <4 x i32> @__lw_tex_2d(i64, i32, float, float)

After, with the geometry among the bits of the element, and a layer of 0
      %5 = load ptr, ptr %4, align 8
      %6 = getelementptr inbounds i8, ptr %5, i64 24
      %7 = load ptr, ptr %6, align 8
    ...
      %8 = or i32 131332, 262144
      %9 = call <4 x i32> %7(ptr %launch, i64 %t, i32 %8, i32 0, float %x, float %x)
      store <4 x i32> %9, ptr %p, align 16

`ir/texture_functions.py` has the calls, `runtime/core/texture.h` the functions of the core. Textures have one level of
detail, so operands that choose a level are dropped.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.texture_functions import TextureFunction
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32
from lanewise.workgroup.layout.frame import Frame

_WORDS: Final = ty.vector(4, ty.I32)
_GEOMETRY_SHIFT: Final = 18
_GEOMETRIES: Final = {"1d": 0, "2d": 1, "3d": 2, "1d_layered": 3, "2d_layered": 4, "cube": 5, "cube_layered": 6}
"""`enum lw_geometry`."""


class _Service(NamedTuple):
    """A function of `struct lw_texture_services`: its place in bytes, and its type."""

    offset: int
    type: Type


def _service(index: int, result: Type, *parameters: Type) -> _Service:
    return _Service(8 * index, ty.function(result, (ty.PTR, ty.I64, ty.I32, *parameters)))


_SERVICES: Final = {
    ("fetch", 1): _service(0, _WORDS, ty.I32),
    ("gather", 2): _service(1, _WORDS, ty.I32, ty.FLOAT, ty.FLOAT),
    ("sample", 1): _service(2, _WORDS, ty.I32, ty.FLOAT),
    ("sample", 2): _service(3, _WORDS, ty.I32, ty.FLOAT, ty.FLOAT),
    ("sample", 3): _service(4, _WORDS, ty.FLOAT, ty.FLOAT, ty.FLOAT),
    **{("read", axes): _service(5, _WORDS, ty.I32, ty.I32, ty.I32) for axes in (1, 2, 3)},
    **{("write", axes): _service(6, ty.VOID, ty.I32, ty.I32, ty.I32, _WORDS) for axes in (1, 2, 3)},
    **{("reduce", axes): _service(8, ty.VOID, ty.I32, ty.I32, ty.I32, _WORDS) for axes in (1, 2, 3)},
}
"""Operation and number of coordinates -> function of the core."""
_QUERY: Final = _Service(8 * 9, ty.function(_WORDS, (ty.PTR, ty.I64, ty.I32)))
_OF_SURFACE: Final = {"tex": 0, "surf": 1 << 31}
_CUBE: Final = _service(7, _WORDS, ty.I32, ty.FLOAT, ty.FLOAT, ty.FLOAT)


def lower_texture_call(
    function: TextureFunction, arguments: Sequence[Value], frame: Frame, build: Builder
) -> Value | None:
    """Append a call of the runtime core that does a texture function, given its arguments in device code."""
    handle, element, *rest = arguments
    if function.operation == "query":
        what = build.binary("or", element, i32(_OF_SURFACE[function.geometry]))
        return build.call(frame.texture_service(_QUERY.offset), _QUERY.type, (frame.launch, handle, what))
    service = _CUBE if function.cube else _SERVICES[function.operation, function.axes]
    if function.operation == "sample":
        if not function.layered and (function.axes < 3 or function.cube):
            rest.insert(0, i32(0))  # no layer
        rest = rest[: len(service.type.fields) - 3]
    elif function.operation in ("read", "write", "reduce"):
        value = [rest.pop()] if function.operation != "read" else []
        rest = [*_place(function, rest), *value]
    place = build.binary("or", element, i32(_GEOMETRIES[function.geometry] << _GEOMETRY_SHIFT))
    target = frame.texture_service(service.offset)
    call = build.call(target, service.type, (frame.launch, handle, place, *rest))
    return None if service.type.inner is ty.VOID else call


def _place(function: TextureFunction, coordinates: list[Value]) -> list[Value]:
    """x, y and z of an element of a surface; a layer is z."""
    padding: list[Value] = [i32(0)] * (3 - len(coordinates))
    if function.layered:
        return [*coordinates[:-1], *padding, coordinates[-1]]
    return [*coordinates, *padding]
