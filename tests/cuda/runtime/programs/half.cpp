// SPDX-License-Identifier: Apache-2.0
// Conversions of 16-bit floats that compilers call.
#include "kernels.h"

extern "C" {
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
float __extendhfsf2(_Float16 half);
__bf16 __truncsfbf2(float value);
__bf16 __truncdfbf2(double value);
}

template <class To, class From> static To bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "");
  To result;
  memcpy(&result, &value, sizeof result);
  return result;
}
static unsigned short half(float value) { return bits<unsigned short>(__truncsfhf2(value)); }
static unsigned short bfloat(float value) { return bits<unsigned short>(__truncsfbf2(value)); }
static float value_of(unsigned int h) { return __extendhfsf2(bits<_Float16>((unsigned short)h)); }

TEST(halves_go_there_and_back) {
  for (unsigned int h = 0; h < 0x10000; ++h)
    if ((h & 0x7fff) <= 0x7c00)
      EQUAL(half(value_of(h)), h);
    else
      CHECK(half(value_of(h)) & 0x200);
  CHECK(value_of(0x3c00) == 1 && value_of(1) == 0x1p-24f && value_of(0x7bff) == 65504);
}

TEST(what_lies_between_halves_is_rounded_to_the_even_one) {
  for (unsigned int h = 0; h < 0x7bff; ++h) {
    double low = value_of(h), high = value_of(h + 1), middle = (low + high) / 2;
    EQUAL(half((float)middle), h + (h & 1));
    EQUAL(bits<unsigned short>(__truncdfhf2(middle)), h + (h & 1));
    EQUAL(bits<unsigned short>(__truncdfhf2(-middle * (1 + 0x1p-50))), 0x8000 + h + 1);
    EQUAL(bits<unsigned short>(__truncdfhf2(middle * (1 - 0x1p-50))), h);
  }
  EQUAL(half(65519.99f), 0x7bff);
  EQUAL(half(65520), 0x7c00);
  EQUAL(half(1e30f), 0x7c00);
}

TEST(bfloats_are_the_upper_half_of_floats) {
  EQUAL(bfloat(1), 0x3f80);
  EQUAL(bfloat(-2.5f), 0xc020);
  EQUAL(bfloat(bits<float>(0x3f808000u)), 0x3f80);
  EQUAL(bfloat(bits<float>(0x3f818000u)), 0x3f82);
  EQUAL(bfloat(bits<float>(0x3f808001u)), 0x3f81);
  EQUAL(bfloat(bits<float>(0x7f7fffffu)), 0x7f80);
  EQUAL(bfloat(bits<float>(0x7f800001u)), 0x7fc0);
  EQUAL(bits<unsigned short>(__truncdfbf2(1 + 0x1p-8 + 0x1p-40)), 0x3f81);
  EQUAL(bits<unsigned short>(__truncdfbf2(1 + 0x1p-8)), 0x3f80);
}
