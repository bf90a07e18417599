// SPDX-License-Identifier: Apache-2.0

// The class that a decision tree gives each sample: it goes down the tree until it comes to a leaf.
__kernel void decision_tree(__global int *classes, __global const float *samples, __global const int *features,
                            __global const float *limits, int nodes, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  int node = 0;
  while (features[node] >= 0)
    node = 2 * node + 1 + (samples[features[node] * count + i] >= limits[node]);
  classes[i] = node;
}
