# SPDX-License-Identifier: Apache-2.0
"""Names that clang gives OpenCL C's built-in functions, by the types of their parameters.

Source: Itanium C++ ABI, 5.1 "External Names (a.k.a. Mangling)", with clang's names for OpenCL's own types.
"""

from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.spirv import types as ty

_SIGNED: Final = {8: "c", 16: "s", 32: "i", 64: "l"}
_UNSIGNED: Final = {8: "h", 16: "t", 32: "j", 64: "m"}
_FLOATS: Final = {16: "Dh", 32: "f", 64: "d"}
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Named(NamedTuple):
    """A type with a name of its own."""

    name: str


class Lanes(NamedTuple):
    """A vector of OpenCL C."""

    width: int
    element: str


class Atomic(NamedTuple):
    """A C11 atomic type."""

    element: str


class PointerTo(NamedTuple):
    """A pointer. `qualifiers`: "V" for volatile, "K" for const, in this order. `space`: of nvptx64."""

    target: "Mangled"
    space: int
    qualifiers: str = ""


Mangled = str | Named | Lanes | Atomic | PointerTo
"""A type in the name of a function; a string is the code of a built-in type."""

ORDER: Final = Named("memory_order")
SCOPE: Final = Named("memory_scope")


def mangled_type(kind: ty.SpirvType, *, signed: bool) -> Mangled:
    """The type of a parameter that is passed by its value."""
    if isinstance(kind, ty.VectorType):
        return Lanes(kind.count, _letter(kind.element, signed=signed))
    if isinstance(kind, ty.ImageType):
        return Named(kind.mangled)
    if isinstance(kind, ty.SamplerType):
        return Named("ocl_sampler")
    if isinstance(kind, ty.EventType):
        return Named("ocl_event")
    return _letter(kind, signed=signed)


def _letter(kind: ty.SpirvType, *, signed: bool) -> str:
    kind = ty.element_of(kind)
    if isinstance(kind, ty.FloatType):
        return _FLOATS[kind.bits]
    if isinstance(kind, ty.BoolType):
        return "i"
    if isinstance(kind, ty.IntType):
        return (_SIGNED if signed else _UNSIGNED)[kind.bits]
    raise CompileError(f"error: the SPIR-V module is damaged: {kind.text} is passed to a built-in function")


def mangled_name(name: str, parameters: tuple[Mangled, ...]) -> str:
    """The symbol of the function `name` with these parameters."""
    known: list[Mangled | tuple[str, Mangled]] = []
    return f"_Z{len(name)}{name}{''.join(_code(each, known) for each in parameters) or 'v'}"


def _code(kind: Mangled | tuple[str, Mangled], known: list[Mangled | tuple[str, Mangled]]) -> str:
    """The code of a type, short where the name has had it."""
    if isinstance(kind, str):
        return kind
    if kind in known:
        return _earlier(known.index(kind))
    if isinstance(kind, Named):
        code = f"{len(kind.name)}{kind.name}"
    elif isinstance(kind, Lanes):
        code = f"Dv{kind.width}_{kind.element}"
    elif isinstance(kind, Atomic):
        code = f"U7_Atomic{kind.element}"
    elif isinstance(kind, PointerTo):
        # A private or generic pointer's target counts as qualified, though that has no letters.
        space = f"U3AS{kind.space}" if kind.space else ""
        code = "P" + _code((space + kind.qualifiers, kind.target), known)
    else:
        qualifiers, target = kind
        code = qualifiers + _code(target, known)
    known.append(kind)
    return code


def _earlier(place: int) -> str:
    """The reference to a type that the name has had: `S_` for the first, `S0_` for the second."""
    if place == 0:
        return "S_"
    digits, place = "", place - 1
    while True:
        place, digit = divmod(place, len(_DIGITS))
        digits = _DIGITS[digit] + digits
        if place == 0:
            return f"S{digits}_"
