// SPDX-License-Identifier: Apache-2.0
// Conversions of 16-bit floats that compilers call where the processor has no instruction, and that old libraries of
// compilers lack. Rounded to nearest, ties to even.
#include "api.h"

namespace lw_cudart {

#define WEAK extern "C" __attribute__((visibility("default"), weak))

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class Half> static Half half_of(uint16_t bits) {
  Half half;
  memcpy(&half, &bits, sizeof half);
  return half;
}

static uint16_t bfloat_bits(float value) {
  uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>(bits >> 16 | 0x40); // a quiet NaN
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static uint16_t half_bits(float value) {
  uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) // rounds to what is too large
    return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < 0x38800000) { // a multiple of 2^-24, which adding 0.5 rounds to
    float shifted;
    memcpy(&shifted, &magnitude, sizeof shifted);
    return static_cast<uint16_t>(sign | (bits_of(shifted + 0.5f) - bits_of(0.5f)));
  }
  return static_cast<uint16_t>(sign | ((magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13));
}

static float value_of_half(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, magnitude = bits & 0x7fff, word;
  float value;
  if (magnitude < 0x400) { // a multiple of 2^-24
    value = static_cast<float>(magnitude) * 0x1p-24f;
    word = bits_of(value) | sign;
  } else {
    word = sign | ((magnitude << 13) + (magnitude < 0x7c00 ? 112u << 23 : 224u << 23));
  }
  memcpy(&value, &word, sizeof value);
  return value;
}

// To a float whose last bit says whether something was cut off, so that rounding it again gives what once gives.
static float cut_to_float(double value) {
  float near = static_cast<float>(value);
  if (static_cast<double>(near) == value || near != near || __builtin_isinf(near))
    return near;
  uint32_t bits = bits_of(near);
  if ((__builtin_fabs(static_cast<double>(near)) > __builtin_fabs(value)))
    --bits;
  bits |= 1;
  memcpy(&near, &bits, sizeof near);
  return near;
}

#ifdef __x86_64__
WEAK __bf16 __truncsfbf2(float value) { return half_of<__bf16>(bfloat_bits(value)); }
WEAK __bf16 __truncdfbf2(double value) { return half_of<__bf16>(bfloat_bits(cut_to_float(value))); }
WEAK _Float16 __truncsfhf2(float value) { return half_of<_Float16>(half_bits(value)); }
WEAK _Float16 __truncdfhf2(double value) { return half_of<_Float16>(half_bits(cut_to_float(value))); }
WEAK float __extendhfsf2(_Float16 half) {
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return value_of_half(bits);
}
#endif

#undef WEAK

} // namespace lw_cudart
