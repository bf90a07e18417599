# SPDX-License-Identifier: Apache-2.0
"""know-images: makes a kernel for images of the formats, and for the samplers, that a launch has.

Why
    The built-in functions tell formats and modes apart when a kernel runs: 14 types of channels, four ways to order
    them, filtering, addressing. Code for all of that takes 3 s to compile; code for a known format a fifth of it, and
    it runs up to ten times as fast.

Before
    define ptx_kernel void @k(ptr addrspace(1) noalias %image, i64 %sampler) {
    entry:
      %modes = trunc i64 %sampler to i32
      ret void
    }

After
    define ptx_kernel void @k(ptr addrspace(1) noalias %image, i64 %sampler) {
    entry:
      %modes = trunc i64 18 to i32
      ret void
    }

Needs
    1. The kernel has the parameter, and doesn't know it yet.

Method
    * A sampler becomes the number that its modes are.
    * In place of an image's description, the kernel reads one of its own, in which the fields that depend on the format
      are constants, and the others are loaded from the one that it is given. LLVM brings the fields into registers when
      it inlines the functions.
"""

import struct
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import GLOBAL
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_into
from lanewise.ir.values import i64

BYTES: Final = 112
FIRST_KNOWN: Final = 52
"""Size of `struct lw_texture` (`runtime/core/texture.h`), and the place from which on all depends on the format."""

_LOADED: Final = ((8, "ptr addrspace(1)"), (16, "i64"), (24, "i64"), (32, "i64"), (40, "i32"), (44, "i32"), (48, "i32"))
_KNOWN: Final = (
    (52, "i32", "i"), (60, "i8", "B"), (61, "i8", "B"), (80, "i16", "H"), (82, "i16", "H"), (84, "i8", "B"),
    *((place, "i8", "B") for place in range(88, 96)), *((place, "i32", "i") for place in range(96, 112, 4)),
)  # fmt: skip
"""Fields of the struct: place and type, and the form in which they are in a description. What images of OpenCL don't
use is left out. Scales are numbers in binary32, stored as bits."""
_SYMBOL: Final = "lw.known.image."


class KnownArgument(NamedTuple):
    """An argument and what is known of it: `description`, the bytes of an image's from FIRST_KNOWN on, or, if that is
    empty, the `bits` of a sampler."""

    number: int
    description: bytes = b""
    bits: int = 0


class KnownImages(NamedTuple):
    """The symbol of a kernel, and what is known of its arguments."""

    kernel: str
    arguments: tuple[KnownArgument, ...]


def run(module: Module, known: KnownImages) -> bool:
    """Put what is known into the kernel; returns whether there was anything."""
    kernel = module.function(known.kernel)
    changed = False
    for number, description, bits in known.arguments:
        if number >= len(kernel.arguments) or f"{_SYMBOL}{number}" in module.symbols:  # 1
            continue
        argument = kernel.arguments[number]
        if description:
            _know_image(kernel, number, description, module)
            changed = True
        else:
            changed |= bool(argument.users)
            argument.replace_all_uses(i64(bits))
    return changed


def _know_image(kernel: Function, number: int, description: bytes, module: Module) -> None:
    read_into(module, _filling(number, description))
    argument = kernel.arguments[number]
    name = argument.name or f"image{number}"
    build = Builder(Block(None, kernel))
    place = build.alloca(ty.array(BYTES, ty.I8), f"{name}.known", 16)
    users = build.cast("addrspacecast", place, ty.pointer(GLOBAL), f"{name}.here")
    argument.replace_all_uses(users)
    fill = build.call_function(module.function(f"{_SYMBOL}{number}"), (place, argument))
    _put_first(kernel, [place, fill, users])


def _put_first(kernel: Function, instructions: list[Instruction]) -> None:
    entry = kernel.entry
    entry.instructions = [*instructions, *entry.instructions]
    for each in instructions:
        each.block = entry


def _filling(number: int, description: bytes) -> str:
    """The text of a function that copies a description, with its known fields as constants."""
    lines = [f"define internal void @{_SYMBOL}{number}(ptr %to, ptr addrspace(1) %from) alwaysinline nounwind {{"]
    for place, type_ in _LOADED:
        align = 4 if type_ == "i32" else 8
        lines += [
            f"  %from.{place} = getelementptr i8, ptr addrspace(1) %from, i64 {place}",
            f"  %value.{place} = load {type_}, ptr addrspace(1) %from.{place}, align {align}",
            *_store(place, type_, f"%value.{place}", align),
        ]
    for place, type_, form in _KNOWN:
        (value,) = struct.unpack_from(f"<{form}", description, place - FIRST_KNOWN)
        lines += _store(place, type_, str(value), int(type_[1:]) // 8)
    return "\n".join([*lines, "  ret void", "}", ""])


def _store(place: int, type_: str, value: str, align: int) -> list[str]:
    return [
        f"  %to.{place} = getelementptr i8, ptr %to, i64 {place}",
        f"  store {type_} {value}, ptr %to.{place}, align {align}",
    ]
