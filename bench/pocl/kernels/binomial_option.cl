// SPDX-License-Identifier: Apache-2.0
// The price of a European call by a binomial tree, a work-group per option and a work-item per leaf. The tree is folded
// up in local memory, with two barriers for each level.
__kernel void binomial_option(__global float *prices, __global const float *stock, __local float *values, int steps) {
  int own = get_local_id(0);
  float start = stock[get_group_id(0)], strike = 0.9f * start + 5.0f;
  float dt = 1.0f / steps, jump = 0.3f * sqrt(dt), rise = exp(jump), fall = 1.0f / rise;
  float growth = exp(0.02f * dt), up = (growth - fall) / (rise - fall), down = 1.0f - up, discount = 1.0f / growth;
  values[own] = fmax(start * exp(jump * (2.0f * own - steps)) - strike, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = steps; level > 0; level--) {
    float folded = 0.0f;
    if (own < level)
      folded = discount * (up * values[own + 1] + down * values[own]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < level)
      values[own] = folded;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own == 0)
    prices[get_group_id(0)] = values[0];
}
