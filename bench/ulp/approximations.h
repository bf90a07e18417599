// SPDX-License-Identifier: Apache-2.0
// Models of a GPU's approximate instructions: the number farthest from the exact result that the stated error allows, on
// the side that is asked for. The errors are those of src/lanewise/mathlib/source/hardware/instructions.h.
double exp2(double), log2(double);
float nextafterf(float, float);

typedef enum { EXP2, LOG2, RECIPROCAL, ROOT, RECIPROCAL_ROOT, RECIPROCAL_64, RECIPROCAL_ROOT_64 } instruction;

// A bit for each instruction: set where its results are too great. Above them, `AT_RANDOM`: any side, by the argument's
// bits. `used` gets the bits of what was called.
enum { AT_RANDOM = 1 << 16 };
static _Thread_local int directions, used;

static int upwards(instruction which, double x) {
  used |= 1 << which;
  if (directions & AT_RANDOM)
    return __builtin_parityll(bits(x) * 0x9e3779b97f4a7c15u >> 40);
  return directions >> which & 1;
}

static float flushed(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }

static int is_limit(double exact) { return exact == 0 || !(exact - exact == 0); }

// So many ulp of the exact result from the correctly rounded one.
static float ulps_off(instruction which, double x, double exact, int count) {
  float result = (float)exact;
  if (is_limit(exact) || is_limit(result))
    return result;
  double ulp = from_bits(bits(exact) & 0x7ff0000000000000u) * 0x1p-23;
  ulp = ulp < 0x1p-149 ? 0x1p-149 : ulp;
  double disturbed = result + (upwards(which, x) ? count : -count) * ulp;
  return disturbed * exact < 0 ? 0 : (float)disturbed;
}

// The float next to exact +- error on the side of `exact`.
static float error_off(instruction which, double x, double exact, double error) {
  if (is_limit(exact))
    return (float)exact;
  double disturbed = upwards(which, x) ? exact + error : exact - error;
  float result = (float)disturbed;
  if (__builtin_fabs(result - exact) > error)
    result = nextafterf(result, (float)exact > result ? INFINITYF : -INFINITYF);
  return result;
}

static float approximate_exp2f(float x) {
  double exact = exp2(x);
  if (x == 0)
    return 1;
  if (x < -2 || x > 2)
    return ulps_off(EXP2, x, exact, 2);
  double ulp = from_bits(bits(exact) & 0x7ff0000000000000u) * 0x1p-23;
  if (x < 0 && exact == 1)
    ulp /= 2; // the exact result is less than 1, though no double tells
  // Below, errors on an H100.
  return error_off(EXP2, x, exact, ulp * (x > 0 ? 1.40 : 2.06));
}
static float approximate_exp2_flushedf(float x) { return flushed(approximate_exp2f(flushed(x))); }
static float saturatedf(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
// For an integer c, and sums from 2^23 to 2^24, where floats are integers.
static float madf_down(float a, float b, float c) { return (float)(__builtin_floor((double)a * b) + c); }
static float approximate_log2_flushedf(float x) {
  x = flushed(x);
  double exact = log2(x);
  return error_off(LOG2, x, exact, x > 0.5f && x < 2.0f ? 0x1p-22 : __builtin_fabs(exact) * 0x1p-22);
}
static float approximate_reciprocal_flushedf(float x) {
  x = flushed(x);
  return flushed(ulps_off(RECIPROCAL, x, 1.0 / x, 1));
}
static float approximate_root_flushedf(float x) {
  x = flushed(x);
  double exact = __builtin_sqrt(x);
  return error_off(ROOT, x, exact, exact * 0x1p-23);
}
static float approximate_reciprocal_rootf(float x) {
  double exact = 1 / __builtin_sqrt(x);
  return error_off(RECIPROCAL_ROOT, x, exact, exact * 0x1.125fbep-23); // 2^-22.9
}
static float approximate_reciprocal_root_flushedf(float x) { return approximate_reciprocal_rootf(flushed(x)); }

// Of arguments and results, the upper 32 bits.
static double upper_half(double x) { return from_bits(bits(x) & 0xffffffff00000000u); }
static double disturbed_half(instruction which, double x, double exact) {
  if (is_limit(exact))
    return exact;
  double result = upper_half(exact * (upwards(which, x) ? 1 + 0x1p-18 : 1 - 0x1p-18));
  return __builtin_fabs(result) < 0x1p-1022 ? __builtin_copysign(0.0, result) : result;
}
static double flushed_half(double x) {
  return __builtin_fabs(x) < 0x1p-1022 ? __builtin_copysign(0.0, x) : x - x == 0 ? upper_half(x) : x;
}
static double approximate_reciprocal(double x) { return disturbed_half(RECIPROCAL_64, x, 1 / flushed_half(x)); }
static double approximate_reciprocal_root(double x) {
  return disturbed_half(RECIPROCAL_ROOT_64, x, 1 / __builtin_sqrt(flushed_half(x)));
}
