# SPDX-License-Identifier: Apache-2.0
"""Writes printf of OpenCL C as the `vprintf` that devices have, with packed arguments and no vectors.

    Before   %call = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @.str, <2 x float> %v), !dbg !9
             where @.str holds "at %v2hlf\\n"
    After    the two components as doubles in memory at %lw.printf
             %lw.printed.0 = call i32 @vprintf(ptr @lw.format.0, ptr %lw.printf), !dbg !9
             %call = ashr i32 %lw.printed.0, 31
             where @lw.format.0 holds "at %f,%f\\n"

vprintf gives the number of arguments or, on failure, a negative number; OpenCL wants 0 or -1.

A conversion takes an integer of any size, which is brought to the one that it names; between integers, floating-point
numbers, vectors and pointers nothing is converted.

Source: The OpenCL Specification 1.2, 6.12.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.errors import CompileError
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.initializer import unescape

_FUNCTION: Final = re.compile(r"^define [^\n]*\{\n(?:[\w.$-]+:[^\n]*\n)?(?:.*\n)*?\}\n", re.MULTILINE)
_HEAD: Final = re.compile(r"define [^\n]*\{\n(?:[\w.$-]+:[^\n]*\n)?")
_CALL: Final = re.compile(
    r"^  (?:(?P<result>%\S+) = )?(?:tail |notail )?call i32 \(ptr addrspace\(4\), \.\.\.\) @printf\((?P<arguments>.*)\)"
    r"(?P<attributes>(?: #\d+)?)(?P<metadata>(?:, ![\w.]+ !\d+)*)$",
    re.MULTILINE,
)
_DECLARATION: Final = re.compile(r"^declare [^\n]*@printf\([^\n]*\n", re.MULTILINE)
_LITERAL: Final = r'^{name} = [^\n]*constant \[\d+ x i8\] (?:c"([^"]*)"|(zeroinitializer))'
_METADATA: Final = re.compile(r"^(!\d+) = (.*)$", re.MULTILINE)
_TYPE: Final = re.compile(r"(?:<(?P<count>\d+) x (?P<element>\w+)>|ptr(?: addrspace\((?P<space>\d+)\))?|\w+) ")
_ATTRIBUTE: Final = re.compile(r"(?:noundef|signext|zeroext|nonnull|(?:align|dereferenceable\S*) \S+) ")

_CONVERSION: Final = re.compile(
    r"%(?:%|(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?P<precision>(?:\.(?:\*|\d*))?)(?:v(?P<vector>\d+))?"
    r"(?P<length>hh|hl|h|ll|l|j|z|t)?(?P<letter>[diouxXcspfFeEgGaA])|)"
)
_ELEMENTS: Final = {
    ("hh", False): ("i8",), ("h", False): ("i16",), ("hl", False): ("i32",), ("l", False): ("i64",),
    ("h", True): ("half",), ("hl", True): ("float",), ("l", True): ("double",),
    ("", False): ("i8", "i16", "i32", "i64"), ("", True): ("half", "float", "double"),
}  # fmt: skip
"""Of vectors: the component's types by length modifier, and whether the conversion is of floating-point numbers."""
_NAMES: Final = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}
_SIZES: Final = {"i32": 4, "i64": 8, "double": 8, "ptr": 8}


class _Argument(NamedTuple):
    """`type` is that of a component for vectors, and `ptr` for pointers, whose address space is `space`."""

    type: str
    width: int
    space: str
    value: str

    @property
    def shown(self) -> str:
        """The type as OpenCL C has it; whether an integer is signed isn't known."""
        if self.type == "ptr":
            return "a pointer"
        return _NAMES.get(self.type, self.type) + (str(self.width) if self.width else "")


class _Misfit(Exception):
    """A format and its arguments that don't fit, in words."""


