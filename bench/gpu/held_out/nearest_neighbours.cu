// SPDX-License-Identifier: Apache-2.0
// The four nearest of all points, kept in order in registers.
__global__ void nearest_neighbours(int *out, const float3 *points, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 own = points[i];
    float best[4] = {1e30f, 1e30f, 1e30f, 1e30f};
    int which[4] = {-1, -1, -1, -1};
    for (int j = 0; j < n; j++) {
        float dx = points[j].x - own.x, dy = points[j].y - own.y, dz = points[j].z - own.z;
        float d = dx * dx + dy * dy + dz * dz;
        if (j == i || d >= best[3])
            continue;
        int at = 3;
#pragma unroll
        for (int k = 2; k >= 0; k--) {
            if (d < best[k]) {
                best[k + 1] = best[k];
                which[k + 1] = which[k];
                at = k;
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (k == at) {
                best[k] = d;
                which[k] = j;
            }
        }
    }
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = which[k];
}
