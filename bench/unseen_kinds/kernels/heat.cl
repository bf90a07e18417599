// SPDX-License-Identifier: Apache-2.0
#define WIDTH 32
#define HEIGHT 4

// A step of heat conduction. A work-group has a column of the volume, whose slices pass through a tile in local memory,
// with a halo of one cell; those above and below stay in registers. Outside of the volume it is as cold as at its border.
__kernel void heat(__global float *out, __global const float *in, int width, int height, int depth, float rate) {
  __local float tile[HEIGHT + 2][WIDTH + 2];
  int i = get_local_id(0), j = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1), slice = width * height;
  float below = in[y * width + x], here = below;
  for (int z = 0; z < depth; z++) {
    float above = z + 1 < depth ? in[(z + 1) * slice + y * width + x] : here;
    tile[j + 1][i + 1] = here;
    if (i == 0)
      tile[j + 1][0] = x > 0 ? in[z * slice + y * width + x - 1] : here;
    if (i == WIDTH - 1)
      tile[j + 1][WIDTH + 1] = x < width - 1 ? in[z * slice + y * width + x + 1] : here;
    if (j == 0)
      tile[0][i + 1] = y > 0 ? in[z * slice + (y - 1) * width + x] : here;
    if (j == HEIGHT - 1)
      tile[HEIGHT + 1][i + 1] = y < height - 1 ? in[z * slice + (y + 1) * width + x] : here;
    barrier(CLK_LOCAL_MEM_FENCE);
    float around = tile[j + 1][i] + tile[j + 1][i + 2] + tile[j][i + 1] + tile[j + 2][i + 1] + above + below;
    out[z * slice + y * width + x] = here + rate * (around - 6 * here);
    barrier(CLK_LOCAL_MEM_FENCE);
    below = here;
    here = above;
  }
}
