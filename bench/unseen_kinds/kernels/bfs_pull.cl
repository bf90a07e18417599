// SPDX-License-Identifier: Apache-2.0

// A step of a breadth-first search: a vertex that has no level yet looks for a neighbour that has the last one.
__kernel void bfs_pull(__global int *next, __global const int *levels, __global const int *starts,
                       __global const int *neighbours, int level, int count) {
  int vertex = get_global_id(0);
  if (vertex >= count)
    return;
  int own = levels[vertex];
  if (own < 0)
    for (int k = starts[vertex]; k < starts[vertex + 1]; k++)
      if (levels[neighbours[k]] == level) {
        own = level + 1;
        break;
      }
  next[vertex] = own;
}
