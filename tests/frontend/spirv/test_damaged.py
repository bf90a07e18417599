# SPDX-License-Identifier: Apache-2.0
"""Modules that are damaged, or that no program of OpenCL is, end with one error."""

import random

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.spirv.translate import spirv_program

from .assembler import KERNEL, assembled, kernel

GOOD = kernel("%r = OpIAdd %int %a %b")


def changed(old: str, new: str) -> bytes:
    text = KERNEL.replace("BODY", "%r = OpIAdd %int %a %b").replace("DECLARATIONS", "").replace("DECORATIONS", "")
    assert old in text
    return assembled(text.replace(old, new))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (GOOD[:18], "SPIR-V of 18 bytes is cut short"),
        (GOOD[:-4], "the SPIR-V module is damaged: a function has no end"),
        (assembled(KERNEL[: KERNEL.index("DECO")], version=0x10700), "SPIR-V 1.7 is not taken, only 1.0 to 1.6"),
        (GOOD[:12] + b"\0\0\0\1" + GOOD[16:], "the SPIR-V module has numbers up to 16777216"),
        (GOOD[:12] + b"\5\0\0\0" + GOOD[16:], "a number beyond its bound of 5"),
        (GOOD[:20] + b"\0\0\0\0" + GOOD[24:], "is damaged at its word 5: OpNop of 0 words"),
        (changed("OpMemoryModel 2 2", "OpMemoryModel 0 1"), "is no program of OpenCL by its memory model"),
        (changed("OpMemoryModel 2 2", "OpMemoryModel 1 2"), "has pointers of 32 bits; compile it for spirv64"),
        (changed("%a = OpLoad %int %a.at 2 4", "%a = OpLoad %int %nowhere 2 4"), "is used before it is defined"),
        (changed("%char = OpTypeInt 8 0", "%char = OpTypeInt 8 0\n%odd = OpTypeInt 24 0"), "integers of 24 bits"),
        (kernel("%r = OpIsValidEvent %int %a"), "SPIR-V with OpIsValidEvent is not taken"),
        (kernel("%r = OpExtInst %int %std 999 %a"), "SPIR-V with the instruction 999 of OpenCL.std is not taken"),
        (kernel("%r = OpExtInst %int %glsl 1 %a", '%glsl = OpExtInstImport "GLSL.std.450"'), "'GLSL.std.450'"),
        (assembled(KERNEL[: KERNEL.index("DECORATIONS")]), "the kernel k has no function"),
        (kernel("%r = OpFunctionCall %int %out"), "is called and is no function"),
        (changed('"k"', '"k\\nl"'), "a kernel with the name"),
        (kernel("OpBranch %o\n%o = OpLabel\n%r = OpPhi %int %a %entry %b %entry"), "OpPhi names a block twice"),
        (kernel("%r = OpIAdd %int %a %b", "%s = OpSpecConstantOp %int 126 %1 %2"), "OpSNegate with 2 operands"),
        (kernel("%r = OpIAdd %int %a %b\nOpBranch %entry\n%o = OpLabel"), "LLVM says of its translation"),
        (kernel("%r = OpIAdd %int %a"), "the SPIR-V module is damaged"),
        (
            kernel("%r = OpIAdd %int %a %b", "%self = OpTypeStruct %pack %int\n%pack = OpTypeArray %self %2"),
            "contains itself",
        ),
    ],
)
def test_each_has_a_message(data: bytes, message: str) -> None:
    with pytest.raises(lw.CompileError) as error:
        lw.compile(data)
    assert str(error.value).startswith("<source>: error: ")
    assert message in str(error.value)


def test_what_would_need_too_much_memory() -> None:
    doubled = "\n".join(
        f"%t{n + 1} = OpTypeArray %t{n} %2\n%c{n + 1} = OpConstantComposite %t{n + 1} %c{n} %c{n}" for n in range(60)
    )
    start = "%t0 = OpTypeArray %int %2\n%c0 = OpConstantComposite %t0 %1 %1\n"
    with pytest.raises(lw.CompileError, match="needs more than 268435456 characters"):
        lw.compile(kernel("%r = OpIAdd %int %a %b", start + doubled))
    nested = "\n".join(f"%n{n + 1} = OpTypeArray %n{n} %1" for n in range(5000))
    with pytest.raises(lw.CompileError, match="is damaged"):
        lw.compile(kernel("%r = OpIAdd %int %a %b", f"%n0 = OpTypeInt 8 0\n{nested}\n%z = OpConstantNull %n5000"))


def test_sizes_that_grow_without_end() -> None:
    with pytest.raises(lw.CompileError, match="vectors of 4294967295 components"):
        lw.compile(kernel("%r = OpIAdd %int %a %b", "%wide = OpTypeVector %int 0xFFFFFFFF"))
    with pytest.raises(lw.CompileError, match="decorates itself"):
        lw.compile(
            changed(
                "%void = OpTypeVoid",
                "%group = OpDecorationGroup\nOpGroupDecorate %group %group %group\n%void = OpTypeVoid",
            )
        )
    named = "\n".join(f'OpName %v{n} "same"' for n in range(2000))
    variables = "\n".join(f"%v{n} = OpVariable %ints 5" for n in range(2000))
    text = spirv_program(kernel("%r = OpIAdd %int %a %b", variables, named))
    assert "@same.1999 = internal" in text


def test_a_kernel_that_is_called_by_its_name() -> None:
    """The form that SPIRV-LLVM-Translator gives a kernel: a function of its name, and one that calls it."""
    text = KERNEL.replace("BODY", "%r = OpIAdd %int %a %b").replace("DECLARATIONS", "")
    text = text.replace("%k =", "%inner =").replace("DECORATIONS", 'OpDecorate %inner 41 "k" 0')
    text += "%k = OpFunction %void 0 %type\n%x = OpFunctionParameter %ints\n%y = OpFunctionParameter %ints\n"
    text += "%z = OpFunctionParameter %ints\n%start = OpLabel\n"
    text += "%call = OpFunctionCall %void %inner %x %y %z\nOpReturn\nOpFunctionEnd"
    out = np.zeros(1, np.int32)
    lw.compile(assembled(text))["k"].ndrange(1)(out, np.array([2], np.int32), np.array([3], np.int32))
    assert out.tolist() == [5]


def test_names_are_any_text() -> None:
    named = changed("%void = OpTypeVoid", '%void = OpTypeVoid\nOpName %k "another\\nname"\nOpName %out "a\\qb%"')
    out = np.zeros(1, np.int32)
    lw.compile(named)["k"].ndrange(1)(out, np.array([2], np.int32), np.array([3], np.int32))
    assert out.tolist() == [5]


def test_changed_words_end_with_an_error_or_a_program() -> None:
    rng = random.Random(7)
    words, refused = np.frombuffer(GOOD, np.uint32), 0
    numbers = 0, 1, 5, 36, 255, 1 << 16, 0xFFFFFFFF
    for _ in range(120):
        damaged = words.copy()
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(5, len(words))] = rng.choice([*numbers, rng.getrandbits(32)])
        try:
            spirv_program(damaged.tobytes())
        except lw.CompileError:
            refused += 1
    assert refused > 60