def without_printf(text: str) -> str:
    """The text of a module with its calls of printf rewritten as said above.

    Raises `CompileError`, with the place in the source, for a format that is no string literal, holds what is no
    conversion, or doesn't fit its arguments.
    """
    if "@printf(" not in text:
        return text
    formats: dict[str, str] = {}
    numbers = iter(range(text.count("@printf(")))

    def function(match: re.Match[str]) -> str:
        body = match[0]
        if "@printf(" not in body:
            return body
        most = 8

        def call(found: re.Match[str]) -> str:
            nonlocal most
            try:
                packed = _packed(found["arguments"], text, f"lw.printf.{next(numbers)}")
            except _Misfit as misfit:
                raise CompileError(f"{_place(found['metadata'], text)}error: {misfit}") from None
            most = max(most, packed.size)
            name = formats.setdefault(packed.format, f"@lw.format.{len(formats)}")
            return packed.call(name, found)

        body = _CALL.sub(call, body)
        buffer = f"  %lw.printf = alloca [{most} x i8], align 8\n"
        return _HEAD.sub(lambda head: head[0] + buffer, body, count=1)

    text_after = _DECLARATION.sub("", _FUNCTION.sub(function, text))
    constants = "".join(f"{name} = {_literal(format_)}\n" for format_, name in formats.items())
    return f"{text_after}\n{constants}declare i32 @vprintf(ptr, ptr)\n"


