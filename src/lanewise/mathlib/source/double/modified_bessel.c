// SPDX-License-Identifier: Apache-2.0
// Modified Bessel functions of the first kind.
//
// Below 10 a polynomial of x^2, all of whose terms are positive; from there on e^(x - 8) / sqrt(x) times a polynomial
// of 1 / x, where x - 8 is exact, and 8 less than x delays the overflow of the power beyond that of the function. All
// are minimax for the relative error: 2^-62 below 10 and 2^-58 from 10 to 760.
#include "double/circle.h"
#include "double/exponential.h"

static const double ASYMPTOTIC = 10;

// A relative error of x^2 comes back in the result with a factor of up to 5, which is x^2 / (2 + 2 sqrt(1 + x^2)) to a
// tenth: enough to make good the rounding of the square.
PRIVATE double series(double x, const double *coefficients, i32 count) {
  pair square = two_product(x, x);
  double value = polynomial(square.high, coefficients, count);
  return mad(value / (2 + 2 * __builtin_sqrt(1 + square.high)), square.low, value);
}

PRIVATE double asymptotic(double x, const double *coefficients, i32 count) {
  double size = clamp(x, ASYMPTOTIC, 760);
  return exponential((pair){size - 8, 0}) * (polynomial(1 / size, coefficients, count) / __builtin_sqrt(size));
}

PUBLIC double cyl_bessel_i0(double x) {
  static const double SMALL[] = {
      0x1p0, 0x1p-2, 0x1.ffffffffffffep-7, 0x1.c71c71c71c748p-12, 0x1.c71c71c71c383p-18, 0x1.23456789ae933p-24,
      0x1.02e85c086d335p-31, 0x1.522a43f9f1697p-39, 0x1.522a43c03d7eap-47, 0x1.0b3134d3f04b0p-55, 0x1.560163cdea723p-64,
      0x1.69cc4f34f93bap-73, 0x1.4188a4f2a3a51p-82, 0x1.e7ea0a302d1cep-92, 0x1.3a7960d99941ep-101,
      0x1.82842c89bcdc1p-111, 0x1.fafa011e26cf5p-122, 0x1.29c7bc15a7139p-130,
  };
  static const double LARGE[] = {
      0x1.294ebb38dccbcp10, 0x1.294ebb38dd6e9p7, 0x1.4e78929e91501p6, 0x1.5c68424152781p6, 0x1.0ac1c43b9a065p7,
      0x1.0d18052b26d3bp8, 0x1.9e7ffe6c39cecp9, -0x1.8afadb1653b49p13, 0x1.fb984a317785ap19, -0x1.971938f7de30bp25,
      0x1.f03cf5a98498dp30, -0x1.ce42fcef5ba28p35, 0x1.4bc61f26193c2p40, -0x1.6f63b65917a1ep44, 0x1.38627c06de20dp48,
      -0x1.9335e14d9da07p51, 0x1.82f670f96dac5p54, -0x1.0ad072f08d555p57, 0x1.f2a0b0ead0719p58, -0x1.1a3eebd80ca12p60,
      0x1.23fe29a907e1cp60,
  };
  double size = __builtin_fabs(x);
  if (size < ASYMPTOTIC) return series(x, SMALL, sizeof(SMALL) / sizeof(*SMALL));
  return asymptotic(size, LARGE, sizeof(LARGE) / sizeof(*LARGE));
}

PUBLIC double cyl_bessel_i1(double x) {
  static const double SMALL[] = {
      0x1p-1, 0x1.fffffffffffffp-5, 0x1.555555555556cp-9, 0x1.c71c71c71c41dp-15, 0x1.6c16c16c19f96p-21,
      0x1.845c8a0ca421ap-28, 0x1.27e4fb7ad2776p-35, 0x1.522a43bca8726p-43, 0x1.2c975ba4879ffp-51, 0x1.ab81b8af8c026p-60,
      0x1.f1792255d3d32p-69, 0x1.e24b0d8e50275p-78, 0x1.8c7a6d9a1f6a2p-87, 0x1.12f43ba514a6ap-96,
      0x1.6b924e6a2a1e5p-106, 0x1.f2c3d0fa6ca21p-117, 0x1.3f7ecb0dd61dap-125,
  };
  static const double LARGE[] = {
      0x1.294ebb38dccbdp10, -0x1.bdf618d54b705p8, -0x1.16b9cf8513a43p7, -0x1.e7c528785d437p6, -0x1.56f9540e9e772p7,
      -0x1.48df9ddc6721cp8, -0x1.e9c222159810ap9, 0x1.c459046d2f47dp13, -0x1.1d6770834f39ap20, 0x1.c36dad5b8982fp25,
      -0x1.103a0bc56d810p31, 0x1.f6e816eab93a3p35, -0x1.6674816f20666p40, 0x1.8aa2ddc32b884p44, -0x1.4de3d7d4a8280p48,
      0x1.ad1d316b2187fp51, -0x1.9a4352d4d992cp54, 0x1.19ed505e05fb4p57, -0x1.06a370d0dcd8cp59, 0x1.288441555dd8ep60,
      -0x1.31fdf55c89e2bp60,
  };
  double size = __builtin_fabs(x);
  if (size < ASYMPTOTIC) return x * series(x, SMALL, sizeof(SMALL) / sizeof(*SMALL));
  return flip_sign(asymptotic(size, LARGE, sizeof(LARGE) / sizeof(*LARGE)), x);
}
