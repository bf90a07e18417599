// SPDX-License-Identifier: Apache-2.0

#define REACTIONS 12

// Rates at which substances change in each cell, by Arrhenius' law, with native functions.
__kernel void reaction_rates(__global float *changes, __global const float *temperatures, __global const float *amounts,
                             __constant float *factors, int cells) {
  int i = get_global_id(0);
  if (i >= cells)
    return;
  float temperature = temperatures[i], inverse = native_recip(temperature), warmth = native_log(temperature);
  float amount[4], change[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; k++)
    amount[k] = amounts[k * cells + i];
  for (int r = 0; r < REACTIONS; r++) {
    float rate = native_exp(factors[3 * r] + factors[3 * r + 1] * warmth - factors[3 * r + 2] * inverse);
    int from = r & 3, with = (r >> 1) & 3, to = (r + 1) & 3;
    rate *= amount[from] * native_sqrt(amount[with]);
    change[from] -= rate;
    change[to] += rate;
  }
  for (int k = 0; k < 4; k++)
    changes[k * cells + i] = change[k];
}
