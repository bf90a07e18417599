// SPDX-License-Identifier: Apache-2.0
__kernel void nbody(__global float4 *force, __global const float4 *bodies, int n) {
  int i = get_global_id(0);
  float4 own = bodies[i];
  float4 sum = (float4)(0.0f);
  for (int j = 0; j < n; j++) {
    float4 other = bodies[j];
    float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
    float pull = other.w * inverse * inverse * inverse;
    sum.x += pull * dx;
    sum.y += pull * dy;
    sum.z += pull * dz;
  }
  force[i] = sum;
}
