// SPDX-License-Identifier: Apache-2.0

// The first place in a sorted table whose number isn't below a key, for each key.
__kernel void lookup(__global int *places, __global const float *keys, __global const float *table, int size,
                     int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  float key = keys[i];
  int from = 0;
  for (int step = size / 2; step > 0; step /= 2)
    if (table[from + step - 1] < key)
      from += step;
  places[i] = from + (table[from] < key);
}
