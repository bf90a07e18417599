// SPDX-License-Identifier: Apache-2.0

#define STEPS 32

// Runs a small program per work-item: operations of three bits, each with the next number.
__kernel void bytecode(__global uint *results, __global const uchar *programs, __global const uint *numbers,
                       int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  uint value = i, kept = 1;
  for (int step = 0; step < STEPS; step++) {
    uint number = numbers[step * count + i];
    switch (programs[step * count + i] & 7) {
    case 0: value += number; break;
    case 1: value -= number; break;
    case 2: value *= number | 1; break;
    case 3: value ^= number; break;
    case 4: value = rotate(value, number & 31); break;
    case 5: value = min(value, number); break;
    case 6: kept = value; break;
    default: value += kept; break;
    }
  }
  results[i] = value;
}
