# SPDX-License-Identifier: Apache-2.0
"""Texture and surface references: file-scope variables that the host binds textures to by name.

Source: CUDA C++ Programming Guide 11, "Texture Reference API" (CUDA 12 has dropped it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, final

import numpy as np

from lanewise import locks
from lanewise.device.base import Device, OpenProgram
from lanewise.device.launch import Launch
from lanewise.device.memory import Span
from lanewise.device.program import Program
from lanewise.device.texture_layout import Geometry
from lanewise.errors import CompileError, Error, LaunchError
from lanewise.frontend.dtypes import numpy_dtype
from lanewise.frontend.signature import ReferenceType
from lanewise.program.arguments.dtypes import leaf_dtype
from lanewise.program.arguments.foreign_arrays import as_array
from lanewise.program.memory.staging import handles
from lanewise.program.textures.texture import Surface, Texture

_GEOMETRIES: Final = {
    1: Geometry.ONE, 2: Geometry.TWO, 3: Geometry.THREE, 0xF1: Geometry.ONE_LAYERED, 0xF2: Geometry.TWO_LAYERED,
    0x0C: Geometry.CUBE, 0xFC: Geometry.CUBE_LAYERED,
}  # fmt: skip
"""cudaTextureType1D and so on -> the geometry."""
_LAYERED: Final = (0xF1, 0xF2, 0xFC)
_CUBEMAPS: Final = (0x0C, 0xFC)


@final
class TextureReference:
    """A texture or surface reference of a module, for all devices.

        mod.texture("tex").bind(image, filter="linear", address="clamp")

    `bound` is what launches find: an `lw.Texture` or `lw.Surface`, None before the first `bind`.
    """

    def __init__(self, declared: ReferenceType) -> None:
        self._declared: Final = declared
        self.bound: Texture | Surface | None = None

    def __repr__(self) -> str:
        return f"<{self._declared.kind} reference {self.name}: {self.bound or 'nothing bound'}>"

    @property
    def name(self) -> str:
        """As the source has it, with namespaces."""
        return self._declared.name

    def bind(self, array: Any, **modes: Any) -> None:
        """Let launches from now on fetch from an array or buffer, an `lw.Texture`, or for a surface reference an
        `lw.Surface`.

        `modes` are those of `lw.Texture`: `filter`, `address`, `normalized` and `border`. Assignments of host code to
        the reference's members are not run. Channels, layers and the read mode come from the declaration; PTX has none
        of these, so there `modes` may say them. An array of
        the channels' dtype binds to a one-dimensional reference of vectors as linear memory does. Error if it doesn't
        fit the declaration.
        """
        is_surface = self._declared.kind == "surface"
        wanted = Surface if is_surface else Texture
        if isinstance(array, Texture | Surface):
            if type(array) is not wanted:
                raise Error(f"{self._shown}: expected an lw.{wanted.__name__}, not {array!r}")
            if modes:
                raise Error(f"{self._shown}: {', '.join(modes)} are chosen where the lw.{wanted.__name__} is made")
            self._require_fit(array)
            self.bound = array
            return
        layered = {"layered": self._declared.dimensions in _LAYERED}
        if is_surface:
            bound = Surface(array, **self._with_declared(layered, modes))
        else:
            fitted, channels = self._fitted(array)
            read = "normalized" if self._declared.normalized else "element"
            cubemap = self._declared.dimensions in _CUBEMAPS
            declared = {**layered, "read": read, "channels": channels, "cubemap": cubemap}
            bound = Texture(fitted, **self._with_declared(declared, modes))
        self._require_fit(bound)
        self.bound = bound

    def unbind(self) -> None:
        """Bind nothing; launches that use the reference are then refused."""
        self.bound = None

    def require_bound(self, kernel: str) -> tuple[str, Texture | Surface]:
        """The symbol and the texture or surface bound to it. LaunchError, which names `kernel`, if there is none."""
        if self.bound is None:
            method = "surface" if self._declared.kind == "surface" else "texture"
            raise LaunchError(
                f"kernel {kernel}: nothing is bound to the {self._shown}; call mod.{method}({self.name!r}).bind(...)"
            )
        return self._declared.symbol, self.bound

    def _with_declared(self, declared: dict[str, Any], modes: dict[str, Any]) -> dict[str, Any]:
        """The modes that the declaration says, and `modes`. Error if they say one again."""
        if not self._declared.dimensions:
            return modes
        for name in modes.keys() & declared:
            raise Error(f"{self._shown}: its declaration says {name}, so bind can't")
        return {**declared, **modes}

    @property
    def _shown(self) -> str:
        return f"{self._declared.kind} reference {self.name}"

    def _fitted(self, given: Any) -> tuple[Any, int | None]:
        """The array, and its number of channels if the last axis has them."""
        array = as_array(given)
        if array is None or not self._declared.dtype:
            return given, None
        dtype = numpy_dtype(self._declared.dtype)
        leaf = leaf_dtype(dtype)
        if array.dtype not in (dtype, leaf):
            raise Error(f"{self._shown}: its texels are {dtype}; the array's dtype is {array.dtype}")
        if leaf is None or dtype == leaf or array.dtype == dtype:
            return array, None
        channels = dtype.itemsize // leaf.itemsize
        if array.ndim == 1 and self._declared.dimensions == 1 and array.size % channels == 0:
            array = array.reshape(-1, channels)
        return array, channels

    def _require_fit(self, bound: Texture | Surface) -> None:
        wanted = _GEOMETRIES.get(self._declared.dimensions)
        if wanted is not None and bound.geometry is not wanted:
            raise Error(f"{self._shown}: it is {wanted.shown}, and {bound!r} is {bound.geometry.shown}")


@final
class References:
    """The texture and surface references of a module, each made when first asked for and kept."""

    def __init__(self, unit: str) -> None:
        self._unit: Final = unit
        self._known: Final[dict[str, TextureReference]] = {}
        self._lock: Final = locks.reentrant_lock()

    def named(self, declared: Sequence[ReferenceType], name: str, kind: str) -> TextureReference:
        """The reference called `name`, with or without namespaces. The CompileError for another name lists all."""
        plain = str(name).strip()
        of_kind = [reference for reference in declared if reference.kind == kind]
        for reference in of_kind:
            if plain in (reference.name, reference.symbol):
                return self._made(reference)
        found = [reference for reference in of_kind if reference.name.endswith(f"::{plain}")]
        if len(found) == 1:
            return self._made(found[0])
        there = ", ".join(reference.name for reference in of_kind) or "none"
        raise CompileError(f"{self._unit} has no {kind} reference '{name}' that device code uses; it has: {there}")

    def given_to(
        self,
        opened: Callable[[Device | str | None], OpenProgram],
        declared: Sequence[ReferenceType],
        kernel: str,
        symbols: Sequence[str],
    ) -> Callable[[Device | str | None], OpenProgram]:
        """`opened` for launches of a kernel that uses the references `symbols`. A launch gets the textures that are
        bound when it is asked for, even if it runs later, in a stream."""
        used = [self._made(reference) for reference in declared if reference.symbol in symbols]

        def open_with_textures(device: Device | str | None) -> OpenProgram:
            bound = tuple(reference.require_bound(kernel) for reference in used)
            return _ProgramWithTextures(opened(device), bound, self._lock)

        return open_with_textures

    def _made(self, declared: ReferenceType) -> TextureReference:
        return self._known.setdefault(declared.symbol, TextureReference(declared))


@final
class _ProgramWithTextures:
    """A program whose next launch is to find some textures, which live as long as this object.

    Variables of the module hold the handles, one at a time: `lock` keeps launches of kernels with references apart.
    """

    def __init__(
        self,
        program: OpenProgram,
        bound: tuple[tuple[str, Texture | Surface], ...],
        lock: AbstractContextManager[object],
    ) -> None:
        self._program: Final = program
        self._bound: Final = bound
        self._lock: Final = lock

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ProgramWithTextures) and self._program == other._program

    def __hash__(self) -> int:
        return hash(self._program)

    @property
    def device(self) -> Device:
        return self._program.device

    def prepare(self, launch: Launch) -> None:
        self._program.prepare(launch)

    def launch(self, launch: Launch) -> None:
        with self._lock, handles(self._program.device, [texture for _, texture in self._bound]) as values:
            for (symbol, _), value in zip(self._bound, values, strict=True):
                place = self._program.variable(symbol).address
                self._program.device.memory.write(place, np.array([value], np.uint64).view(np.uint8))
            self._program.launch(launch)

    def reopen(self, program: Program) -> OpenProgram:
        return self._program.reopen(program)

    def variable(self, symbol: str) -> Span:
        return self._program.variable(symbol)
