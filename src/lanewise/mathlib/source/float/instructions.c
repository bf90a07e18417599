// SPDX-License-Identifier: Apache-2.0
// Functions that every device has an instruction for.
#include "arithmetic.h"

PUBLIC float fabsf(float x) {
  return __builtin_fabsf(x);
}
PUBLIC float copysignf(float x, float y) {
  return __builtin_copysignf(x, y);
}
PUBLIC float floorf(float x) {
  return __builtin_floorf(x);
}
PUBLIC float ceilf(float x) {
  return __builtin_ceilf(x);
}
PUBLIC float truncf(float x) {
  return __builtin_truncf(x);
}
PUBLIC float rintf(float x) {
  return __builtin_rintf(x);
}
PUBLIC float nearbyintf(float x) {
  return __builtin_rintf(x);
}
PUBLIC float roundevenf(float x) {
  return __builtin_rintf(x);
}
PUBLIC float sqrtf(float x) {
  return __builtin_sqrtf(x);
}
