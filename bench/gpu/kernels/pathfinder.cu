// SPDX-License-Identifier: Apache-2.0
// Rodinia's pathfinder: cheapest paths through rows of a grid; a block keeps its part with a shrinking edge.
__global__ void pathfinder(int *out, const int *wall, const int *source, int columns, int steps, int first, int edge) {
    __shared__ int before[256], after[256];
    int t = threadIdx.x;
    int x = (256 - 2 * edge) * blockIdx.x - edge + t;
    bool inside = x >= 0 && x < columns;
    int west = x > 0 ? t - 1 : t, east = x < columns - 1 ? t + 1 : t;
    if (inside)
        before[t] = source[x];
    __syncthreads();
    bool done = false;
    for (int i = 0; i < steps; i++) {
        done = false;
        if (t > i && t < 255 - i && inside) {
            done = true;
            after[t] = min(min(before[west], before[t]), before[east]) + wall[columns * (first + i) + x];
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (done)
            before[t] = after[t];
        __syncthreads();
    }
    if (done)
        out[x] = after[t];
}
