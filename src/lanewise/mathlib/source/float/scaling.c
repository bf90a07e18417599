// SPDX-License-Identifier: Apache-2.0
// Scaling by a power of two, for functions of this library. Processors with an instruction for it take that
// (passes/scale_in_one_instruction.py).
#include "float/exponential.h"
#include "float/parts.h"

// In two steps, of which only the second can round.
PUBLIC float __lw_scale_by_power_of_twof(float value, float shifted) {
  u32 exponent = bits_f(shifted) << 23; // n where a float has its exponent
  u32 half = (u32)((i32)exponent >> 1) & 0xff800000;
  return value * from_bits_f(0x3f800000 + half) * from_bits_f(0x3f800000 + (exponent - half));
}

// Rounded once: up to the last multiplication, the number has an exponent in the range of normal numbers.
PUBLIC float __lw_load_exponentf(float x, int n) {
  parts x_parts = take_apart(x);
  i32 shift = n < -400 ? -400 : n > 400 ? 400 : n;
  i32 exponent = x_parts.exponent + shift;
  i32 near = exponent < -126 ? exponent + 64 : exponent;
  near = near < -126 ? -126 : near > 127 ? 127 : near;
  float significand = from_bits_f(x_parts.significand);
  float scaled = significand * power_of_twof(near) * (exponent < -126 ? 0x1p-64f : exponent > 127 ? 2.0f : 1.0f);
  return has_parts(x) ? scaled : x + x;
}
