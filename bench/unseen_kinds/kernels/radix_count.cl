// SPDX-License-Identifier: Apache-2.0

// Counts of each digit of four bits among 64 numbers of each work-item.
__kernel void radix_count(__global uint *counts, __global const uint *in, int shift, int items) {
  int i = get_global_id(0);
  uint own[16] = {0};
  for (int k = 0; k < 64; k++)
    own[in[k * items + i] >> shift & 15]++;
  for (int digit = 0; digit < 16; digit++)
    counts[digit * items + i] = own[digit];
}
