# SPDX-License-Identifier: Apache-2.0
"""Vectors, aggregates, casts, constants, intrinsics: single instructions on known operands."""

import math
from typing import Any

import numpy as np
import pytest

from .conftest import Evaluate, Make


def packed(*values: float, type_: Any = np.int32) -> bytes:
    return np.array(values, type_).tobytes()


@pytest.mark.parametrize(
    ("result", "lines", "wanted"),
    [
        ("<4 x i32>", "%r = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>", [11, 22, 33, 44]),
        ("<4 x i32>", "%r = sub <4 x i32> splat (i32 100), %a", [90, 80, 70, 60]),
        ("<4 x i32>", "%c = icmp sgt <4 x i32> %a, splat (i32 20)\n"
         "%r = select <4 x i1> %c, <4 x i32> %a, <4 x i32> zeroinitializer", [0, 0, 30, 40]),
        ("<2 x i32>", "%r = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 3, i32 1>", [40, 20]),
        ("<4 x i32>", "%r = insertelement <4 x i32> %a, i32 7, i64 2", [10, 20, 7, 40]),
        ("i32", "%r = extractelement <4 x i32> %a, i32 3", 40),
        ("i32", "%r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)", 100),
        ("<4 x float>", "%r = sitofp <4 x i32> %a to <4 x float>", [10.0, 20.0, 30.0, 40.0]),
        ("i8", "%c = icmp ugt <4 x i32> %a, splat (i32 20)\n%b = bitcast <4 x i1> %c to i4\n%r = zext i4 %b to i8", 12),
        ("i64", "%h = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 0, i32 1>\n"
         "%r = bitcast <2 x i32> %h to i64", 10 | 20 << 32),
        ("i32", "%i = insertvalue { i32, [2 x i32] } poison, i32 5, 1, 1\n"
         "%r = extractvalue { i32, [2 x i32] } %i, 1, 1", 5),
    ],
)  # fmt: skip
def test_vectors(evaluate: Evaluate, result: str, lines: str, wanted: Any) -> None:
    found = evaluate(
        result,
        lines,
        ("<4 x i32>", packed(10, 20, 30, 40)),
        declare="declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)",
    )
    assert found == wanted


@pytest.mark.parametrize(
    ("result", "lines", "wanted"),
    [
        ("i64", "%r = sext i32 -5 to i64", -5),
        ("i64", "%r = zext i32 -5 to i64", 0xFFFFFFFB),
        ("i32", "%c = icmp slt i32 %a, 9\n%r = sext i1 %c to i32", -1),
        ("i32", "%c = icmp slt i32 %a, 9\n%r = zext i1 %c to i32", 1),
        ("i8", "%t = trunc i32 383 to i8\n%r = add i8 %t, 0", 127),
        ("i16", "%t = trunc i32 40000 to i16\n%r = or i16 %t, 0", 40000 - 65536),
        ("i128", "%w = sext i32 %a to i128\n%s = shl i128 %w, 100\n%r = sub i128 %s, 1", (7 << 100) - 1),
        ("i32", "%n = trunc i32 %a to i3\n%r = sext i3 %n to i32", -1),
        ("float", "%w = sext i32 -3 to i64\n%r = uitofp i64 %w to float", float(np.float32(2**64 - 3))),
        ("i32", "%r = bitcast float 1.0 to i32", 0x3F800000),
        ("half", "%r = fptrunc double 0x3FF0020000000000 to half", 1.0),
        ("double", "%f = bitcast i32 1078530011 to float\n%r = fpext float %f to double", float(np.float32(math.pi))),
        ("i64", "%p = inttoptr i64 -16 to ptr\n%q = getelementptr i8, ptr %p, i64 4\n%r = ptrtoint ptr %q to i64", -12),
        ("i32", "%r = add i32 ptrtoint (ptr getelementptr ({ i8, i64, i32 }, ptr null, i64 1, i32 2) to i32), 0", 40),
    ],
)
def test_casts(evaluate: Evaluate, result: str, lines: str, wanted: Any) -> None:
    assert evaluate(result, lines, ("i32", 7)) == wanted


