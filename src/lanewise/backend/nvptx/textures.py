# SPDX-License-Identifier: Apache-2.0
"""write-texture-calls: makes LLVM's intrinsics for `tex`, `tld4`, `suld` and `sust` of fetches and surface accesses.

Why
    Our headers call functions of our own, since PTX names the type and number of channels, the boundary mode and the
    channel of a gather in the instruction.

Before
    define i32 @f(i64 %handle, float %x, float %y) {
    entry:
      %t = call <4 x i32> @__lw_tex_2d(i64 %handle, i32 131332, float %x, float %y)
      %r = extractelement <4 x i32> %t, i32 0
      ret i32 %r
    }
    declare <4 x i32> @__lw_tex_2d(i64, i32, float, float)

After
    define i32 @f(i64 %handle, float %x, float %y) {
    entry:
      %0 = call { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64 %handle, float %x, float %y)
      %1 = extractvalue { float, float, float, float } %0, 0
      %2 = extractvalue { float, float, float, float } %0, 1
      %3 = extractvalue { float, float, float, float } %0, 2
      %4 = extractvalue { float, float, float, float } %0, 3
      %5 = bitcast float %1 to i32
      %6 = insertelement <4 x i32> poison, i32 %5, i32 0
      %7 = bitcast float %2 to i32
      %8 = insertelement <4 x i32> %6, i32 %7, i32 1
      %9 = bitcast float %3 to i32
      %10 = insertelement <4 x i32> %8, i32 %9, i32 2
      %11 = bitcast float %4 to i32
      %12 = insertelement <4 x i32> %10, i32 %11, i32 3
      %r = extractelement <4 x i32> %12, i32 0
      ret i32 %r
    }
    declare <4 x i32> @__lw_tex_2d(i64, i32, float, float)
    declare { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64, float, float)

Needs
    1. The call is of one of the functions of our headers.

Method
    The numbers that PTX needs in the instruction must be constants; `texture_faults` finds those that aren't. Handles
    are those of the driver's texture and surface objects.

Source: PTX ISA, "Texture Instructions", "Surface Instructions".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.module import Module
from lanewise.ir.texture_functions import (
    BOUNDARY_SHIFT,
    CHANNELS_SHIFT,
    FLOATING,
    FORMATTED,
    KIND_SHIFT,
    SIGNED,
    TextureFunction,
    texture_function,
)
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Value, i32, poison

REFERENCE_HANDLE: Final = "llvm.nvvm.texsurf.handle"

_WORDS: Final = ty.vector(4, ty.I32)
_BOUNDARIES: Final = ("zero", "clamp", "trap")
_COMPONENTS: Final = "rgba"


def texture_faults(call: Instruction) -> Iterator[str]:
    """Reasons why there is no PTX for a call: none, or phrases that continue "kernel k ..."."""
    if call.callee.startswith(REFERENCE_HANDLE):
        yield "uses a texture or surface reference, which CUDA 12 has dropped: pass a cudaTextureObject_t instead"
    function = texture_function(call.callee)
    if function is None:
        return
    if function.operation in ("query", "reduce") or (_integer(call.arguments[1]) or 0) & FORMATTED:
        yield "asks a texture, or reduces or converts in a surface, which only PTX that is a source does"
        return
    if _integer(call.arguments[1]) is None:
        yield "reads or writes a surface with a boundary mode that is not a constant, which PTX doesn't have"
    if function.operation == "gather" and _integer(call.arguments[2]) is None:
        yield "gathers a channel that is not a constant, which PTX doesn't have"


def run(module: Module) -> bool:
    """Replace all calls, which must have no faults; returns whether there are any."""
    found = [
        (call, called)
        for function in module.functions
        for call in function.instructions()
        if call.op == "call" and (called := texture_function(call.callee)) is not None  # 1
    ]
    for call, called in found:
        _Replacement(module, call).emit(called)
    return bool(found)


class _Replacement:
    """The instructions that take the place of one call."""

    def __init__(self, module: Module, call: Instruction) -> None:
        self._module: Final = module
        self._call: Final = call
        self._block: Final = call.parent

    def emit(self, called: TextureFunction) -> None:
        handle, element, *rest = self._call.arguments
        word = _integer(element)
        assert word is not None, "checked before"
        match called.operation:
            case "read":
                result: Value | None = self._read(called, word, handle, rest)
            case "write":
                result = self._write(called, word, handle, rest)
            case _:
                result = self._fetch(called, word, handle, rest)
        if result is not None:
            self._call.replace_all_uses(result)
        self._call.erase()

    def _fetch(self, called: TextureFunction, element: int, handle: Value, rest: Sequence[Value]) -> Value:
        kind = element >> KIND_SHIFT & 3
        channel = ty.FLOAT if kind == FLOATING else ty.I32
        spelled = "v4f32" if kind == FLOATING else "v4s32" if kind == SIGNED else "v4u32"
        geometry = _geometry(called)
        match called.operation:
            case "fetch":
                name = f"llvm.nvvm.tex.unified.1d.{spelled}.s32"
            case "gather":
                component = _integer(rest[0])
                assert component is not None, "checked before"
                name = f"llvm.nvvm.tld4.unified.{_COMPONENTS[component & 3]}.2d.{spelled}.f32"
                rest = rest[1:]
            case _:
                detail = f".{called.detail}" if called.detail else ""
                name = f"llvm.nvvm.tex.unified.{geometry}{detail}.{spelled}.f32"
        found = self._intrinsic(name, ty.struct((channel,) * 4), (handle, *rest))
        return self._words([self._extract(found, channel, i) for i in range(4)])

    def _read(self, called: TextureFunction, access: int, handle: Value, place: Sequence[Value]) -> Value:
        channels, size = access >> CHANNELS_SHIFT & 7, access & 0xFF
        channel = ty.I16 if size == 1 else ty.integer(8 * size)
        name = f"llvm.nvvm.suld.{_geometry(called)}.{_spelled(channels, size)}.{_boundary(access)}"
        result = channel if channels == 1 else ty.struct((channel,) * channels)
        found = self._intrinsic(name, result, (handle, *_layer_first(called, place)))
        return self._words([found if channels == 1 else self._extract(found, channel, i) for i in range(channels)])

    def _write(self, called: TextureFunction, access: int, handle: Value, rest: Sequence[Value]) -> None:
        *place, value = rest
        channels, size = access >> CHANNELS_SHIFT & 7, access & 0xFF
        channel = ty.I16 if size == 1 else ty.integer(8 * size)
        name = f"llvm.nvvm.sust.b.{_geometry(called)}.{_spelled(channels, size)}.{_boundary(access)}"
        words = [self._add(Instruction("extractelement", ty.I32, (value, i32(i)))) for i in range(channels)]
        if channel is not ty.I32:
            words = [self._add(Instruction("trunc", channel, (word,))) for word in words]
        self._intrinsic(name, ty.VOID, (handle, *_layer_first(called, place), *words))

    # -- instructions --------------------------------------------------------------------------------------------------

    def _add(self, instruction: Instruction) -> Instruction:
        self._block.insert(self._block.instructions.index(self._call), instruction)
        return instruction

    def _intrinsic(self, name: str, result: Type, arguments: Sequence[Value]) -> Instruction:
        type_ = ty.function(result, tuple(argument.type for argument in arguments))
        callee = self._module.symbols.get(name)
        if not isinstance(callee, Function):
            callee = Function(name, type_, [Argument(p) for p in type_.fields])
            self._module.add(callee)
        return self._add(Instruction("call", result, (callee, *arguments), call=CallSite(type_)))

    def _extract(self, found: Value, channel: Type, index: int) -> Value:
        return self._add(Instruction("extractvalue", channel, (found,), indices=(index,)))

    def _words(self, channels: Sequence[Value]) -> Value:
        """Channels as the words that the call gave, those that are lacking 0."""
        built: Value = poison(_WORDS)
        for index in range(4):
            word = self._word(channels[index]) if index < len(channels) else i32(0)
            built = self._add(Instruction("insertelement", _WORDS, (built, word, i32(index))))
        return built

    def _word(self, channel: Value) -> Value:
        if channel.type is ty.I32:
            return channel
        return self._add(Instruction("bitcast" if channel.type is ty.FLOAT else "zext", ty.I32, (channel,)))


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind == "int" else None


def _geometry(called: TextureFunction) -> str:
    return called.geometry.replace("_layered", ".array")


def _layer_first(called: TextureFunction, place: Sequence[Value]) -> Sequence[Value]:
    return (place[-1], *place[:-1]) if called.layered else place


def _spelled(channels: int, size: int) -> str:
    return f"{f'v{channels}' if channels > 1 else ''}i{8 * size}"


def _boundary(access: int) -> str:
    return _BOUNDARIES[access >> BOUNDARY_SHIFT & 3]
