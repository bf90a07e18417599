// SPDX-License-Identifier: Apache-2.0
// Tricubic interpolation with Lagrange's weights for the nodes 1, 0, -1, -2, at a place (a, b, c) of each point's own:
//   out(i,j,k) = sum over p, q, r of wa(p) wb(q) wc(r) in(i+p-1, j+q-1, k+r-1), p, q, r = 0 to 3
// Operator: KernelGen's tricubic2 (PTXASW, Table 2), tricubic with loops over the 64 terms, and one point further
// away from the lower faces. A thread a point; k is blockIdx.x, j blockIdx.z.
// Weights are computed in double, as their literals are, and rounded.

__device__ inline void weights(float w[4], float t) {
    w[0] = 1.0 / 6.0 * t * (t + 1.0) * (t + 2.0);
    w[1] = -0.5 * (t - 1.0) * (t + 1.0) * (t + 2.0);
    w[2] = 0.5 * (t - 1.0) * t * (t + 2.0);
    w[3] = -1.0 / 6.0 * (t - 1.0) * t * (t + 1.0);
}

__global__ void tricubic2(const float *__restrict__ in, float *__restrict__ out, const float *__restrict__ a,
                          const float *__restrict__ b, const float *__restrict__ c, int nx, int ny, int ns) {
    int i = 2 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 2 + blockIdx.z;
    int k = 2 + blockIdx.x;
    if (i >= nx - 2 || j >= ny - 2 || k >= ns - 2)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    float wa[4], wb[4], wc[4];
    weights(wa, a[at]);
    weights(wb, b[at]);
    weights(wc, c[at]);
    float sum = 0.0f;
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
            for (int p = 0; p < 4; p++)
                sum += wa[p] * wb[q] * wc[r] * in[(i + p - 1) + nx * (j + q - 1) + plane * (k + r - 1)];
    out[at] = sum;
}
