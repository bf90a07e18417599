// SPDX-License-Identifier: Apache-2.0

// Forces among particles that lists of neighbours name, within a distance.
__kernel void neighbour_forces(__global float4 *forces, __global const float4 *places, __global const int *lists,
                               int neighbours, float cutoff, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  float4 own = places[i], force = 0;
  for (int k = 0; k < neighbours; k++) {
    float4 away = own - places[lists[k * count + i]];
    float square = away.x * away.x + away.y * away.y + away.z * away.z;
    if (square < cutoff && square > 0) {
      float r2 = 1 / square, r6 = r2 * r2 * r2;
      force += away * (r2 * r6 * (r6 - 0.5f));
    }
  }
  force.w = 0;
  forces[i] = force;
}