@final
class _Packed:
    """A call in the making: instructions that put arguments where vprintf takes them, and the format for it."""

    def __init__(self, prefix: str) -> None:
        self._prefix: Final = prefix
        self._lines: Final[list[str]] = []
        self.format = ""
        self.size = 0

    def value(self, instruction: str) -> str:
        name = f"%{self._prefix}.{len(self._lines)}"
        self._lines.append(f"  {name} = {instruction}\n")
        return name

    def store(self, type_: str, value: str) -> None:
        size = _SIZES[type_]
        offset = -(-self.size // size) * size
        place = self.value(f"getelementptr inbounds i8, ptr %lw.printf, i64 {offset}") if offset else "%lw.printf"
        self._lines.append(f"  store {type_} {value}, ptr {place}, align {size}\n")
        self.size = offset + size

    def store_integer(self, type_: str, value: str, wanted: str, *, is_signed: bool) -> None:
        bits, wanted_bits = int(type_[1:]), int(wanted[1:])
        if bits != wanted_bits:
            cast = "trunc" if bits > wanted_bits else "sext" if is_signed else "zext"
            value = self.value(f"{cast} {type_} {value} to {wanted}")
        self.store(wanted, value)

    def store_float(self, type_: str, value: str) -> None:
        self.store("double", value if type_ == "double" else self.value(f"fpext {type_} {value} to double"))

    def store_pointer(self, space: str, value: str) -> None:
        if space != "0":
            value = self.value(f"addrspacecast ptr addrspace({space}) {value} to ptr")
        self.store("ptr", value)

    def call(self, format_: str, match: re.Match[str]) -> str:
        call = f"call i32 @vprintf(ptr {format_}, ptr %lw.printf){match['metadata']}"
        if match["result"]:
            printed = self.value(call)
            self._lines.append(f"  {match['result']} = ashr i32 {printed}, 31\n")
        else:
            self._lines.append(f"  {call}\n")
        return "".join(self._lines).rstrip("\n")


def _packed(listed: str, text: str, prefix: str) -> _Packed:
    """The rewritten form of a call with the arguments `listed`, the format first."""
    first, *rest = _split(listed)
    format_ = _text_of(_argument(first).value, text)
    if format_ is None:
        raise _Misfit("the format of printf must be a string literal")
    arguments = iter([_argument(word) for word in rest])
    packed = _Packed(prefix)
    parts: list[str] = []
    at = 0
    for match in _CONVERSION.finditer(format_):
        parts.append(format_[at : match.start()])
        at = match.end()
        if match[0] == "%":
            raise _Misfit(f"printf's format has no valid conversion at '{format_[match.start() :][:8].strip()}'")
        parts.append("%%" if match[0] == "%%" else _converted(match, arguments, packed))
    packed.format = "".join([*parts, format_[at:]])
    return packed


def _converted(match: re.Match[str], arguments: Iterator[_Argument], packed: _Packed) -> str:
    """The conversions that do for vprintf what `match` does with the next argument, which gets packed."""

    def following() -> _Argument:
        argument = next(arguments, None)
        if argument is None:
            raise _Misfit(f"printf's format has no argument for '{match[0]}'")
        return argument

    stars: list[_Argument] = []
    for _ in range((match["width"] + match["precision"]).count("*")):
        star = following()
        if star.width or not star.type.startswith("i"):
            raise _Misfit(f"'{match[0]}' of printf's format takes an int for '*', not {star.shown}")
        stars.append(star)
    argument = following()
    letter, vector = match["letter"], int(match["vector"] or 0)
    _check(match, argument)
    shown: list[str] = []
    for index in range(vector or 1):
        for star in stars:
            packed.store_integer(star.type, star.value, "i32", is_signed=True)
        value = argument.value
        if vector:
            vector_type = f"<{vector} x {argument.type}>"
            value = packed.value(f"extractelement {vector_type} {value}, i32 {index}")
        length = ""
        if letter in "fFeEgGaA":
            packed.store_float(argument.type, value)
        elif letter in "sp":
            packed.store_pointer(argument.space, value)
        else:
            length = _length(match["length"] or "", argument.type if vector else "")
            wide = "i64" if length == "l" else "i32"
            packed.store_integer(argument.type, value, wide, is_signed=letter in "dic")
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
    is_float = letter in "fFeEgGaA"
    if (length == "hl" and not vector) or (letter in "csp" and (length or vector)):
        raise _Misfit(f"printf's format has no valid conversion at '{match[0]}'")
    if letter in "sp":
        fits, wanted = argument.type == "ptr", "a pointer" if letter == "p" else "a string"
    elif vector:
        types = _ELEMENTS.get((length, is_float))
        if types is None or vector not in (2, 3, 4, 8, 16):
            raise _Misfit(f"printf's format has no valid conversion at '{match[0]}'")
        fits = argument.width == vector and argument.type in types
        wanted = " or ".join(f"{_NAMES.get(type_, type_)}{vector}" for type_ in types)
    elif is_float:
        fits, wanted = argument.type in ("half", "float", "double") and not argument.width, "a float or double"
    else:
        fits, wanted = argument.type[0] == "i" and not argument.width, "an integer"
    if not fits:
        raise _Misfit(f"'{match[0]}' of printf's format takes {wanted}, not {argument.shown}")


def _split(listed: str) -> list[str]:
    """Arguments of a call, one by one: commas within brackets and strings separate none."""
    words: list[str] = []
    depth = start = 0
    for match in re.finditer(r'"[^"]*"|[(\[{<]|[)\]}>]|, ', listed):
        sign = match[0]
        if sign == ", ":
            if depth == 0:
                words.append(listed[start : match.start()])
                start = match.end()
        elif sign[0] != '"':
            depth += 1 if sign in "([{<" else -1
    return [*words, listed[start:]]


def _argument(word: str) -> _Argument:
    match = _TYPE.match(word)
    if match is None:
        raise _Misfit("printf takes numbers, vectors, pointers and strings, no struct or array")
    at = match.end()
    while attribute := _ATTRIBUTE.match(word, at):
        at = attribute.end()
    type_ = match["element"] or match[0].split(" ", 1)[0]
    return _Argument(type_, int(match["count"] or 0), match["space"] or "0", word[at:])


def _text_of(name: str, text: str) -> str | None:
    """The string in a constant; None where `name` is no constant that holds one."""
    found = re.search(_LITERAL.format(name=re.escape(name)), text, re.MULTILINE) if name.startswith("@") else None
    if found is None:
        return None
    return unescape(found[1] or "").split(b"\0", 1)[0].decode("latin-1")


def _literal(format_: str) -> str:
    data = format_.encode("latin-1") + b"\0"
    escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
    return f'private unnamed_addr constant [{len(data)} x i8] c"{escaped}", align 1'


def _place(metadata: str, text: str) -> str:
    """Where the source has a call with this metadata, as diagnostics begin; nothing where that isn't known."""
    match = re.search(r"!dbg (!\d+)", metadata)
    location = DebugInfo(dict(_METADATA.findall(text))).location(match[1]) if match else None
    return f"{location}: " if location else ""
