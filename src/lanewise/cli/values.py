# SPDX-License-Identifier: Apache-2.0
"""Arguments as written on a command line, and the values that they are for a kernel's parameter.

2.0  0x10  true          numbers and bools
zeros:f32[8,16]          arrays: zeros, ones, full(3.5), arange, arange(5,2), rand, rand(0,9)
zeros[8,16]              arrays of the parameter's dtype
[1,2,3]  [[1,2],[3,4]]   arrays of the parameter's dtype
@in.npy  @in.png:f32     arrays from files, converted or not
null                     a null pointer
f32:2.5                  a number of a type, for parameters that only have bits (PTX)
local:256                bytes of local memory, for a __local pointer
1,2,3  (1,(2,3))         structs
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, Final, final

import numpy as np
import typer
from numpy.typing import NDArray

from lanewise.errors import Error
from lanewise.frontend.signature import Parameter
from lanewise.program.arguments.local_memory import local
from lanewise.program.arguments.packer import declaration

TYPES: Final = {
    "bool": "?",
    **{f"f{bits}": f"<f{bits // 8}" for bits in (16, 32, 64)},
    **{f"{sign}{bits}": f"<{sign}{bits // 8}" for sign in "iu" for bits in (8, 16, 32, 64)},
}
"""NumPy's names of the element types."""

_ARRAY: Final = re.compile(r"(?P<fill>[a-z]+)(?:\((?P<numbers>[^()]*)\))?(?::(?P<type>\w+))?\[(?P<shape>[\d,\s]*)\]")
_FILE: Final = re.compile(rf"@(?P<path>.+?)(?::(?P<type>{'|'.join(TYPES)}))?")
_RAND_INTEGERS: Final = (0, 99)
_NULL: Final = ("null", "nullptr", "NULL")
_POINTER_BYTES: Final = 8
_MAX_BYTES: Final = 1 << 40


