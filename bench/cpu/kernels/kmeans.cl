// SPDX-License-Identifier: Apache-2.0
__kernel void kmeans(__global int *nearest, __global const float *points, __global const float *centres, int n,
                     int clusters, int features) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int best = 0;
  float least = FLT_MAX;
  for (int cluster = 0; cluster < clusters; cluster++) {
    float distance = 0.0f;
    for (int feature = 0; feature < features; feature++) {
      float difference = points[feature * n + i] - centres[cluster * features + feature];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = cluster;
    }
  }
  nearest[i] = best;
}
