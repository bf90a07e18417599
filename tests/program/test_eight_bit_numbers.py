# SPDX-License-Identifier: Apache-2.0
"""Numbers of 8 bits: each conversion against a table of all numbers, to the nearest, ties to even."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#include <cuda_fp8.h>
__global__ void from_halves(unsigned char *out, const unsigned short *in, int finite, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw x;
  x.x = in[i];
  out[i] = __nv_cvt_halfraw_to_fp8(x, (__nv_saturation_t)finite, (__nv_fp8_interpretation_t)kind);
}
__global__ void from_bfloats(unsigned char *out, const unsigned short *in, int finite, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_bfloat16_raw x;
  x.x = in[i];
  out[i] = __nv_cvt_bfloat16raw_to_fp8(x, (__nv_saturation_t)finite, (__nv_fp8_interpretation_t)kind);
}
__global__ void from_doubles(unsigned char *out, const double *in, int finite, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __nv_cvt_double_to_fp8(in[i], (__nv_saturation_t)finite, (__nv_fp8_interpretation_t)kind);
}
__global__ void to_halves(unsigned short *out, const unsigned char *in, int kind) {
  int i = threadIdx.x;
  out[i] = __nv_cvt_fp8_to_halfraw(in[i], (__nv_fp8_interpretation_t)kind).x;
}
template <class Four> __global__ void fours(float4 *out, float4 *in) {
  Four x(in[threadIdx.x]);
  out[threadIdx.x] = (float4)x;
}
template __global__ void fours<__nv_fp8x4_e4m3>(float4 *, float4 *);
template __global__ void fours<__nv_fp8x4_e5m2>(float4 *, float4 *);
__global__ void integers(int *out, unsigned char *codes) {
  out[0] = (int)__nv_fp8_e4m3(-77), out[1] = (unsigned char)__nv_fp8_e4m3(300), out[2] = (bool)__nv_fp8_e5m2(1e-9);
  out[3] = (int)(float)__nv_fp8_e5m2(1000000000000000000ll), out[4] = (short)__nv_fp8_e5m2(-60000.0f);
  codes[0] = __nv_fp8_e4m3((__half)1.0f).__x, codes[1] = __nv_fp8_e5m2((__nv_bfloat16)-0.0f).__x;
}
"""


class Format(NamedTuple):
    kind: int
    exponent_bits: int
    fraction_bits: int
    finite: int
    """Number of codes of finite numbers that are not negative."""
    beyond: int

    def values(self) -> np.ndarray:
        """The finite numbers that are not negative, by code."""
        codes = np.arange(self.finite)
        exponent, fraction = codes >> self.fraction_bits, codes & ((1 << self.fraction_bits) - 1)
        least = 2 - (1 << (self.exponent_bits - 1))
        scaled = np.where(exponent == 0, fraction, fraction + (1 << self.fraction_bits)).astype(np.float64)
        return np.ldexp(scaled, np.maximum(exponent, 1) - 1 + least - self.fraction_bits)

    def codes(self, numbers: np.ndarray, finite: bool) -> np.ndarray:
        """The codes of the nearest numbers."""
        values = self.values()
        values = np.append(values, 2 * values[-1] - values[-2])  # the first that is too large
        middles = (values[1:] + values[:-1]) / 2
        size = np.abs(numbers)
        found = np.searchsorted(middles, size)  # at a middle, the lower one
        ties = (found < len(middles)) & (middles[np.minimum(found, len(middles) - 1)] == size) & (found % 2 == 1)
        found = found + ties
        over = found >= self.finite
        found = np.where(over, self.finite - 1 if finite else self.beyond, found) | np.signbit(numbers) * 0x80
        return np.where(np.isnan(numbers), 0x7F, found).astype(np.uint8)


E4M3 = Format(0, 4, 3, 0x7F, 0x7F)
E5M2 = Format(1, 5, 2, 0x7C, 0x7C)
FORMATS = pytest.mark.parametrize("format_", [E4M3, E5M2], ids=["e4m3", "e5m2"])
ALL = np.arange(1 << 16, dtype=np.uint16)


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def test_the_table_is_that_of_the_specification():
    assert (E4M3.values()[-1], E4M3.values()[1], E4M3.values()[8]) == (448, 2.0**-9, 2.0**-6)
    assert (E5M2.values()[-1], E5M2.values()[1], E5M2.values()[4]) == (57344, 2.0**-16, 2.0**-14)


@FORMATS
@pytest.mark.parametrize("finite", [0, 1])
def test_sixteen_bits_become_the_nearest_number(module: lw.Module, format_: Format, finite: int):
    out = np.zeros(1 << 16, np.uint8)
    module["from_halves"][256, 256](out, ALL, finite, format_.kind)
    assert (out == format_.codes(ALL.view(np.float16).astype(np.float64), bool(finite))).all()
    module["from_bfloats"][256, 256](out, ALL, finite, format_.kind)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        bfloats = (ALL.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    assert (out == format_.codes(bfloats, bool(finite))).all()


@FORMATS
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_doubles_round_once(module: lw.Module, format_: Format, device: str):
    values = format_.values()
    middles = (values[1:] + values[:-1]) / 2
    near = np.concatenate([np.nextafter(middles, 0), middles, np.nextafter(middles, np.inf), [5e-324, np.inf, np.nan]])
    numbers = np.concatenate([near, -near])
    numbers = np.resize(numbers, -(-len(numbers) // 64) * 64)
    out = np.zeros(len(numbers), np.uint8)
    module["from_doubles"].launch(len(numbers) // 64, 64, (out, numbers, 1, format_.kind), device=device)
    assert (out == format_.codes(numbers, True)).all()


@FORMATS
def test_halves_have_each_number(module: lw.Module, format_: Format):
    out = np.zeros(256, np.uint16)
    codes = np.arange(256, dtype=np.uint8)
    module["to_halves"][1, 256](out, codes, format_.kind)
    halves = out.view(np.float16).astype(np.float64)
    finite = (codes & 0x7F) < format_.finite
    wanted = np.where(codes & 0x80, -1.0, 1.0) * format_.values()[np.minimum(codes & 0x7F, format_.finite - 1)]
    assert (halves[finite] == wanted[finite]).all()
    assert (np.signbit(halves[finite]) == (codes[finite] >= 0x80)).all()
    rest = halves[~finite]
    assert (np.isinf(rest) == ((codes[~finite] & 0x7F) == 0x7C)).all()
    assert (np.isinf(rest) | np.isnan(rest)).all()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_fours_and_integers(module: lw.Module, device: str):
    given = np.array([[1.06, -500, 1e9, 0.001]], np.float32)
    out = np.zeros((1, 4), np.float32)
    module["fours<__nv_fp8x4_e4m3>"].launch(1, 1, (out, given), device=device)
    assert out.tolist() == [[1.0, -448, 448, 2.0**-9]]
    module["fours<__nv_fp8x4_e5m2>"].launch(1, 1, (out, given), device=device)
    assert out.tolist() == [[1.0, -512, 57344, 2.0**-10]]
    numbers, codes = np.zeros(5, np.int32), np.zeros(2, np.uint8)
    module["integers"].launch(1, 1, (numbers, codes), device=device)
    assert numbers.tolist() == [-80, 255, 0, 57344, -32768]
    assert codes.tolist() == [0x38, 0x80]
