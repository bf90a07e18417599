// SPDX-License-Identifier: Apache-2.0
// Bessel functions of the first and the second kind.
#include "double/bessel_pieces.h"
#include "double/circle.h"
#include "double/logarithm.h"

// From here on, the functions are given by their modulus and phase.
static const double OSCILLATING = 10;

static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double QUARTER_PI = 0x1.921fb54442d18p-1, QUARTER_PI_TAIL = 0x1.1a62633145c07p-55;

typedef struct {
  double j, y;
} bessel_pair;

// J and Y of order 0 or 1 for finite x >= 10: the cosine and the sine of
// x - (2 order + 1) pi / 4 + advance(1 / x^2) / x, times modulus(1 / x^2) / sqrt(x). One cosine in place of the
// textbook's sum of two products keeps zeros accurate. Source: Harrison, Fast and accurate Bessel function computation
// (2009), section 3. All four polynomials are minimax for x from 10 to 10000: the errors are 2^-58 relative in the
// modulus and 2^-63 absolute in the phase.
PRIVATE bessel_pair oscillating(double x, u32 order) {
  static const double MODULUS[2][11] = {
      {0x1.9884533d43651p-1, -0x1.9884533d415e4p-5, 0x1.524d94ddf4423p-4, -0x1.bb860edf68628p-2, 0x1.2aa3a02cf0d6bp2,
       -0x1.546a44dbb23eep6, 0x1.209ed17323493p11, -0x1.3744c5530c8c2p16, 0x1.52c38f8467d28p21, -0x1.18cdeb4507e35p26,
       0x1.dd0c90f5a9159p29},
      {0x1.9884533d43651p-1, 0x1.32633e6df1f95p-3, -0x1.3bf65857e9d71p-3, 0x1.48fa4048e6f65p-1, -0x1.8b3664c1d8594p2,
       0x1.a6e7baa2c33a5p6, -0x1.590ddda90697ep11, 0x1.6b9d8e7777a75p16, -0x1.86add12f22e78p21, 0x1.41a474a664ebcp26,
       -0x1.103580f3943f3p30}};
  static const double ADVANCE[2][13] = {
      {-0x1p-3, 0x1.0aaaaaaaaa5a6p-4, -0x1.ad33332f8b787p-3, 0x1.a35844f0b907dp0, -0x1.7798db573296bp4,
       0x1.0bb47c922edafp9, -0x1.14f1b8183f5fcp14, 0x1.7c07e243a6089p19, -0x1.2ee080703a132p25, 0x1.d6046dc70b414p30,
       -0x1.278ecacb69e28p36, 0x1.f00fb210aac1ap40, -0x1.8fd1206576052p44},
      {0x1.8p-2, -0x1.4fffffffffd34p-3, 0x1.7bcccccac40c0p-2, -0x1.2f486b606497bp1, 0x1.e9fa8b7b7630bp4,
       -0x1.4976ed0f3fbe4p9, 0x1.489c0a3523d5fp14, -0x1.b84ace3dbd314p19, 0x1.59b5d963c6dd9p25, -0x1.09ee6f5f6cd9fp31,
       0x1.4cd0c95983f73p36, -0x1.16811698d9a4bp41, 0x1.c027a983865ccp44}};
  double inverse = 1 / x, square = inverse * inverse;
  double modulus = POLYNOMIAL(square, MODULUS[order]) / __builtin_sqrt(x);
  double advance = POLYNOMIAL(square, ADVANCE[order]) * inverse;

  // Less pi / 4, or where that would leave the first octant, a right angle less and pi / 4 more.
  reduced_angle whole = reduce_angle(x);
  pair advanced = two_sum(whole.rest.high, advance);
  u32 negative = advanced.high < 0;
  pair shifted = two_sum(advanced.high, negative ? QUARTER_PI : -QUARTER_PI);
  double tail = shifted.low + (advanced.low + (whole.rest.low + (negative ? QUARTER_PI_TAIL : -QUARTER_PI_TAIL)));
  pair rest = fast_two_sum(shifted.high, tail);
  u32 quadrant = whole.quadrant - negative - order;

  pair sine = sine_near_zero(rest), cosine = cosine_near_zero(rest);
  return (bessel_pair){modulus * turn_sine(sine, cosine, quadrant + 1),
                       modulus * turn_sine(sine, cosine, quadrant)};
}

// What Y gives where it isn't a number above -infinity; `result` elsewhere.
PRIVATE double with_special_bessel_y(double x, double result) {
  double special = x == 0 ? -INFINITY : x < 0 ? NAN : x == INFINITY ? 0 : x;
  return x > 0 && x < INFINITY ? result : special;
}

PRIVATE double log_of_small(double x) {
  pair sum = natural_logarithm(x);
  return sum.high + sum.low;
}

// At infinity J is 0.
PUBLIC double j0(double x) {
  double size = __builtin_fabs(x);
  double result = size == INFINITY ? 0 : size;
  if (size < OSCILLATING)
    result = ON_PIECES(size, J0);
  else if (size < INFINITY)
    result = oscillating(size, 0).j;
  return result;
}

PUBLIC double j1(double x) {
  double size = __builtin_fabs(x);
  double result = size == INFINITY ? 0 : x;
  if (size < OSCILLATING)
    result = flip_sign(ON_PIECES(size, J1), x);
  else if (size < INFINITY)
    result = flip_sign(oscillating(size, 1).j, x);
  return result;
}

