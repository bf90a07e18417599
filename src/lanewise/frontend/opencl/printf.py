# SPDX-License-Identifier: Apache-2.0
"""lower-printf: makes printf of OpenCL C the `vprintf` that devices have, with packed arguments and no vectors.

Why
    Devices print what CUDA's printf prints: formats without vectors, whose arguments lie in memory.

Before
    @.str = private addrspace(4) constant [10 x i8] c"at %v2hlf\\00", align 1
    define i32 @f(<2 x float> %v) {
    entry:
      %call = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @.str, <2 x float> %v)
      ret i32 %call
    }
    declare i32 @printf(ptr addrspace(4), ...)

After
    @.str = private addrspace(4) constant [10 x i8] c"at %v2hlf\\00", align 1
    define i32 @f(<2 x float> %v) {
    entry:
      %lw.printf = alloca [16 x i8], align 8
      %0 = extractelement <2 x float> %v, i32 0
      %1 = fpext float %0 to double
      store double %1, ptr %lw.printf, align 8
      %2 = extractelement <2 x float> %v, i32 1
      %3 = fpext float %2 to double
      %4 = getelementptr inbounds i8, ptr %lw.printf, i64 8
      store double %3, ptr %4, align 8
      %5 = call i32 @vprintf(ptr @lw.format.0, ptr %lw.printf)
      %call = ashr i32 %5, 31
      ret i32 %call
    }
    declare i32 @vprintf(ptr, ptr)
    @lw.format.0 = private unnamed_addr constant [9 x i8] c"at %f,%f\\00", align 1

Needs
    1. The format is a string literal, since it is rewritten here.
    2. Each conversion of the format is one of OpenCL C.
    3. Each has an argument, of a kind that it takes; so has each `*` of its width and precision, an int.
    What lacks one of these is an error of the program, and raised as such.

Method
    vprintf returns the number of arguments or, on failure, a negative number; OpenCL wants 0 or -1. A conversion takes
    an integer of any size, which is brought to the one that it names. Between integers, floating-point numbers, vectors
    and pointers nothing is converted.

Source: The OpenCL Specification 1.2, 6.12.13.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Block, Function
from lanewise.ir.initializer import unescape
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32

_CONVERSION: Final = re.compile(
    r"%(?:%|(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?P<precision>(?:\.(?:\*|\d*))?)(?:v(?P<vector>\d+))?"
    r"(?P<length>hh|hl|h|ll|l|j|z|t)?(?P<letter>[diouxXcspfFeEgGaA])|)"
)
_ELEMENTS: Final = {
    ("hh", False): ("i8",), ("h", False): ("i16",), ("hl", False): ("i32",), ("l", False): ("i64",),
    ("h", True): ("half",), ("hl", True): ("float",), ("l", True): ("double",),
    ("", False): ("i8", "i16", "i32", "i64"), ("", True): ("half", "float", "double"),
}  # fmt: skip
"""Types of a vector's components by length modifier, and whether the conversion is of floating-point numbers."""
_NAMES: Final = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}
_SIZES: Final = {"i32": 4, "i64": 8, "double": 8, "ptr": 8}
_LEAST_BUFFER: Final = 8
"""Bytes of a buffer that no call needs more of."""
_VPRINTF: Final = ty.function(ty.I32, (ty.PTR, ty.PTR))


class _Argument(NamedTuple):
    """An argument of printf. `type` is that of a component for vectors, of which there are `width`, otherwise 0."""

    type: Type
    width: int
    value: Value

    @property
    def shown(self) -> str:
        """The type as OpenCL C has it; whether an integer is signed isn't known."""
        if self.type.is_pointer:
            return "a pointer"
        return _NAMES.get(str(self.type), str(self.type)) + (str(self.width) if self.width else "")


class _Misfit(Exception):
    """A format and its arguments that don't fit, in words."""


def run(module: Module) -> bool:
    """Rewrite all calls of printf; returns whether there are any.

    Raises `CompileError`, with the place in the source, for a format that is no string literal, holds what is no
    conversion, or doesn't fit its arguments.
    """
    printf = module.symbols.get("printf")
    if not isinstance(printf, Function) or printf.blocks:
        return False
    del module.symbols["printf"]
    lowering = _Lowering(module)
    for function in dict.fromkeys(call.function for call in printf.users):
        lowering.function(function, printf)
    return True


