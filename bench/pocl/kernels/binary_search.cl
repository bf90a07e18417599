// SPDX-License-Identifier: Apache-2.0
// The place of each key in a sorted array of unique numbers, or of the first one that is greater.
__kernel void binary_search(__global uint *places, __global const uint *sorted, __global const uint *keys, uint count) {
  uint key = keys[get_global_id(0)], low = 0, high = count;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  places[get_global_id(0)] = low;
}
