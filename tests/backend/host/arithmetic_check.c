// SPDX-License-Identifier: Apache-2.0
// The compiled-in arithmetic with parameters that ctypes can pass: half precision and bfloat16 as their bits, 128-bit
// integers in memory.
#define LIBRARY
#include "../../../src/lanewise/backend/host/arithmetic.c"

#define EXPORT __attribute__((visibility("default")))

EXPORT void check_division(const u128 *a, const u128 *b, u128 *results) {
  results[0] = __udivti3(*a, *b);
  results[1] = __umodti3(*a, *b);
  results[2] = (u128)__divti3((i128)*a, (i128)*b);
  results[3] = (u128)__modti3((i128)*a, (i128)*b);
}

EXPORT void check_to_floating(const u128 *a, double *doubles, float *floats) {
  doubles[0] = __floatuntidf(*a), doubles[1] = __floattidf((i128)*a);
  floats[0] = __floatuntisf(*a), floats[1] = __floattisf((i128)*a);
}

EXPORT void check_from_floating(double a, u128 *results) {
  results[0] = __fixunsdfti(a), results[1] = (u128)__fixdfti(a);
  results[2] = __fixunssfti((float)a), results[3] = (u128)__fixsfti((float)a);
}

#define BITS(value)                                                                                              \
  ({                                                                                                             \
    unsigned short bits;                                                                                         \
    __typeof__(value) copy = (value);                                                                            \
    __builtin_memcpy(&bits, &copy, 2);                                                                           \
    bits;                                                                                                        \
  })

EXPORT void check_narrow(unsigned count, const float *floats, const double *doubles, unsigned short *results) {
  for (unsigned i = 0; i < count; ++i) {
    results[4 * i] = BITS(__truncsfhf2(floats[i]));
    results[4 * i + 1] = BITS(__truncdfhf2(doubles[i]));
    results[4 * i + 2] = BITS(__truncsfbf2(floats[i]));
    results[4 * i + 3] = BITS(__truncdfbf2(doubles[i]));
  }
}

EXPORT void check_widen(float *results) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    unsigned short narrow = (unsigned short)bits;
    _Float16 half;
    __builtin_memcpy(&half, &narrow, 2);
    results[bits] = __extendhfsf2(half);
  }
}

EXPORT double check_power(double base, int exponent) { return __powidf2(base, exponent); }
