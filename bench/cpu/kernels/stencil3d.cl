// SPDX-License-Identifier: Apache-2.0
__kernel void stencil3d(__global float *out, __global const float *in, int nx, int ny, int nz, float own, float next) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;
  int plane = nx * ny;
  int i = z * plane + y * nx + x;
  out[i] = own * in[i] + next * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane]);
}
