# SPDX-License-Identifier: Apache-2.0
"""inline-texture-fetches: reads texels of 32-bit channels by loads, as far as a texture lies plainly in memory.

Why
    A fetch is a call of the runtime core for each work-item. `tex1Dfetch` of floats does no more than a load with a
    test of the index, and lanes turn loads of neighbours into one.

Before
    define <4 x i32> @f(i64 %texture, i32 %x) {
      %t = call <4 x i32> @__lw_tex_fetch(i64 %texture, i32 131332, i32 %x)
      ret <4 x i32> %t
    }
    declare <4 x i32> @__lw_tex_fetch(i64, i32, i32)

After
    define <4 x i32> @f(i64 %texture, i32 %x) {
      %t = call <4 x i32> @__lw_fetch_words_1(i64 %texture, i32 131332, i32 %x)
      ret <4 x i32> %t
    }
    declare <4 x i32> @__lw_tex_fetch(i64, i32, i32)
    define internal <4 x i32> @__lw_fetch_words_1(i64 %texture, i32 %wanted, i32 %x) alwaysinline {
    entry:
      %some = icmp ne i64 %texture, 0
      br i1 %some, label %look, label %any
    look:
      %it = inttoptr i64 %texture to ptr
      %element = load i32, ptr %it, align 4
      %difference = xor i32 %element, %wanted
      %but.sign = and i32 %difference, -65537
      %same = icmp eq i32 %but.sign, 0
      %magic.place = getelementptr i8, ptr %it, i64 4
      %magic = load i32, ptr %magic.place, align 4
      %is.texture = icmp eq i32 %magic, 2122777630
      %format.place = getelementptr i8, ptr %it, i64 60
      %format = load i8, ptr %format.place, align 1
      %is.words = icmp eq i8 %format, 0
      %stride.place = getelementptr i8, ptr %it, i64 16
      %stride = load i64, ptr %stride.place, align 8
      %is.dense = icmp eq i64 %stride, 4
      %both = and i1 %same, %is.texture
      %all.three = and i1 %both, %is.words
      %plain = and i1 %all.three, %is.dense
      br i1 %plain, label %test, label %any
    test:
      %extent.place = getelementptr i8, ptr %it, i64 40
      %extent = load i32, ptr %extent.place, align 4
      %within = icmp ult i32 %x, %extent
      br i1 %within, label %read, label %done
    read:
      %texels.place = getelementptr i8, ptr %it, i64 8
      %texels = load ptr, ptr %texels.place, align 8
      %index = sext i32 %x to i64
      %texel = getelementptr [1 x i32], ptr %texels, i64 %index
      %place.0 = getelementptr i8, ptr %texel, i64 0
      %word.0 = load i32, ptr %place.0, align 4
      br label %done
    any:
      %called = call <4 x i32> @__lw_tex_fetch(i64 %texture, i32 %wanted, i32 %x)
      %called.0 = extractelement <4 x i32> %called, i64 0
      br label %done
    done:
      %channel.0 = phi i32 [ 0, %test ], [ %word.0, %read ], [ %called.0, %any ]
      %result.0 = insertelement <4 x i32> zeroinitializer, i32 %channel.0, i64 0
      ret <4 x i32> %result.0
    }

Needs
    1. A call of `__lw_tex_fetch`, whose coordinate is an integer.
    2. An element that is known: one, two or four channels of 32 bits each.

Method
    The call is redirected to a function of the module, which looks at the texture's description when it runs. It is
    inlined with the others.

When not
    Channels of fewer bits are converted, and other fetches compute with coordinates: these stay calls.

Neighbours
    Runs before `isolate`, which has all callees inlined.

Source: struct lw_texture of runtime/core/texture.h.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.values import Constant

FETCH: Final = "__lw_tex_fetch"
MAGIC: Final = 0x7E87041E
MAGIC_PLACE: Final = 4
TEXELS_PLACE: Final = 8
STRIDE_PLACE: Final = 16
EXTENT_PLACE: Final = 40
FORMAT_PLACE: Final = 60
_SIGN: Final = 1 << 16
_FUNCTION: Final = f"""
declare <4 x i32> @{FETCH}(i64, i32, i32)
define internal <4 x i32> @{{name}}(i64 %texture, i32 %wanted, i32 %x) alwaysinline {{{{
entry:
  %some = icmp ne i64 %texture, 0
  br i1 %some, label %look, label %any
look:
  %it = inttoptr i64 %texture to ptr
  %element = load i32, ptr %it, align 4
  %difference = xor i32 %element, %wanted
  %but.sign = and i32 %difference, {~_SIGN}
  %same = icmp eq i32 %but.sign, 0
  %magic.place = getelementptr i8, ptr %it, i64 {MAGIC_PLACE}
  %magic = load i32, ptr %magic.place, align 4
  %is.texture = icmp eq i32 %magic, {MAGIC}
  %format.place = getelementptr i8, ptr %it, i64 {FORMAT_PLACE}
  %format = load i8, ptr %format.place, align 1
  %is.words = icmp eq i8 %format, 0
  %stride.place = getelementptr i8, ptr %it, i64 {STRIDE_PLACE}
  %stride = load i64, ptr %stride.place, align 8
  %is.dense = icmp eq i64 %stride, {{bytes}}
  %both = and i1 %same, %is.texture
  %all.three = and i1 %both, %is.words
  %plain = and i1 %all.three, %is.dense
  br i1 %plain, label %test, label %any
test:
  %extent.place = getelementptr i8, ptr %it, i64 {EXTENT_PLACE}
  %extent = load i32, ptr %extent.place, align 4
  %within = icmp ult i32 %x, %extent
  br i1 %within, label %read, label %done
read:
  %texels.place = getelementptr i8, ptr %it, i64 {TEXELS_PLACE}
  %texels = load ptr, ptr %texels.place, align 8
  %index = sext i32 %x to i64
  %texel = getelementptr [{{channels}} x i32], ptr %texels, i64 %index
  {{words}}
  br label %done
any:
  %called = call <4 x i32> @{FETCH}(i64 %texture, i32 %wanted, i32 %x)
  {{calls}}
  br label %done
done:
  {{phis}}
  {{results}}
  ret <4 x i32> {{whole}}
}}}}
"""
"""The function that reads texels, with places for what depends on the number of channels."""


def run(function: Function, module: Module) -> bool:
    """Redirect the fetches of a function; see above. Gives whether anything changed."""
    if FETCH not in module.symbols or function.symbol.startswith("__lw_fetch_words_"):
        return False
    changed = False
    for call in [i for i in function.instructions() if i.callee == FETCH]:  # 1
        channels = _channels(call)
        if channels:
            call.set_operand(0, _reader(channels, module))
            changed = True
    return changed


def _channels(call: Instruction) -> int:
    """The number of channels, of 32 bits each, of the texels that a call is after; 0 for any others."""
    element = call.arguments[1]
    if not isinstance(element, Constant) or element.integer & 0xFF != 4:  # 2
        return 0
    channels = element.integer >> 8 & 0xFF
    return channels if channels in (1, 2, 4) else 0


def _reader(channels: int, module: Module) -> Function:
    """The function that reads texels of so many channels."""
    name = f"__lw_fetch_words_{channels}"
    known = module.symbols.get(name)
    if known is None:
        made = read_module(_text(name, channels))
        known = made.function(name)
        own = made.function(FETCH)
        for user in list(own.users):
            user.replace_operand(own, module.symbols[FETCH])
        module.add(known)
    assert isinstance(known, Function)
    return known


def _text(name: str, channels: int) -> str:
    """The text of `_reader`'s function."""
    words: list[str] = []
    calls: list[str] = []
    phis: list[str] = []
    results: list[str] = []
    whole = "zeroinitializer"
    for c in range(channels):
        words.append(
            f"%place.{c} = getelementptr i8, ptr %texel, i64 {4 * c}\n%word.{c} = load i32, ptr %place.{c}, align 4"
        )
        calls.append(f"%called.{c} = extractelement <4 x i32> %called, i64 {c}")
        phis.append(f"%channel.{c} = phi i32 [ 0, %test ], [ %word.{c}, %read ], [ %called.{c}, %any ]")
        results.append(f"%result.{c} = insertelement <4 x i32> {whole}, i32 %channel.{c}, i64 {c}")
        whole = f"%result.{c}"
    join = "\n".join
    return _FUNCTION.format(
        name=name, channels=channels, bytes=4 * channels, whole=whole, words=join(words), calls=join(calls),
        phis=join(phis), results=join(results),
    )  # fmt: skip
