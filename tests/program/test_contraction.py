# SPDX-License-Identifier: Apache-2.0
"""Products and sums are rounded together in the same places on every device."""

import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import lanewise as lw
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.device.cpu import machine_code
from lanewise.device.reference import device as reference_device

SOURCE = """
struct Pair { float x, y; };
__device__ float squared(float x) { return x * x; }
__device__ Pair operator*(Pair p, Pair q) { return {p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x}; }

__global__ void forms(float *out, float a, float b, float c) {
    float product = a * b, both = a * c, assigned;
    assigned = a * a;
    assigned += c;
    out[0] = a * b + c;
    out[1] = c - a * b;
    out[2] = -(a * b) - c;
    out[3] = product - c;
    out[4] = a * b - b * c;
    out[5] = both + c;
    out[6] = both;
    out[7] = squared(a) - c;
    out[8] = assigned;
    out[9] = fmaf(a, b, -c);
    out[10] = __fadd_rn(__fmul_rn(a, b), c);
    Pair square = Pair{a, b} * Pair{b, c};
    out[11] = square.x;
    out[12] = square.y;
    float sum = 0;
    for (int i = 0; i < 5; ++i)
        sum += a * out[i];
    out[13] = sum;
}
"""
COUNT = 14
A, B, C = (float(np.float32(value)) for value in (5.31, 3.75, 3.95))


def rounded(exact: Fraction) -> Fraction:
    """To float; nothing here is near the ends of its range."""
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** (exponent - 23)
    return round(exact / unit) * unit


def expected(fused: bool) -> list[float]:
    a, b, c = map(Fraction, (A, B, C))
    product = (lambda exact: exact) if fused else rounded  # on its way into a sum

    def fma(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
        return rounded(product(x * y) + z)

    out = [
        fma(a, b, c), fma(-a, b, c), fma(-a, b, -c), fma(a, b, -c), fma(a, b, -rounded(b * c)),
        rounded(rounded(a * c) + c), rounded(a * c), rounded(rounded(a * a) - c), rounded(rounded(a * a) + c),
        rounded(a * b - c), rounded(rounded(a * b) + c),
        fma(a, b, -rounded(b * c)), fma(a, c, rounded(b * b)),
    ]  # fmt: skip
    total = Fraction(0)
    for value in out[:5]:
        total = fma(a, value, total)
    return [float(value) for value in (*out, total)]


def results(options: list[str], device: str, source: str = SOURCE) -> list[float]:
    out = np.zeros(COUNT, np.float32)
    lw.compile(source, language="cuda", options=options)["forms"].launch(1, 1, (out, A, B, C), device=device)
    return out.tolist()


def instructions(ptx: str) -> Counter[str]:
    return Counter(re.findall(r"^\t((?:fma|mul|add|sub)\.\S*f(?:16x?2?|32|64))\b", ptx, re.MULTILINE))


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(
    ("options", "fused"),
    [([], True), (["-fmad=true"], True), (["-fmad=false"], False), (["-ffp-contract=off"], False)],
    ids=lambda value: str(value),
)
def test_devices_round_where_the_pass_says(options: list[str], fused: bool, device: str):
    assert results(options, device) == expected(fused and has_fused_multiply_add())


def test_the_expectations_tell_the_two_apart():
    fused, plain = expected(True), expected(False)
    assert [i for i in range(COUNT) if fused[i] != plain[i]] == [0, 1, 2, 3, 4, 11, 12, 13]


def test_within_statements_only_where_the_language_is_asked_to():
    """C's rule: `product - c` is another statement than `a * b`."""
    on = results(["-ffp-contract=on"], "cpu")
    assert on == results(["-ffp-contract=on"], "reference")
    fused, plain = expected(has_fused_multiply_add()), expected(False)
    assert (on[0], on[3]) == (fused[0], plain[3])


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_hosts_without_the_instruction_round_twice(device: str, monkeypatch: pytest.MonkeyPatch):
    for module in (machine_code, reference_device):
        monkeypatch.setattr(module, "has_fused_multiply_add", lambda: False)
    # A source of its own, as the cache takes it that a processor stays what it is.
    assert results([], device, SOURCE + "// without\n") == expected(False)


def test_ptx_has_the_same_decisions_and_leaves_none_to_ptxas():
    """PTX without a rounding, `mul.f32`, is what ptxas may fuse (PTX ISA, "Floating Point Instructions: add")."""
    source = SOURCE.replace("float *out", "float *__restrict__ out")
    module = lw.compile(source, language="cuda")
    ptx = instructions(module.ptx())
    assert set(ptx) == {"fma.rn.f32", "mul.rn.f32", "add.rn.f32", "sub.rn.f32"}
    unfused = instructions(lw.compile(source, language="cuda", options=["-fmad=false"]).ptx())
    assert set(unfused) == {"fma.rn.f32", "mul.rn.f32", "add.rn.f32", "sub.rn.f32"}
    assert unfused["fma.rn.f32"] == 1  # fmaf
    assert ptx["fma.rn.f32"] == ir_count(module)


def ir_count(module: lw.Module) -> int:
    """Fused operations of the kernel on the CPU."""
    return len(re.findall(r"call .*float @llvm\.fma\.f32\(", module.ir("simplify")))


@pytest.mark.parametrize("arch", ["sm_52", "sm_80", "sm_100"])
@pytest.mark.parametrize("kind", ["float", "double", "_Float16", "__bf16", "float4"])
def test_no_format_and_no_target_leaves_a_product_to_ptxas(kind: str, arch: str):
    vector = "typedef float float4v __attribute__((ext_vector_type(4)));\n"
    name = "float4v" if kind == "float4" else kind
    source = f"{vector}__global__ void k({name} *p) {{ p[0] = p[1] * p[2] + p[3]; p[4] = p[5] * p[6]; p[7] -= p[8]; }}"
    ptx = lw.compile(source, language="cuda", arch=arch).ptx(arch)
    found = re.findall(r"^\t((?:fma|mul|add|sub)\.\S*f\d\S*)", ptx, re.MULTILINE)
    assert found
    assert all(".rn" in instruction for instruction in found), found


OPENCL = """
__kernel void fused(__global float *out, float a, float b, float c) {
    float2 sum = (float2)(a, b) * (float2)(b, c) + (float2)(c, a);
    out[0] = a * b + c;
    out[1] = sum.x;
    out[2] = mad(a, b, c);
}
__kernel void apart(__global float *out, float a, float b, float c) {
    #pragma OPENCL FP_CONTRACT OFF
    float product = a * b;
    out[0] = a * b + c;
    out[1] = product + c;
    out[2] = out[0];
}
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_opencl_c_contracts_expressions_unless_it_is_told_not_to(device: str):
    module = lw.compile(OPENCL, language="opencl")
    product, c = Fraction(A) * Fraction(B), Fraction(C)
    once, twice = float(rounded(product + c)), float(rounded(rounded(product) + c))
    assert once != twice
    for kernel, wanted in (("fused", once if has_fused_multiply_add() else twice), ("apart", twice)):
        out = np.zeros(3, np.float32)
        module[kernel].launch(1, 1, (out, A, B, C), device=device)
        assert out.tolist() == [wanted] * 3, kernel
    assert instructions(module.ptx()).keys() == {"fma.rn.f32", "mul.rn.f32", "add.rn.f32"}
