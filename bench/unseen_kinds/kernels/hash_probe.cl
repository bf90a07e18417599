// SPDX-License-Identifier: Apache-2.0

// Values of keys in a hash table with open addressing; 0 for keys that it hasn't.
__kernel void hash_probe(__global uint *values, __global const uint *wanted, __global const uint *keys,
                         __global const uint *stored, int bits, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  uint key = wanted[i], value = 0, mask = (1u << bits) - 1;
  for (uint at = key * 2654435769u >> (32 - bits); keys[at] != 0; at = (at + 1) & mask)
    if (keys[at] == key) {
      value = stored[at];
      break;
    }
  values[i] = value;
}