@final
class Filler:
    """A maker of arrays. The same seed makes the same random numbers."""

    def __init__(self, seed: int) -> None:
        self._generator: Final = np.random.default_rng(abs(seed))

    def array(
        self, fill: str, numbers: tuple[float, ...], shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> NDArray[Any]:
        """An array filled as told, field by field if it has fields. ValueError if the words make no sense."""
        most = {"zeros": 0, "ones": 0, "full": 1, "arange": 2, "rand": 2}.get(fill)
        if most is None:
            raise ValueError(f"{fill!r} is none of zeros, ones, full(VALUE), arange, rand")
        if len(numbers) > most or (fill == "full" and not numbers) or (fill == "rand" and len(numbers) == 1):
            raise ValueError("expected full(VALUE), arange, arange(FIRST,STEP), rand or rand(LOW,HIGH)")
        result = np.zeros(shape, dtype)
        if result.nbytes:
            self._fill(result, fill, numbers)
        return result

    def _fill(self, array: NDArray[Any], fill: str, numbers: tuple[float, ...]) -> None:
        fields = array.dtype.names
        if fields is not None:
            for field in fields:
                self._fill(array[field], fill, numbers)
        elif fill == "rand":
            array[...] = self._random(array, numbers)
        elif fill == "arange":
            first, step = (*numbers, 0, 1)[:2] if len(numbers) != 1 else (numbers[0], 1)
            array[...] = (first + step * np.arange(array.size)).reshape(array.shape)
        elif fill != "zeros":
            array[...] = numbers[0] if numbers else 1

    def _random(self, array: NDArray[Any], numbers: tuple[float, ...]) -> NDArray[Any]:
        if array.dtype.kind == "f":
            low, high = numbers or (0.0, 1.0)
            return self._generator.uniform(low, high, array.shape)
        low, high = numbers or ((0, 1) if array.dtype.kind == "b" else _RAND_INTEGERS)
        return self._generator.integers(int(low), int(high), array.shape, endpoint=True)


def read_value(text: str, parameter: Parameter, filler: Filler) -> object:
    """The value that `text` means for `parameter`. BadParameter if it means none; Error if a file can't be read."""
    try:
        return _read(text.strip(), parameter, filler)
    except (ValueError, OverflowError, SyntaxError, TypeError, MemoryError) as error:
        reason = str(error) or "it does not fit into memory"
        raise typer.BadParameter(
            f"{parameter.name}={text}: {reason} (the parameter is {declaration(parameter)})",
            param_hint="--arg",
        ) from None


def _read(text: str, parameter: Parameter, filler: Filler) -> object:
    if parameter.kind == "local":
        return _local(text)
    if match := _FILE.fullmatch(text):
        array = read_array(Path(match["path"]))
        return array.astype(TYPES[match["type"]]) if match["type"] else array
    if match := _ARRAY.fullmatch(text):
        return filler.array(
            match["fill"], _numbers(match["numbers"]), _shape(match["shape"]), _dtype(match["type"], parameter)
        )
    return _READERS[parameter.kind](text, parameter)


def _pointer(text: str, parameter: Parameter) -> object:
    if text in _NULL:
        return None
    if not text.startswith("["):
        raise ValueError("expected an array, such as zeros:f32[1024], [1,2,3], @in.npy or null")
    return np.array(_literal(text), _dtype(None, parameter))


def _local(text: str) -> object:
    size = text.removeprefix("local:")
    if size == text or not size.strip().isdecimal():
        raise ValueError("expected bytes of local memory, such as local:256")
    return local(int(size))


def _int(text: str, parameter: Parameter) -> object:
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError("expected a whole number") from None


def _bits(text: str, parameter: Parameter) -> object:
    if parameter.size == _POINTER_BYTES and (text in _NULL or text.startswith("[")):
        return _pointer(text, parameter)
    type_, colon, number = text.partition(":")
    if colon and type_ in TYPES:
        return np.dtype(TYPES[type_]).type(_number(number))
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError("expected a whole number, or one of another type, such as f32:2.5") from None


def _float(text: str, parameter: Parameter) -> object:
    try:
        return float(text)
    except ValueError:
        raise ValueError("expected a number") from None


def _bool(text: str, parameter: Parameter) -> object:
    known = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in known:
        raise ValueError("expected true or false")
    return known[text.lower()]


def _struct(text: str, parameter: Parameter) -> object:
    value = _literal(text)
    if not isinstance(value, tuple):
        raise ValueError("expected a value a field, such as 1,2,3,4")
    return value  # pyright: ignore[reportUnknownVariableType] : the launch checks what is in it


_READERS: Final[dict[str, Callable[[str, Parameter], object]]] = {
    "pointer": _pointer,
    "int": _int,
    "bits": _bits,
    "float": _float,
    "bool": _bool,
    "struct": _struct,
}


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError("expected numbers, in brackets for an array") from None


def _numbers(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    try:
        return tuple(_number(part.strip()) for part in text.split(","))
    except ValueError:
        raise ValueError(f"({text}): expected numbers") from None


def _number(text: str) -> float:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def _shape(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise ValueError(f"[{text}]: expected a size, or several with commas between them")
    shape = tuple(map(int, parts))
    if prod(shape) >= _MAX_BYTES:
        raise ValueError(f"[{text}]: that many elements can't be meant")
    return shape


def _dtype(written: str | None, parameter: Parameter) -> np.dtype[Any]:
    if written is None:
        dtype = parameter.dtype
        if dtype is None or parameter.kind != "pointer":
            raise ValueError("say the type of the elements, such as zeros:f32[1024]")
        return dtype
    if written not in TYPES:
        raise ValueError(f"there is no type {written!r}; the types are {' '.join(TYPES)}")
    return np.dtype(TYPES[written])


def read_array(path: Path) -> NDArray[Any]:
    """The array in a .npy file, or the pixels of an image. Error if there is none."""
    try:
        if path.suffix == ".npy":
            return np.ascontiguousarray(np.load(path, allow_pickle=False))
        if path.suffix == ".png":
            return _read_image(path)
    except (OSError, ValueError, EOFError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error
        raise Error(f"{path}: {reason}") from None
    raise Error(f"{path}: arrays are read from .npy and .png files")


def _read_image(path: Path) -> NDArray[Any]:
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise Error(f"{path}: reading images needs Pillow: pip install pillow") from None
    with Image.open(path) as image:
        return np.array(image)
