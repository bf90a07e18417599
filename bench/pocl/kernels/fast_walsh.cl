// SPDX-License-Identifier: Apache-2.0
// The Walsh-Hadamard transform of rows of 512 numbers in local memory, a work-group of 256 work-items per row.
__kernel void fast_walsh(__global float *out, __global const float *in, __local float *row, int length) {
  int own = get_local_id(0), half_length = length / 2, start = get_group_id(0) * length;
  row[own] = in[start + own];
  row[own + half_length] = in[start + own + half_length];
  for (int step = 1; step < length; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int group = own % step, first = 2 * step * (own / step) + group, second = first + step;
    float a = row[first], b = row[second];
    row[first] = a + b;
    row[second] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[start + own] = row[own];
  out[start + own + half_length] = row[own + half_length];
}
