# SPDX-License-Identifier: Apache-2.0
"""Absolute differences that `sum-absolute-differences` rewrites: what integers give, in PTX and in theory."""

import numpy as np
import pytest

import lanewise as lw

z3 = pytest.importorskip("z3")

FORMS = (
    ("__sad(x, y, c)", np.int32),
    ("__usad(x, y, c)", np.uint32),
    ("abs(low_x - low_y) + c", np.uint8),
    ("c + abs((short)x - (short)y)", np.int16),
    ("(low_x > low_y ? low_x - low_y : low_y - low_x) + c", np.uint8),
)
PART = """
    {
        unsigned x = a[NUMBER * n + i], y = b[NUMBER * n + i], c = 7 * i;
        unsigned char low_x = x, low_y = y;
        out[NUMBER * n + i] = FORM;
    }
"""
SOURCE = f"""
extern "C" __global__ void distances(unsigned *out, const unsigned *a, const unsigned *b, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {"".join(PART.replace("NUMBER", str(number)).replace("FORM", form) for number, (form, _) in enumerate(FORMS))}
}}
"""


def test_sums_are_exact():
    edges = np.array([0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 2**31 - 1, 2**31, 2**32 - 1], np.uint32)
    a, b = (each.ravel() for each in np.meshgrid(edges, edges))
    program = lw.compile(SOURCE, language="cuda")
    out = np.zeros((len(FORMS), len(a)), np.uint32)
    arrays = (out, np.tile(a, len(FORMS)), np.tile(b, len(FORMS)))
    program["distances"].launch(len(a) // 48, 48, (*arrays, len(a)), device="simt")
    for found, (_, type_) in zip(out, FORMS, strict=True):
        x, y = (each.astype(type_).astype(np.int64) for each in (a, b))
        np.testing.assert_array_equal(found, np.abs(x - y).astype(np.uint32) + 7 * np.arange(len(a), dtype=np.uint32))
    ptx = program.ptx("sm_80")
    assert (ptx.count("sad.s32"), ptx.count("sad.u32")) == (3, 2)
    assert not any(f"{word}.{kind}" in ptx for word in ("abs", "min", "max") for kind in ("s16", "u16", "s32", "u32"))


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_absolute_values_and_choices_are_distances(bits: int):
    a, b = z3.BitVecs("a b", bits)
    difference = a - b
    wide = z3.SignExt(1, a) - z3.SignExt(1, b)
    does_not_wrap = wide == z3.SignExt(1, difference)
    absolute = z3.If(difference < 0, -difference, difference)
    signed, unsigned = z3.If(a < b, b - a, a - b), z3.If(z3.ULT(a, b), b - a, a - b)
    claims = [z3.Implies(does_not_wrap, absolute == signed)]
    for distance, greater, not_less in ((signed, a > b, a >= b), (unsigned, z3.UGT(a, b), z3.UGE(a, b))):
        claims += [z3.If(greater, a - b, b - a) == distance, z3.If(not_less, a - b, b - a) == distance]
    solver = z3.Solver()
    solver.add(z3.Not(z3.And(claims)))
    assert solver.check() == z3.unsat, solver.model()
