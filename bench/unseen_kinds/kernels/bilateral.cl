// SPDX-License-Identifier: Apache-2.0
#define RADIUS 4

// Each pixel becomes the mean of those around it, weighted by distance and by how alike they are. Edges are clamped.
__kernel void bilateral(__global float *out, __global const float *image, int width, int height, float near,
                        float alike) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float own = image[y * width + x], sum = 0, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; dy++) {
    int row = clamp(y + dy, 0, height - 1);
    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
      float other = image[row * width + clamp(x + dx, 0, width - 1)];
      float differs = other - own;
      float weight = exp(-near * (dx * dx + dy * dy) - alike * differs * differs);
      sum += weight * other;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}