// Below 0.75, Y0(x) = 2 / pi log(x) J0(x) + R(x^2), where the error of R is 2^-66 of Y0.
PUBLIC double y0(double x) {
  static const double R[] = {-0x1.2e4d699cbd01fp-4, 0x1.6bbcb41034286p-3,  -0x1.075b1bbf41349p-6, 0x1.1a6206b7b70d5p-11,
                             -0x1.3e99793e6e883p-17, 0x1.bce49fffa59a8p-24, -0x1.a6e8c5442118ap-31,
                             0x1.20b5270759c5ap-38};
  double result;
  if (x >= OSCILLATING)
    result = oscillating(x < INFINITY ? x : OSCILLATING, 0).y;
  else if (x >= 0.75)
    result = ON_PIECES(x, Y0);
  else
    result = mad(TWO_OVER_PI * log_of_small(x), ON_PIECES(x, J0), POLYNOMIAL(x * x, R));
  return with_special_bessel_y(x, result);
}

// Below 1.7, Y1(x) = 2 / pi (log(x) J1(x) - 1 / x) + x R(x^2), where the error of R is 2^-61 of Y1.
PUBLIC double y1(double x) {
  static const double R[] = {-0x1.91866143cbc8ap-3, 0x1.bd3975c75b493p-5,  -0x1.835b97894b840p-9,
                             0x1.2c7dbffcc211bp-14, -0x1.0a780abe11bd9p-20, 0x1.32e5a12226c60p-27,
                             -0x1.f0cc60e8746a8p-35, 0x1.2a0905f24de7cp-42, -0x1.0925da5086b9dp-50};
  double result;
  if (x >= OSCILLATING)
    result = oscillating(x < INFINITY ? x : OSCILLATING, 1).y;
  else if (x >= 1.7)
    result = ON_PIECES(x, Y1);
  else
    result = mad(TWO_OVER_PI * log_of_small(x), ON_PIECES(x, J1), x * POLYNOMIAL(x * x, R)) - TWO_OVER_PI / x;
  return with_special_bessel_y(x, result);
}

// Where x is far above the square of the order, a step of the recurrence only swaps the functions and a sign, and four
// come back to the start.
PRIVATE u32 steps_to(u32 order, double x) { return (double)order * order * 0x1p54 < x ? order & 3 : order; }

// The function of an order from those of orders 0 and 1, by f(k + 1) = 2 k / x f(k) - f(k - 1), which is stable where
// it doesn't lead into a decline: to J for orders below x, to Y for all. Y ends at -infinity. Takes a step an order.
PRIVATE double forward(double first, double second, u32 order, double x) {
  double last = first, current = second;
  u32 steps = steps_to(order, x);
  for (u32 k = 1; k < steps && current > -INFINITY; k++) {
    double next = mad(2.0 * k / x, current, -last);
    last = current;
    current = next;
  }
  return steps == 0 ? first : current;
}

// J of an order above x and at least 2, for 2^-537 <= x and orders below 2000 or 2 x, by the recurrence backward, where
// J is what grows most: from an order so high that what it lacks is 2^-60 of J, with a factor that J0 or J1 gives.
// Source: Miller, in British Association Mathematical Tables, volume X (1952).
PRIVATE double backward(double first, double second, u32 order, double x) {
  u32 start = order;
  for (double last = 0, current = 1; current < 0x1p30; start++) {
    double next = mad(2.0 * start / x, current, -last);
    last = current;
    current = next;
  }
  // Multiplied by 2^-600 when above 2^400, so that a factor of up to 2^549 is no overflow.
  double above = 0, current = 1, wanted = 0;
  i32 rescaled = 0;
  for (u32 k = start; k > 0; k--) {
    double below = mad(2.0 * k / x, current, -above);
    u32 large = __builtin_fabs(below) > 0x1p400;
    above = large ? current * 0x1p-600 : current;
    current = large ? below * 0x1p-600 : below;
    rescaled += large & (k <= order);
    wanted = k == order + 1 ? current : wanted;
  }
  double result = __builtin_fabs(first) > __builtin_fabs(second) ? wanted / current * first : wanted / above * second;
  for (i32 i = 0; i < rescaled; i++)
    result *= 0x1p-600;
  return result;
}

// An order of 2000 or more and above 2 x gives less than (e / 4)^order, which is 0.
PUBLIC double jn(int n, double x) {
  u32 order = n < 0 ? 0u - (u32)n : (u32)n;
  double size = __builtin_fabs(x), first = j0(size), second = j1(size);
  double result = first + second;  // NaN, or where order isn't 0 and x is 0 or infinite
  if (order <= 1)
    result = order == 0 ? first : second;
  else if (size < 0x1p-537 || size == INFINITY || (order >= 2000 && order >= 2 * size))
    result = 0;
  else if (order <= size)
    result = forward(first, second, order, size);
  else if (order > size)
    result = backward(first, second, order, size);
  u32 negative = (n < 0) ^ (u32)(bits(x) >> 63);
  return order & negative && size < INFINITY ? -result : result;
}

PUBLIC double yn(int n, double x) {
  u32 order = n < 0 ? 0u - (u32)n : (u32)n;
  double result = x == INFINITY ? 0 : forward(y0(x), y1(x), order, x);
  return order & (n < 0) && x < INFINITY ? -result : result;
}
