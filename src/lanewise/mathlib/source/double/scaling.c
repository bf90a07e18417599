// SPDX-License-Identifier: Apache-2.0
// Scaling by a power of two, for functions of this library. Processors with an instruction for it take that
// (passes/scale_in_one_instruction.py).
#include "double/exponential.h"
#include "double/parts.h"

// By two powers, each within range.
PUBLIC double __lw_scale_by_power_of_two(double x, double n) {
  u64 biased_twice = bits(n + (ROUNDER + 2046)), biased = biased_twice >> 1;
  return x * from_bits(biased << 52) * from_bits((biased_twice - biased) << 52);
}

// Rounded once: up to the last multiplication, the number has an exponent in the range of normal numbers.
PUBLIC double __lw_load_exponent(double x, int n) {
  parts x_parts = take_apart(x);
  i32 shift = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  i32 exponent = x_parts.exponent + shift;
  i32 near = exponent < -1022 ? exponent + 64 : exponent;
  near = near < -1022 ? -1022 : near > 1023 ? 1023 : near;
  double significand = from_bits(x_parts.significand);
  double scaled = significand * power_of_two(near) * (exponent < -1022 ? 0x1p-64 : exponent > 1023 ? 2.0 : 1.0);
  return has_parts(x) ? scaled : x + x;
}
