// SPDX-License-Identifier: Apache-2.0

// The least factor of each odd number from `first` on, or the number itself if it is prime.
__kernel void trial_division(__global uint *factors, uint first, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  uint number = first + 2 * i, factor = number;
  for (uint d = 3; d * d <= number; d += 2)
    if (number % d == 0) {
      factor = d;
      break;
    }
  factors[i] = factor;
}
