// SPDX-License-Identifier: Apache-2.0
#define POINTS 256
#define STAGES 8

// Each work-group transforms POINTS complex numbers: J. Cooley and J. Tukey, radix 2, in place after a bit reversal.
__kernel void fft(__global float2 *out, __global const float2 *in, __global const float2 *roots) {
  __local float2 values[POINTS];
  int own = get_local_id(0), first = get_group_id(0) * POINTS;
  for (int i = own; i < POINTS; i += POINTS / 2) {
    int reversed = 0;
    for (int bit = 0; bit < STAGES; bit++)
      reversed |= ((i >> bit) & 1) << (STAGES - 1 - bit);
    values[reversed] = in[first + i];
  }
  for (int stage = 0; stage < STAGES; stage++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int distance = 1 << stage;
    int place = own & (distance - 1);
    int left = 2 * own - place, right = left + distance;
    float2 root = roots[place << (STAGES - 1 - stage)];
    float2 a = values[left], b = values[right];
    float2 turned = (float2)(root.x * b.x - root.y * b.y, root.x * b.y + root.y * b.x);
    values[left] = a + turned;
    values[right] = a - turned;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = own; i < POINTS; i += POINTS / 2)
    out[first + i] = values[i];
}
