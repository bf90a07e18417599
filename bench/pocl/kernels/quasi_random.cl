// SPDX-License-Identifier: Apache-2.0
// Sobol's numbers: the XOR of the direction numbers that the bits of a place in the sequence choose, a dimension a row.
__kernel void quasi_random(__global float *out, __global const uint *directions, int bits) {
  uint place = get_global_id(0), dimension = get_global_id(1), value = 0;
  for (int bit = 0; bit < bits; bit++)
    value ^= (place >> bit & 1) * directions[dimension * bits + bit];
  out[dimension * get_global_size(0) + place] = value * 0x1p-32f;
}