@pytest.mark.parametrize(
    ("result", "call", "wanted"),
    [
        ("i32", "abs.i32(i32 -5, i1 true)", 5),
        ("i32", "smin.i32(i32 -5, i32 3)", -5),
        ("i32", "umin.i32(i32 -5, i32 3)", 3),
        ("i32", "umax.i32(i32 -5, i32 3)", -5),
        ("i32", "bitreverse.i32(i32 1)", -(1 << 31)),
        ("i32", "bswap.i32(i32 305419896)", 0x78563412),
        ("i32", "ctpop.i32(i32 -1)", 32),
        ("i32", "ctlz.i32(i32 1, i1 false)", 31),
        ("i32", "ctlz.i32(i32 0, i1 false)", 32),
        ("i64", "cttz.i64(i64 48, i1 true)", 4),
        ("i32", "fshl.i32(i32 1, i32 -2147483648, i32 33)", 3),
        ("i32", "fshr.i32(i32 1, i32 2, i32 1)", 1 - (1 << 31)),
        ("i32", "fshl.i32(i32 9, i32 5, i32 0)", 9),
        ("i32", "fshr.i32(i32 9, i32 5, i32 32)", 5),
        ("i8", "sadd.sat.i8(i8 100, i8 100)", 127),
        ("i8", "ssub.sat.i8(i8 -100, i8 100)", -128),
        ("i8", "usub.sat.i8(i8 3, i8 100)", 0),
        ("i8", "uadd.sat.i8(i8 -56, i8 100)", -1),
        ("i8", "scmp.i8.i32(i32 -1, i32 1)", -1),
        ("i8", "ucmp.i8.i32(i32 -1, i32 1)", 1),
        ("i32", "nvvm.prmt(i32 67305985, i32 134678021, i32 29040)", 0x08020601 - 0x00000600 + 0x00000800),
        ("i32", "nvvm.mulhi.i(i32 -2147483648, i32 4)", -2),
        ("i32", "nvvm.mulhi.ui(i32 -1, i32 -1)", -2),
        ("float", "fabs.f32(float -2.5)", 2.5),
        ("float", "copysign.f32(float 2.5, float -0.0)", -2.5),
        ("float", "sqrt.f32(float 2.0)", float(np.sqrt(np.float32(2)))),
        ("double", "fma.f64(double 0x3FF0000000000001, double 0x3FF0000000000001, double -1.0)", 2.0**-51 + 2.0**-104),
        ("float", "minnum.f32(float 0x7FF8000000000000, float 3.0)", 3.0),
        ("float", "roundeven.f32(float 2.5)", 2.0),
        ("float", "round.f32(float 2.5)", 3.0),
        ("i32", "fptosi.sat.i32.f32(float 0x46293E5940000000)", 2**31 - 1),
        ("double", "ldexp.f64.i32(double 3.0, i32 -1075)", 2 * 2.0**-1074),
        ("float", "powi.f32.i32(float 2.0, i32 -3)", 0.125),
        ("i64", "llround.i64.f64(double -2.5)", -3),
        ("i64", "lrint.i64.f64(double -2.5)", -2),
        ("float", "exp2.f32(float 3.0)", 8.0),
        ("double", "pow.f64(double 2.0, double 0.5)", math.sqrt(2)),
        ("i32", "expect.i32(i32 4, i32 5)", 4),
    ],
)
def test_intrinsics(evaluate: Evaluate, result: str, call: str, wanted: Any) -> None:
    name, _, operands = call.partition("(")
    types = ", ".join(o.split()[0] for o in operands.rstrip(")").split(", "))
    found = evaluate(result, f"%r = call {result} @llvm.{call}", declare=f"declare {result} @llvm.{name}({types})")
    assert found == wanted


