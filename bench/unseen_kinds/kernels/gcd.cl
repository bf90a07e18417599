// SPDX-License-Identifier: Apache-2.0

// The greatest common divisor of each pair of numbers.
__kernel void gcd(__global uint *out, __global const uint *a, __global const uint *b, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  uint x = a[i], y = b[i];
  while (y != 0) {
    uint rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}
