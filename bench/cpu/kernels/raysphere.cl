// SPDX-License-Identifier: Apache-2.0
// A ray for each pixel, mirrored by the spheres that it meets, until it leaves or has met `most` of them.
__kernel void raysphere(__global float *light, __global const float4 *spheres, int width, int height, int count,
                        int most) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 from = (float3)(2.0f * x / width - 1.0f, 2.0f * y / height - 1.0f, -3.0f);
  float3 to = normalize((float3)(from.x * 0.3f, from.y * 0.3f, 1.0f));
  float kept = 1.0f, seen = 0.0f;
  for (int bounce = 0; bounce < most; bounce++) {
    float nearest = 1e30f;
    int met = -1;
    for (int i = 0; i < count; i++) {
      float3 way = spheres[i].xyz - from;
      float along = dot(way, to);
      float inside = spheres[i].w * spheres[i].w - dot(way, way) + along * along;
      if (along > 0.0f && inside > 0.0f) {
        float distance = along - sqrt(inside);
        if (distance > 1e-3f && distance < nearest) {
          nearest = distance;
          met = i;
        }
      }
    }
    if (met < 0) {
      seen += kept * (0.5f + 0.5f * to.y);
      break;
    }
    from += nearest * to;
    float3 normal = (from - spheres[met].xyz) / spheres[met].w;
    to -= 2.0f * dot(to, normal) * normal;
    kept *= 0.8f;
    seen += 0.05f * kept;
  }
  light[y * width + x] = seen;
}