@pytest.mark.parametrize(
    ("operation", "a", "b", "result", "overflows"),
    [("sadd", 100, 27, 127, 0), ("sadd", 100, 28, -128, 1), ("uadd", -1, 1, 0, 1), ("usub", 1, 2, -1, 1),
     ("smul", 16, 8, -128, 1), ("umul", 15, 17, -1, 0), ("ssub", -128, 1, 127, 1)],
)  # fmt: skip
def test_operations_that_tell_of_overflow(
    evaluate: Evaluate, operation: str, a: int, b: int, result: int, overflows: int
) -> None:
    name = f"@llvm.{operation}.with.overflow.i8"
    found = evaluate(
        "<2 x i8>",
        f"%o = call {{ i8, i1 }} {name}(i8 %a, i8 %b)\n%v = extractvalue {{ i8, i1 }} %o, 0\n"
        "%c = extractvalue { i8, i1 } %o, 1\n%w = zext i1 %c to i8\n"
        "%x = insertelement <2 x i8> poison, i8 %v, i32 0\n%r = insertelement <2 x i8> %x, i8 %w, i32 1",
        ("i8", a),
        ("i8", b),
        declare=f"declare {{ i8, i1 }} {name}(i8, i8)",
    )
    assert found == [result, overflows]


def test_initialisers(ir: Make) -> None:
    kernels = ir(
        r"""
%pair = type { i8, ptr }
@text = constant [4 x i8] c"a\\\0A\00"
@target = addrspace(1) global i64 77
@pairs = addrspace(1) global [2 x %pair] [%pair { i8 1, ptr null },
  %pair { i8 -2, ptr addrspacecast (ptr addrspace(1) @target to ptr) }]
define ptx_kernel void @k(ptr %out, ptr %letters) {
  %at = getelementptr [2 x %pair], ptr addrspace(1) @pairs, i64 0, i64 1
  %field = getelementptr %pair, ptr addrspace(1) %at, i32 0, i32 1
  %p = load ptr, ptr addrspace(1) %field, align 8
  %v = load i64, ptr %p, align 8
  %c = load i8, ptr addrspace(1) %at, align 1
  %w = sext i8 %c to i64
  %sum = add i64 %v, %w
  store i64 %sum, ptr %out, align 8
  %letter = load i32, ptr @text, align 1
  store i32 %letter, ptr %letters, align 4
  ret void
}
""".replace(",\n  %pair", ", %pair")
    )
    out, letters = np.zeros(1, np.int64), np.zeros(4, np.uint8)
    kernels("k", out, letters)
    assert out[0] == 75
    assert letters.tobytes() == b"a\\\n\0"


def test_packed_structs(cuda: Make) -> None:
    kernels = cuda("""
struct __attribute__((packed)) P { char c; int i; double d; };
__global__ void k(P *p) { p[1].i = p[0].i + 1; p[1].d = 2.5; p[1].c = 3; }
""")
    content = np.zeros(2, np.dtype([("c", "i1"), ("i", "<i4"), ("d", "<f8")]))
    content["i"][0] = 41
    kernels("k", content)
    assert content.tolist() == [(0, 41, 0.0), (3, 42, 2.5)]


def test_masked_accesses(ir: Make) -> None:
    kernels = ir(
        """
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
define ptx_kernel void @k(ptr %out, ptr %in) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %in, <4 x i1> <i1 1, i1 0, i1 1, i1 0>,
                                                  <4 x i32> splat (i32 -1))
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %out, <4 x i1> <i1 1, i1 1, i1 0, i1 0>)
  ret void
}
""".replace(",\n                                                  <4", ", <4")
        .replace("i1 1", "i1 true")
        .replace("i1 0", "i1 false")
    )
    out = np.zeros(2, np.int32)
    kernels("k", out, np.array([5, 6, 7], np.int32))
    assert out.tolist() == [5, -1]


def test_address_spaces_of_addresses(cuda: Make) -> None:
    kernels = cuda("""
__constant__ int fixed = 1;
__device__ int where(const void *p) {
    return __isGlobal(p) + 2 * __isShared(p) + 4 * __isConstant(p) + 8 * __isLocal(p);
}
__global__ void k(int *out) {
    __shared__ int s;
    int own = 0;
    out[0] = where(out); out[1] = where(&s); out[2] = where(&fixed); out[3] = where(&own);
}
""")
    out = np.zeros(4, np.int32)
    kernels("k", out)
    assert out.tolist() == [1, 2, 4, 8]
