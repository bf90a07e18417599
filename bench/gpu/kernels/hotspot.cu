// SPDX-License-Identifier: Apache-2.0
// Rodinia's hotspot: temperatures of a chip, tiles in shared memory, several steps in time between barriers.
__global__ void hotspot(float *out, const float *power, const float *in, int columns, int rows, int steps, float cap,
                        float rx, float ry, float rz) {
    __shared__ float now[16][16], watts[16][16], next[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int inner = 16 - 2 * steps;
    int x = inner * blockIdx.x - steps + tx, y = inner * blockIdx.y - steps + ty;
    bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
    if (inside) {
        now[ty][tx] = in[columns * y + x];
        watts[ty][tx] = power[columns * y + x];
    }
    __syncthreads();
    int north = y > 0 ? ty - 1 : ty, south = y < rows - 1 ? ty + 1 : ty;
    int west = x > 0 ? tx - 1 : tx, east = x < columns - 1 ? tx + 1 : tx;
    bool done = false;
    for (int s = 0; s < steps; s++) {
        done = false;
        if (tx > s && tx < 15 - s && ty > s && ty < 15 - s && inside) {
            done = true;
            next[ty][tx] = now[ty][tx] + cap * (watts[ty][tx] +
                                                (now[south][tx] + now[north][tx] - 2.0f * now[ty][tx]) * ry +
                                                (now[ty][east] + now[ty][west] - 2.0f * now[ty][tx]) * rx +
                                                (80.0f - now[ty][tx]) * rz);
        }
        __syncthreads();
        if (s == steps - 1)
            break;
        if (done)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done)
        out[columns * y + x] = next[ty][tx];
}
