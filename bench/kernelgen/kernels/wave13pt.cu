// SPDX-License-Identifier: Apache-2.0
// A step of the wave equation in time, of fourth order in space, with 13 points:
//   next = c0 now - before + c1 (now at the 6 points at distance 1) + c2 (now at the 6 points at distance 2)
// Operator: KernelGen's wave13pt (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z. The row is read
// from its western end, and its ends are summed first, for nvcc, which loads where a value is used.

__global__ void wave13pt(const float *__restrict__ before, const float *__restrict__ now, float *__restrict__ next,
                         float c0, float c1, float c2, int nx, int ny, int ns) {
    int i = 2 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 2 + blockIdx.z;
    int k = 2 + blockIdx.x;
    if (i >= nx - 2 || j >= ny - 2 || k >= ns - 2)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    float west2 = now[at - 2], west = now[at - 1], own = now[at], east = now[at + 1], east2 = now[at + 2];
    float far = east2 + west2 + now[at + 2 * nx] + now[at - 2 * nx] + now[at + 2 * plane] + now[at - 2 * plane];
    float nearest = east + west + now[at + nx] + now[at - nx] + now[at + plane] + now[at - plane];
    next[at] = c2 * far + c1 * nearest + c0 * own - before[at];
}