@final
class _Lowering:
    """Rewrites the calls of one module."""

    def __init__(self, module: Module) -> None:
        self._module: Final = module
        self._info: Final = DebugInfo(module.metadata)
        self._vprintf: Final = module.declare("vprintf", _VPRINTF)
        self._formats: Final[dict[str, GlobalVariable]] = {}

    def function(self, function: Function, printf: Function) -> None:
        buffer = Instruction("alloca", ty.PTR, (), name="lw.printf", align=8)
        size = _LEAST_BUFFER
        for block in function.blocks:
            instructions, block.instructions = block.instructions, []
            for instruction in instructions:
                if instruction.op == "call" and instruction.operands[0] is printf:
                    size = max(size, self._call(instruction, block, buffer))
                else:
                    block.append(instruction)
        buffer.source_type = ty.array(size, ty.I8)
        function.entry.insert(0, buffer)

    def _call(self, call: Instruction, block: Block, buffer: Instruction) -> int:
        """Append to `block` what does as `call` does. Returns the bytes of the buffer that this needs."""
        packed = _Packed(Builder(block), buffer)
        try:
            format_ = _pack(call, packed)
        except _Misfit as misfit:
            location = self._info.location(call.metadata_of("!dbg") or "")
            raise CompileError(f"{f'{location}: ' if location else ''}error: {misfit}") from None
        printed = packed.build.call_function(self._vprintf, (self._format(format_), buffer))
        printed.metadata = call.metadata
        if call.users:
            call.replace_all_uses(packed.build.binary("ashr", printed, i32(31), call.name))
        call.block = None
        call.drop_operands()
        return packed.size

    def _format(self, text: str) -> GlobalVariable:
        """The constant that holds a format."""
        known = self._formats.get(text)
        if known is None:
            data = text.encode("latin-1") + b"\0"
            escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
            type_ = ty.array(len(data), ty.I8)
            known = self._formats[text] = GlobalVariable(
                f"lw.format.{len(self._formats)}",
                type_,
                Constant(type_, "string", escaped),
                prefix=("private", "unnamed_addr", "constant"),
                suffix=", align 1",
            )
            self._module.add(known)
        return known


