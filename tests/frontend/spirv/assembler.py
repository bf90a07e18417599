# SPDX-License-Identifier: Apache-2.0
r"""A small assembler of SPIR-V, for modules that no compiler at hand writes.

A line is an instruction: `%sum = OpIAdd %int %a %b`. Numbers stand for themselves, "text" for a string, with \n for a
new line and \q for a quotation mark in it, and `1.5f` for the bits of a float.
"""

import re
import struct
from collections.abc import Iterable

from lanewise.frontend.spirv.opcodes import NAMES, has_result, has_type

_NUMBERS = {name: number for number, name in NAMES.items()}
_TOKEN = re.compile(r'"[^"]*"|[^\s;]+')

KERNEL = """
OpCapability 6
OpCapability 4
OpCapability 5
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel 2 2
OpEntryPoint 6 %k "k" %gid
OpDecorate %gid 11 28
DECORATIONS
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%int3 = OpTypeVector %int 3
%int4 = OpTypeVector %int 4
%float4 = OpTypeVector %float 4
%long3 = OpTypeVector %long 3
%in = OpTypePointer 1 %long3
%ints = OpTypePointer 5 %int
%floats = OpTypePointer 5 %float
%gid = OpVariable %in 1
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%2 = OpConstant %int 2
%3 = OpConstant %int 3
%4 = OpConstant %int 4
DECLARATIONS
%type = OpTypeFunction %void %ints %ints %ints
%k = OpFunction %void 0 %type
%out = OpFunctionParameter %ints
%first = OpFunctionParameter %ints
%second = OpFunctionParameter %ints
%entry = OpLabel
%ids = OpLoad %long3 %gid 2 32
%id = OpCompositeExtract %long %ids 0
%at = OpInBoundsPtrAccessChain %ints %out %id
%a.at = OpInBoundsPtrAccessChain %ints %first %id
%b.at = OpInBoundsPtrAccessChain %ints %second %id
%a = OpLoad %int %a.at 2 4
%b = OpLoad %int %b.at 2 4
BODY
OpStore %at %r 2 4
OpReturn
OpFunctionEnd
"""
"""A kernel that stores %r, an integer, for each work-item, of two integers %a and %b."""


def kernel(body: str, declarations: str = "", decorations: str = "") -> bytes:
    """The module of a kernel `k(out, first, second)` that stores what the body calls %r."""
    text = KERNEL.replace("BODY", body).replace("DECLARATIONS", declarations)
    return assembled(text.replace("DECORATIONS", decorations))


def assembled(text: str, version: int = 0x10400, order: str = "<") -> bytes:
    """The module of a text."""
    ids: dict[str, int] = {}
    words: list[int] = []
    for line in text.splitlines():
        tokens = _TOKEN.findall(line.partition(";")[0])
        if tokens:
            words += _instruction(tokens, ids)
    return struct.pack(f"{order}{5 + len(words)}I", 0x07230203, version, 0, len(ids) + 1, 0, *words)


def _instruction(tokens: list[str], ids: dict[str, int]) -> list[int]:
    result = [tokens[0]] if tokens[1:2] == ["="] else []
    name, *operands = tokens[2:] if result else tokens
    name = name.removeprefix("Op")
    assert bool(result) == has_result(name), name
    operands = [operands[0], *result, *operands[1:]] if has_type(name) else result + operands
    words = [word for operand in operands for word in _words(operand, ids)]
    return [(len(words) + 1) << 16 | _NUMBERS[name], *words]


def _words(operand: str, ids: dict[str, int]) -> Iterable[int]:
    if operand.startswith("%"):
        return (ids.setdefault(operand, len(ids) + 1),)
    if operand.startswith('"'):
        data = operand[1:-1].replace("\\n", "\n").replace("\\q", '"').encode() + b"\0"
        data += b"\0" * (-len(data) % 4)
        return struct.unpack(f"<{len(data) // 4}I", data)
    if operand.endswith("f"):
        return struct.unpack("<I", struct.pack("<f", float(operand[:-1])))
    return (int(operand, 0) & 0xFFFFFFFF,)
