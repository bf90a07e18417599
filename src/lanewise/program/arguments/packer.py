# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch: checked against the kernel's parameters, and packed.

Values for each kind of parameter:
    pointer    a C-contiguous array (NumPy's, or anything with `__array_interface__` or DLPack) of the pointee's dtype,
               writable unless the kernel only reads through it; a `Buffer`; None for a null pointer
    number     a Python or NumPy scalar that the type can hold; a float never stands for an integer
    bits       (PTX's integers) an integer with or without a sign, a NumPy number of that size, or a pointer's value
    image      an `lw.Image` for image2d_t and the like of OpenCL C
    sampler    an `lw.Sampler` for sampler_t
    texture    an `lw.Texture` for cudaTextureObject_t, an `lw.Surface` for cudaSurfaceObject_t
    local      `lw.local(nbytes)` for a __local pointer of OpenCL C
    struct     a NumPy structured scalar, or a tuple with a value per field; vector types as a tuple or an array
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from lanewise.device.base import Device
from lanewise.device.launch import Arguments, Parameters
from lanewise.errors import LaunchError, LaunchTypeError, LaunchValueError
from lanewise.frontend.signature import Parameter, Signature
from lanewise.program.arguments.array_address import array_address
from lanewise.program.arguments.bfloat16 import is_bfloat16, is_foreign_bfloat16
from lanewise.program.arguments.dtypes import leaf_dtype
from lanewise.program.arguments.foreign_arrays import ForeignArrayError, as_array
from lanewise.program.arguments.local_memory import LocalMemory, local_converter, placed
from lanewise.program.arguments.numbers import (
    Convert,
    bits_converter,
    bool_converter,
    described,
    float_converter,
    int_converter,
)
from lanewise.program.arguments.structs import struct_converter
from lanewise.program.memory.buffer import Buffer

Converted = tuple[int | float | bytes, object]
"""A value as it is packed, and what must outlive the launch: an array, a texture, a buffer in a device's own memory, or
None."""

_ARRAY: Final = np.ndarray
_OBJECTS: Final = frozenset(
    f"{const}{name}" for const in ("", "const ") for name in ("cudaTextureObject_t", "cudaSurfaceObject_t")
)


class Packer(Protocol):
    """Makes the parameters of a kernel from the arguments that a user gives."""

    def pack(self, given: Sequence[Any], device: Device) -> Arguments: ...

    def check_count(self, given: Sequence[Any]) -> None:
        """LaunchError for too many arguments, or too few."""
        ...


@final
class ArgumentPacker:
    """Checks and packs the arguments of one kernel; made once a kernel, since it is on the way of every launch."""

    def __init__(self, name: str, signature: Signature) -> None:
        self._name: Final = name
        self._parameters: Final = signature.parameters
        self._converters: Final = tuple(_converter(p, f"kernel {name}: argument '{p.name}'") for p in self._parameters)
        self._takes_local: Final = any(p.kind == "local" for p in self._parameters)
        self._facts: Final = Parameters(
            tuple(p.name for p in self._parameters),
            tuple(map(_is_only_read, self._parameters)),
            struct.Struct(packing(self._parameters)),
            tuple(p.kind == "local" for p in self._parameters) if self._takes_local else (),
        )

    def pack(self, given: Sequence[Any], device: Device) -> Arguments:
        """The arguments of a launch on `device`. LaunchError says which is wrong, what was expected and what was
        given."""
        self.check_count(given)
        converted = [convert(value) for convert, value in zip(self._converters, given, strict=True)]
        local_bytes, local_sizes = 0, ()
        if self._takes_local:
            local_sizes = tuple(memory.nbytes for _, memory in converted if isinstance(memory, LocalMemory))
            converted, local_bytes = placed(converted)
        values, arrays = zip(*converted, strict=True) if converted else ((), ())
        for array in arrays:
            if array.__class__ is not _ARRAY and array is not None:
                require_reachable(self._name, self._parameters, arrays, device)
                break
        return Arguments(values, arrays, self._facts, local_bytes, local_sizes)

    def check_count(self, given: Sequence[Any]) -> None:
        """LaunchError for too many arguments, or too few."""
        if len(given) != len(self._converters):
            raise LaunchTypeError(
                f"kernel {self._name} takes {_count(len(self._converters))}, not {len(given)}: "
                + ", ".join(map(declaration, self._parameters))
            )


def _is_only_read(parameter: Parameter) -> bool:
    if parameter.kind == "image":
        return parameter.access == "read_only"
    return parameter.kind == "pointer" and parameter.const


def require_reachable(kernel: str, parameters: Sequence[Parameter], arrays: Sequence[object], device: Device) -> None:
    """LaunchError for memory of another device."""
    for parameter, referred in zip(parameters, arrays, strict=True):
        memory = referred if isinstance(referred, Buffer) else getattr(referred, "memory", None)
        if isinstance(memory, Buffer) and memory.allocation is not None and memory.device is not device:
            raise LaunchError(
                f"kernel {kernel}: argument '{parameter.name}': {memory!r} is in that device's own memory, and "
                f"the launch is on {device.name}; copy_to_host() first"
            )


def packing(parameters: Sequence[Parameter]) -> str:
    """The `struct` format of all parameters, with the gaps between them."""
    parts = ["<"]
    end = 0
    for parameter in parameters:
        parts.append("x" * (parameter.offset - end))
        parts.append(_code(parameter))
        end = parameter.offset + parameter.size
    return "".join(parts)


def _code(parameter: Parameter) -> str:
    match parameter.kind:
        case "pointer" | "local" | "image" | "sampler":
            return "Q"
        case "float":
            return {2: "e", 4: "f", 8: "d"}[parameter.size]
        case "bool":
            return "?"
        case "int" if parameter.size <= 8:
            code = {1: "b", 2: "h", 4: "i", 8: "q"}[parameter.size]
            return code.upper() if str(parameter.layout).startswith("<u") else code
        case "bits":
            return {1: "B", 2: "H", 4: "I", 8: "Q"}[parameter.size]
        case _:
            return f"{parameter.size}s"


def _converter(parameter: Parameter, what: str) -> Callable[[Any], Converted]:
    if parameter.kind == "pointer":
        return _PointerConverter(parameter, what).convert
    if parameter.kind == "local":
        return local_converter(parameter.ctype, what)
    if parameter.kind == "image":
        from lanewise.program.images.image import image_converter  # few kernels have one

        return image_converter(parameter.ctype, parameter.access, what)
    if parameter.kind == "sampler":
        from lanewise.program.images.sampler import sampler_converter

        return sampler_converter(what)
    if parameter.kind == "bits":
        return _bits(parameter, what)
    if parameter.ctype in _OBJECTS:
        from lanewise.program.textures.texture import handle_converter  # few kernels have one

        return handle_converter(parameter.ctype, what)
    convert = _by_value(parameter, what)
    return lambda value: (convert(value), None)


def _bits(parameter: Parameter, what: str) -> Callable[[Any], Converted]:
    """A number, or in 8 bytes the address of an array."""
    number = bits_converter(parameter.size, parameter.ctype, what)
    pointer = _PointerConverter(parameter, what)
    numbers = (int, float, np.generic)

    def convert(value: Any) -> Converted:
        if parameter.size < 8 or isinstance(value, numbers):
            return number(value), None
        return pointer.convert(value)

    return convert


def _by_value(parameter: Parameter, what: str) -> Convert:
    size, ctype = parameter.size, parameter.ctype
    match parameter.kind:
        case "float":
            return float_converter(size, ctype, what)
        case "bool":
            return bool_converter(what)
        case "int":
            signed = not (str(parameter.layout).startswith("<u") or "unsigned" in ctype)
            convert = int_converter(size, signed, ctype, what)
            return convert if size <= 8 else lambda value: convert(value).to_bytes(size, "little", signed=signed)
        case _:
            dtype = parameter.dtype
            if dtype is None:
                dtype = np.dtype(f"V{size}")
            return struct_converter(dtype, ctype, what)


def declaration(parameter: Parameter) -> str:
    """The parameter as C declares it."""
    space = "__local " if parameter.kind == "local" else ""
    joined = f"{space}{parameter.ctype} {parameter.name}"
    return joined.replace("* ", "*").replace("& ", "&")


def _count(number: int) -> str:
    return f"{number} argument" + ("" if number == 1 else "s")


# -- pointers ----------------------------------------------------------------------------------------------------


@final
class _PointerConverter:
    def __init__(self, parameter: Parameter, what: str) -> None:
        self._parameter: Final = parameter
        self._what: Final = what
        self._dtype: Final = parameter.dtype
        self._leaf: Final = leaf_dtype(self._dtype) if self._dtype is not None else None
        self._takes_fours: Final = _is_three_in_the_room_of_four(self._dtype, self._leaf)

    def convert(self, value: Any) -> Converted:
        if value is None:
            return 0, None
        array = self._as_array(value)
        if self._dtype is not None and array.dtype != self._dtype and not self._passes_for(array):
            raise LaunchTypeError(f"{self._what}: {self._parameter.ctype} needs {self._needed(array)}")
        flags = array.flags
        if not flags.c_contiguous:
            raise LaunchValueError(
                f"{self._what}: the array is not C-contiguous (strides {array.strides}); pass np.ascontiguousarray(...)"
            )
        if not self._parameter.const and not flags.writeable:
            raise LaunchValueError(
                f"{self._what}: the array is read-only, but the kernel may write through {self._parameter.ctype}"
            )
        owner: object = array
        if isinstance(value, Buffer) and value.allocation is not None:
            address, owner = value.address, value
        else:
            address = array_address(array)
        if address % self._parameter.align:
            raise LaunchValueError(
                f"{self._what}: {self._parameter.ctype} needs memory aligned to {self._parameter.align} bytes; "
                f"the array begins {address % self._parameter.align} bytes behind such a place: pass a copy"
            )
        return address, owner

    def _needed(self, array: NDArray[Any]) -> str:
        """Description of an array that would have been right in place of `array`."""
        if self._takes_fours and array.dtype == self._leaf:
            return f"an array of shape (..., 4), not {array.shape}: three components take the room of four"
        if array.dtype == self._leaf and self._dtype is not None:
            return (
                f"an array of whole structs of {self._dtype.itemsize} bytes, not {array.nbytes} bytes of {array.dtype}"
            )
        return f"an array of dtype {self._dtype}, not {array.dtype}"

    def _as_array(self, value: Any) -> NDArray[Any]:
        if isinstance(value, np.ndarray):
            return value  # pyright: ignore[reportUnknownVariableType] : NumPy's arrays are generic
        if isinstance(value, Buffer):
            return value.layout
        try:
            array = as_array(value)
        except ForeignArrayError as error:
            raise LaunchValueError(f"{self._what}: {error}") from None
        if array is not None:
            return array
        raise LaunchTypeError(f"{self._what}: expected an array for {self._parameter.ctype}, not {described(value)}")

    def _passes_for(self, array: NDArray[Any]) -> bool:
        """True for an array of the numbers that a struct is made of (float32 of shape (n, 4) for float4; complex
        numbers for floats), or of bytes under another name (uint8, int8, bool and S1 for char)."""
        dtype = self._dtype
        assert dtype is not None
        if dtype.itemsize == 1 and array.dtype.itemsize == 1:
            return True
        if is_foreign_bfloat16(array.dtype):
            return is_bfloat16(dtype) and array.nbytes % dtype.itemsize == 0
        given = array.dtype
        if given.kind == "c" and dtype.fields is not None:
            given = np.dtype(f"f{given.itemsize // 2}")
        if self._takes_fours and array.shape[-1:] == (3,):
            return False
        return self._leaf == given and array.nbytes % dtype.itemsize == 0


def _is_three_in_the_room_of_four(dtype: np.dtype[Any] | None, leaf: np.dtype[Any] | None) -> bool:
    """OpenCL C's float3 and the like."""
    return (
        dtype is not None
        and leaf is not None
        and dtype.names == ("x", "y", "z")
        and dtype.itemsize == 4 * leaf.itemsize
    )
