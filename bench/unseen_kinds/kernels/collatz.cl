// SPDX-License-Identifier: Apache-2.0

// The number of steps from each number to 1: half of an even number, three times an odd one and one more.
__kernel void collatz(__global uint *steps, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  uint number = i + 1, taken = 0;
  while (number != 1) {
    number = number & 1 ? 3 * number + 1 : number / 2;
    taken++;
  }
  steps[i] = taken;
}
