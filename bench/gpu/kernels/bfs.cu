// SPDX-License-Identifier: Apache-2.0
// SHOC's and Rodinia's BFS: one level, a thread per vertex of the frontier, edges in compressed rows.
__global__ void bfs(unsigned *levels, int *changed, const unsigned *rows, const unsigned *edges, int vertices,
                    unsigned level) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || levels[v] != level)
        return;
    unsigned end = rows[v + 1];
    for (unsigned e = rows[v]; e < end; e++) {
        unsigned to = edges[e];
        if (levels[to] > level + 1) {
            levels[to] = level + 1;
            *changed = 1;
        }
    }
}
