// SPDX-License-Identifier: Apache-2.0

// The distance along each ray to a ball or the floor: steps as long as nothing can be nearer.
__kernel void ray_march(__global float *depths, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  float u = (x + 0.5f) / size - 0.5f, v = (y + 0.5f) / size - 0.5f;
  float scale = rsqrt(u * u + v * v + 1), depth = 0;
  for (int step = 0; step < 96; step++) {
    float px = depth * u * scale, py = depth * v * scale, pz = depth * scale - 3, nearest = py + 0.6f;
    for (int ball = 0; ball < 3; ball++) {
      float dx = px - 0.8f * (ball - 1), dz = pz - 0.5f * ball;
      nearest = fmin(nearest, sqrt(dx * dx + py * py + dz * dz) - 0.5f);
    }
    if (nearest < 1e-3f || depth > 12)
      break;
    depth += nearest;
  }
  depths[y * size + x] = fmin(depth, 12.0f);
}
