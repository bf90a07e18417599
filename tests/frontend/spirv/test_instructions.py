# SPDX-License-Identifier: Apache-2.0
"""Instructions of SPIR-V that compilers rarely write, each in a kernel of its own, against Python's numbers."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.spirv.translate import spirv_program

from .assembler import assembled, kernel

A = np.array([7, -7, 7, -7, 0x12345678, 1 << 30], np.int32)
B = np.array([3, 3, -3, -3, 5, 1 << 30], np.int32)

PAIR = "%pair = OpTypeStruct %int %int"
VECTORS = "%zero2 = OpConstantNull %int2\n%nothing = OpUndef %int3"


TURNED = """
OpCapability 6
OpCapability 4
OpCapability 13
OpCapability 20
OpMemoryModel 2 2
OpEntryPoint 6 %k "turned"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%float4 = OpTypeVector %float 4
%in = OpTypeImage %void 1 0 0 0 0 0 0
%out = OpTypeImage %void 1 0 0 0 0 0 1
%both = OpTypeSampledImage %in
%samplers = OpTypeSampler
%sampler = OpConstantSampler %samplers 0 0 0
%1 = OpConstant %int 1
%2 = OpConstant %int 2
%nil = OpConstant %float 0f
%first = OpConstantComposite %int2 %1 %1
%second = OpConstantComposite %int2 %2 %1
%nought = OpConstant %int 0
%third = OpConstantComposite %int2 %2 %nought
%type = OpTypeFunction %void %in %out
%k = OpFunction %void 0 %type
%source = OpFunctionParameter %in
%target = OpFunctionParameter %out
%entry = OpLabel
%pair = OpSampledImage %both %source %sampler
%x = OpImageSampleExplicitLod %float4 %pair %third 0x4002 %nil
%y = OpImageRead %float4 %source %second 0x4000
OpImageWrite %target %first %y 0x4000
OpImageWrite %target %second %x 0x4000
OpReturn
OpFunctionEnd
"""
"""A kernel that writes to (1, 1) what it reads at (2, 1), and to (2, 1) what it samples at (2, 0)."""


def high_half(a: int, b: int) -> int:
    return a * b >> 32


def signed(a: int) -> int:
    """A number by its low 32 bits."""
    return ((a & 0xFFFFFFFF) ^ 1 << 31) - (1 << 31)


def unsigned(a: int) -> int:
    return a & 0xFFFFFFFF


CASES: dict[str, tuple[str, str, Callable[[int, int], int]]] = {
    "SRem": ("%r = OpSRem %int %a %b", "", lambda a, b: int(math.fmod(a, b))),
    "SMod": ("%r = OpSMod %int %a %b", "", lambda a, b: a % b),
    "UMod": ("%r = OpUMod %int %a %b", "", lambda a, b: unsigned(a) % unsigned(b)),
    "FMod": (
        "%x = OpConvertSToF %float %a\n%y = OpConvertSToF %float %b\n%z = OpFMod %float %x %y\n"
        "%r = OpConvertFToS %int %z",
        "",
        lambda a, b: int(np.fmod(np.float32(a), np.float32(b)) + (np.float32(b) if a * b < 0 and a % b else 0)),
    ),
    "FRem": (
        "%x = OpConvertSToF %float %a\n%y = OpConvertSToF %float %b\n%z = OpFRem %float %x %y\n"
        "%r = OpConvertFToS %int %z",
        "",
        lambda a, b: int(np.fmod(np.float32(a), np.float32(b))),
    ),
    "IAddCarry": (
        "%s = OpIAddCarry %pair %a %b\n%r = OpCompositeExtract %int %s 1",
        PAIR,
        lambda a, b: int(unsigned(a) + unsigned(b) > 0xFFFFFFFF),
    ),
    "ISubBorrow": (
        "%s = OpISubBorrow %pair %a %b\n%r = OpCompositeExtract %int %s 1",
        PAIR,
        lambda a, b: int(unsigned(a) < unsigned(b)),
    ),
    "SMulExtended": ("%s = OpSMulExtended %pair %a %b\n%r = OpCompositeExtract %int %s 1", PAIR, high_half),
    "UMulExtended": (
        "%s = OpUMulExtended %pair %a %b\n%r = OpCompositeExtract %int %s 1",
        PAIR,
        lambda a, b: high_half(unsigned(a), unsigned(b)),
    ),
    "BitFieldInsert": (
        "%r = OpBitFieldInsert %int %a %b %4 %3",
        "",
        lambda a, b: a & ~(7 << 4) | (b & 7) << 4,
    ),
    "BitFieldSExtract": (
        "%r = OpBitFieldSExtract %int %a %2 %4",
        "",
        lambda a, _: ((a >> 2 & 15) ^ 8) - 8,
    ),
    "BitFieldUExtract": ("%r = OpBitFieldUExtract %int %a %2 %4", "", lambda a, _: a >> 2 & 15),
    "BitReverse": ("%r = OpBitReverse %int %a", "", lambda a, _: int(f"{unsigned(a):032b}"[::-1], 2)),
    "BitCount of another width": (
        "%w = OpSConvert %long %a\n%r = OpBitCount %int %w",
        "",
        lambda a, _: bin(a & (1 << 64) - 1).count("1"),
    ),
    "shifts by another width": (
        "%w = OpUConvert %char %2\n%s = OpShiftRightArithmetic %int %a %w\n%r = OpShiftLeftLogical %int %s %w",
        "",
        lambda a, _: a >> 2 << 2,
    ),
    "shifts by constants with more bits than count": (
        "%s = OpShiftLeftLogical %int %a %35\n%t = OpShiftRightArithmetic %int %s %long33\n"
        "%r = OpShiftRightLogical %int %t %minus31",
        "%35 = OpConstant %int 35\n%long33 = OpConstant %long 33 1\n%minus31 = OpConstant %int -31",
        lambda a, _: unsigned(signed(a << 3) >> 1) >> 1,
    ),
    "ExpectKHR": (
        "%x = OpExpectKHR %int %a %7\n%v = OpCompositeConstruct %int2 %a %b\n%w = OpExpectKHR %int2 %v %zero2\n"
        "%y = OpCompositeExtract %int %w 1\n%r = OpISub %int %x %y",
        f"{VECTORS}\n%7 = OpConstant %int 7",
        lambda a, b: a - b,
    ),
    "AssumeTrueKHR": (
        "%c = OpIEqual %bool %a %a\nOpAssumeTrueKHR %c\n%r = OpIAdd %int %a %1",
        "",
        lambda a, _: a + 1,
    ),
    "VectorShuffle of two lengths": (
        "%v = OpCompositeConstruct %int3 %a %b %3\n%w = OpCompositeConstruct %int2 %4 %2\n"
        "%s = OpVectorShuffle %int4 %v %w 4 0xFFFFFFFF 1 3\n%x = OpCompositeExtract %int %s 0\n"
        "%y = OpCompositeExtract %int %s 2\n%z = OpCompositeExtract %int %s 3\n%p = OpIMul %int %x %y\n"
        "%r = OpIAdd %int %p %z",
        "",
        lambda _, b: 2 * b + 4,
    ),
    "CompositeConstruct of vectors": (
        "%v = OpCompositeConstruct %int2 %a %b\n%w = OpCompositeConstruct %int4 %v %4 %3\n"
        "%d = OpCompositeInsert %int4 %2 %w 0\n%x = OpVectorExtractDynamic %int %d %1\n"
        "%y = OpCompositeExtract %int %d 2\n%z = OpCompositeExtract %int %d 0\n%p = OpIAdd %int %x %y\n"
        "%r = OpIAdd %int %p %z",
        "",
        lambda _, b: b + 6,
    ),
    "CompositeInsert deep inside": (
        "%s = OpCompositeConstruct %nest %pairs %b\n%t = OpCompositeInsert %nest %a %s 0 1 1\n"
        "%x = OpCompositeExtract %int %t 0 1 1\n%y = OpCompositeExtract %int %t 0 0 1\n%r = OpISub %int %x %y",
        f"{PAIR}\n%array = OpTypeArray %pair %2\n%nest = OpTypeStruct %array %int\n"
        "%one = OpConstantComposite %pair %3 %4\n%pairs = OpConstantComposite %array %one %one",
        lambda a, _: a - 4,
    ),
    "CopyLogical of structures in an array": (
        "%p = OpCompositeConstruct %pair %a %b\n%s = OpCompositeConstruct %pairs %p %p\n"
        "%t = OpCopyLogical %others %s\n%x = OpCompositeExtract %int %t 1 0\n"
        "%y = OpCompositeExtract %int %t 0 1\n%r = OpISub %int %x %y",
        f"{PAIR}\n%other = OpTypeStruct %int %int\n%pairs = OpTypeArray %pair %2\n%others = OpTypeArray %other %2",
        lambda a, b: a - b,
    ),
    "Bitcast of a pointer and a vector": (
        "%v = OpBitcast %int2 %b.at\n%p = OpBitcast %ints %v\n%x = OpLoad %int %p 2 4\n"
        "%w = OpBitcast %long %b.at\n%q = OpBitcast %ints %w\n%y = OpLoad %int %q 2 4\n%r = OpIAdd %int %x %y",
        "",
        lambda _, b: 2 * b,
    ),
    "Select, All, Any": (
        "%v = OpCompositeConstruct %int2 %a %b\n%c = OpSLessThan %bool2 %v %zero2\n%x = OpAll %bool %c\n"
        "%y = OpAny %bool %c\n%s = OpSelect %int %x %4 %0\n%t = OpSelect %int %y %2 %0\n%r = OpIAdd %int %s %t",
        f"%bool2 = OpTypeVector %bool 2\n{VECTORS}",
        lambda a, b: 4 * (a < 0 and b < 0) + 2 * (a < 0 or b < 0),
    ),
    "classes of numbers": (
        "%x = OpConvertSToF %float %a\n%n = OpFDiv %float %x %nil\n%i = OpIsInf %bool %n\n%m = OpFMul %float %n %nil\n"
        "%q = OpIsNan %bool %m\n%g = OpSignBitSet %bool %n\n%s = OpSelect %int %i %4 %0\n%t = OpSelect %int %q %2 %0\n"
        "%u = OpSelect %int %g %1 %0\n%v = OpIAdd %int %s %t\n%r = OpIAdd %int %v %u",
        "%nil = OpConstant %float 0.0f",
        lambda a, _: 6 + (a < 0),
    ),
    "PtrDiff": (
        "%o = OpInBoundsPtrAccessChain %ints %at %4\n%d = OpPtrDiff %long %o %at\n%r = OpUConvert %int %d",
        "",
        lambda _, __: 4,
    ),
    "CopyMemorySized": (
        "%m = OpVariable %mine 7\n%n = OpBitcast %mine %m\nOpCopyMemorySized %n %a.at %4 2 4\n%r = OpLoad %int %m 2 4",
        "%mine = OpTypePointer 7 %int",
        lambda a, _: a,
    ),
    "AtomicCompareExchange": (
        "%x = OpAtomicCompareExchange %int %b.at %1 %0 %0 %4 %3\n%y = OpAtomicIIncrement %int %b.at %1 %0\n"
        "%r = OpIMul %int %x %y",
        "",
        lambda _, b: b * (4 if b == 3 else b),
    ),
    "UMin of memory": (
        "%x = OpAtomicUMin %int %b.at %1 %0 %4\n%y = OpAtomicLoad %int %b.at %1 %0\n%r = OpIAdd %int %x %y",
        "",
        lambda _, b: b + min(unsigned(b), 4),
    ),
    "a variable's address": (
        "%n = OpInBoundsAccessChain %lane %gid %0\n%w = OpLoad %long %n 2 8\n%r = OpUConvert %int %w",
        "%lane = OpTypePointer 1 %long",
        lambda a, b: next(i for i in range(6) if A[i] == a and B[i] == b),
    ),
    "a phi of two equal edges": (
        "%w = OpSConvert %long %a\nOpSelectionMerge %end 0\nOpSwitch %w %end 7 0 %end -7 -1 %other\n%other = OpLabel\n"
        "OpBranch %end\n%end = OpLabel\n%r = OpPhi %int %1 %entry %2 %other",
        "",
        lambda a, _: 2 if a == -7 else 1,
    ),
    "specialized constants": (
        "%r = OpIMul %int %a %both",
        "%s = OpSpecConstant %int -8\n%t = OpSpecConstantOp %int 135 %s %3\n%yes = OpSpecConstantTrue %bool\n"
        "%both = OpSpecConstantOp %int 169 %yes %t %4",
        lambda a, _: a * -2,
    ),
    "signs in OpenCL.std": (
        "%x = OpExtInst %int %std 156 %a %b\n%y = OpExtInst %int %std 157 %a %b\n%r = OpISub %int %x %y",
        "",
        lambda a, b: max(a, b) - max(unsigned(a), unsigned(b)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_instruction(name: str) -> None:
    body, declarations, wanted = CASES[name]
    out = np.zeros(len(A), np.int32)
    lw.compile(kernel(body, declarations))["k"].ndrange(len(A), 3, device="reference")(out, A.copy(), B.copy())
    expected = [wanted(int(a), int(b)) for a, b in zip(A, B, strict=True)]
    assert out.tolist() == np.array([unsigned(number) for number in expected], np.uint32).astype(np.int32).tolist()


@pytest.mark.parametrize(
    ("operation", "decoration", "written"),
    [
        ("OpIAdd %int %a %1", 4469, "add nsw i32"),
        ("OpISub %int %a %1", 4470, "sub nuw i32"),
        ("OpShiftLeftLogical %int %a %1", 0, "shl i32"),
        ("OpIMul %int %a %3", 4469, "mul nsw i32"),
    ],
)
def test_arithmetic_that_never_overflows(operation: str, decoration: int, written: str) -> None:
    """NoSignedWrap and NoUnsignedWrap are promises to the compiler, which the reference device holds a kernel to."""
    module = lw.compile(kernel(f"%r = {operation}", "", f"OpDecorate %r {decoration}" if decoration else ""))
    assert written in module.ir()
    given, out = np.array([7, 0x7FFFFFFF], np.int32), np.zeros(2, np.int32)
    module["k"].ndrange(1, 1, device="reference")(out, given, given)
    assert out[0] == {"add": 8, "sub": 6, "shl": 14, "mul": 21}[written[:3]]
    if "nsw" in written:
        with pytest.raises(lw.Error):
            module["k"].ndrange(2, 1, device="reference")(out, given, given)


def test_a_variable_that_other_modules_may_have_too() -> None:
    """LinkOnceODR, by which the linker takes one of them."""
    body = "%x = OpLoad %int %kept 2 4\n%r = OpIAdd %int %x %a\nOpStore %kept %r 2 4"
    data = kernel(body, "%kept = OpVariable %ints 5 %4", 'OpDecorate %kept 41 "kept" 2')
    module, out, given = lw.compile(data), np.zeros(1, np.int32), np.array([10], np.int32)
    for wanted in (14, 24):
        module["k"].ndrange(1)(out, given, given)
        assert out[0] == wanted
    assert "@kept = linkonce_odr addrspace(1) global i32 4" in spirv_program(data)


def test_images_that_are_read_and_written_once() -> None:
    """The operand Nontemporal of a sampled read, of one without a sampler, and of a write says nothing here."""
    images = lw.compile(assembled(TURNED))
    given, found = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    images["turned"].ndrange(1)(lw.Image(given.reshape(2, 4)), lw.Image(found.reshape(2, 4)))
    assert found.tolist() == [0, 0, 0, 0, 0, 6, 2, 0]


def test_a_kernel_on_every_device() -> None:
    body, declarations, wanted = CASES["CompositeInsert deep inside"]
    module = lw.compile(kernel(body, declarations))
    for device in ("cpu", "simt"):
        out = np.zeros(len(A), np.int32)
        module["k"].ndrange(len(A), 3, device=device)(out, A, B)
        assert out.tolist() == [wanted(int(a), 0) for a in A]