@final
class _Packed:
    """Instructions that store arguments in the buffer that vprintf reads."""

    def __init__(self, build: Builder, buffer: Instruction) -> None:
        self.build: Final = build
        self._buffer: Final = buffer
        self.size = 0

    def store(self, value: Value) -> None:
        size = _SIZES[str(value.type)]
        offset = -(-self.size // size) * size
        self.build.store(value, self.build.offset(self._buffer, offset), size)
        self.size = offset + size

    def store_integer(self, value: Value, wanted: Type, *, is_signed: bool) -> None:
        if value.type is not wanted:
            cast = "trunc" if value.type.bits > wanted.bits else "sext" if is_signed else "zext"
            value = self.build.cast(cast, value, wanted)
        self.store(value)

    def store_float(self, value: Value) -> None:
        self.store(value if value.type is ty.DOUBLE else self.build.cast("fpext", value, ty.DOUBLE))

    def store_pointer(self, value: Value) -> None:
        self.store(value if value.type is ty.PTR else self.build.cast("addrspacecast", value, ty.PTR))


def _pack(call: Instruction, packed: _Packed) -> str:
    """Pack the arguments of a call of printf. Returns the format for them."""
    first, *rest = call.arguments
    format_ = _text_of(first)
    if format_ is None:  # 1
        raise _Misfit("the format of printf must be a string literal")
    arguments = iter([_argument(value, call, number) for number, value in enumerate(rest, 1)])
    parts: list[str] = []
    at = 0
    for match in _CONVERSION.finditer(format_):
        parts.append(format_[at : match.start()])
        at = match.end()
        if match[0] == "%":  # 2
            raise _Misfit(f"printf's format has no valid conversion at '{format_[match.start() :][:8].strip()}'")
        parts.append("%%" if match[0] == "%%" else _converted(match, arguments, packed))
    return "".join([*parts, format_[at:]])


def _converted(match: re.Match[str], arguments: Iterator[_Argument], packed: _Packed) -> str:
    """The conversions that do for vprintf what `match` does with the next argument, which gets packed."""

    def following() -> _Argument:
        argument = next(arguments, None)
        if argument is None:
            raise _Misfit(f"printf's format has no argument for '{match[0]}'")
        return argument

    stars: list[Value] = []
    for _ in range((match["width"] + match["precision"]).count("*")):
        star = following()
        if star.width or not star.type.is_int:  # 3
            raise _Misfit(f"'{match[0]}' of printf's format takes an int for '*', not {star.shown}")
        stars.append(star.value)
    argument = following()
    letter, vector = match["letter"], int(match["vector"] or 0)
    _check(match, argument)
    shown: list[str] = []
    for index in range(vector or 1):
        for star in stars:
            packed.store_integer(star, ty.I32, is_signed=True)
        value = argument.value
        if vector:
            value = packed.build.emit(Instruction("extractelement", argument.type, (value, i32(index))))
        length = ""
        if letter in "fFeEgGaA":
            packed.store_float(value)
        elif letter in "sp":
            packed.store_pointer(value)
        else:
            length = _length(match["length"] or "", str(argument.type) if vector else "")
            packed.store_integer(value, ty.I64 if length == "l" else ty.I32, is_signed=letter in "dic")
        shown.append(f"%{match['flags']}{match['width']}{match['precision']}{length}{letter}")
    return ",".join(shown)


def _length(length: str, component: str) -> str:
    """The length modifier of an integer conversion, for a vector from its component's type."""
    if component:
        return {"i8": "hh", "i16": "h", "i32": "", "i64": "l"}[component]
    return "l" if length in ("l", "ll", "j", "z", "t") else length


def _check(match: re.Match[str], argument: _Argument) -> None:
    """Raise unless the conversion is one and takes the argument."""
    letter, length, vector = match["letter"], match["length"] or "", int(match["vector"] or 0)
    is_float, type_ = letter in "fFeEgGaA", str(argument.type)
    if (length == "hl" and not vector) or (letter in "csp" and (length or vector)):
        raise _Misfit(f"printf's format has no valid conversion at '{match[0]}'")
    if letter in "sp":
        fits, wanted = argument.type.is_pointer, "a pointer" if letter == "p" else "a string"
    elif vector:
        types = _ELEMENTS.get((length, is_float))
        if types is None or vector not in (2, 3, 4, 8, 16):
            raise _Misfit(f"printf's format has no valid conversion at '{match[0]}'")
        fits = argument.width == vector and type_ in types
        wanted = " or ".join(f"{_NAMES.get(each, each)}{vector}" for each in types)
    elif is_float:
        fits, wanted = type_ in ("half", "float", "double") and not argument.width, "a float or double"
    else:
        fits, wanted = argument.type.is_int and not argument.width, "an integer"
    if not fits:
        raise _Misfit(f"'{match[0]}' of printf's format takes {wanted}, not {argument.shown}")


def _argument(value: Value, call: Instruction, number: int) -> _Argument:
    """Argument `number` of a call."""
    type_ = value.type
    attributes = call.call.arguments[number] if call.call is not None and call.call.arguments else ()
    if type_.is_aggregate or any(attribute.startswith("byval(") for attribute in attributes):
        raise _Misfit("printf takes numbers, vectors, pointers and strings, no struct or array")
    return _Argument(type_.scalar, type_.count if type_.is_vector else 0, value)


def _text_of(value: Value) -> str | None:
    """The string in a constant; None if `value` is no constant that holds one."""
    if not isinstance(value, GlobalVariable) or not value.is_constant or not isinstance(value.initializer, Constant):
        return None
    text = {"string": value.initializer.text, "zeroinitializer": ""}.get(value.initializer.kind)
    return None if text is None else unescape(text).split(b"\0", 1)[0].decode("latin-1")
