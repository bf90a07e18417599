// SPDX-License-Identifier: Apache-2.0

#define LENGTH 64

// The checksum of each message of LENGTH bytes, byte by byte by a table.
__kernel void crc32(__global uint *sums, __global const uchar *messages, __constant uint *table, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  uint sum = ~0u;
  for (int k = 0; k < LENGTH; k++)
    sum = table[(sum ^ messages[i * LENGTH + k]) & 255] ^ sum >> 8;
  sums[i] = ~sum;
}
