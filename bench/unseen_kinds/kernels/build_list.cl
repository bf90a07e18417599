// SPDX-License-Identifier: Apache-2.0

// The places of the bits that are set in each word, one after the other from where an array says.
__kernel void build_list(__global ushort *list, __global const int *starts, __global const uint *words, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  int at = starts[i];
  uint word = words[i];
  for (int bit = 0; bit < 32; bit++)
    if (word >> bit & 1)
      list[at++] = (i & 1023) * 32 + bit;
}
