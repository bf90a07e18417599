// SPDX-License-Identifier: Apache-2.0
// Functions that every device has an instruction for.
#include "arithmetic.h"

PUBLIC double fabs(double x) {
  return __builtin_fabs(x);
}
PUBLIC double copysign(double x, double y) {
  return __builtin_copysign(x, y);
}
PUBLIC double floor(double x) {
  return __builtin_floor(x);
}
PUBLIC double ceil(double x) {
  return __builtin_ceil(x);
}
PUBLIC double trunc(double x) {
  return __builtin_trunc(x);
}
PUBLIC double rint(double x) {
  return __builtin_rint(x);
}
PUBLIC double nearbyint(double x) {
  return __builtin_rint(x);
}
PUBLIC double roundeven(double x) {
  return __builtin_rint(x);
}
