// SPDX-License-Identifier: Apache-2.0
// Tricubic interpolation with Lagrange's weights for the nodes 1, 0, -1, -2, at a place (a, b, c) of each point's own:
//   out(i,j,k) = sum over p, q, r of wa(p) wb(q) wc(r) in(i+p-1, j+q-1, k+r-1), p, q, r = 0 to 3
// Operator: KernelGen's tricubic (PTXASW, Table 2), where the 64 terms are written out. A thread a point;
// k is blockIdx.x, j blockIdx.z.
// Weights are computed in double, as their literals are, and rounded.

__device__ inline void weights(float w[4], float t) {
    w[0] = 1.0 / 6.0 * t * (t + 1.0) * (t + 2.0);
    w[1] = -0.5 * (t - 1.0) * (t + 1.0) * (t + 2.0);
    w[2] = 0.5 * (t - 1.0) * t * (t + 2.0);
    w[3] = -1.0 / 6.0 * (t - 1.0) * t * (t + 1.0);
}

__device__ inline void add_row(float &sum, const float *row, const float wa[4], float wb, float wc) {
    sum += wa[0] * wb * wc * row[0];
    sum += wa[1] * wb * wc * row[1];
    sum += wa[2] * wb * wc * row[2];
    sum += wa[3] * wb * wc * row[3];
}

__device__ inline void add_plane(float &sum, const float *plane, int nx, const float wa[4], const float wb[4],
                                 float wc) {
    add_row(sum, plane, wa, wb[0], wc);
    add_row(sum, plane + nx, wa, wb[1], wc);
    add_row(sum, plane + 2 * nx, wa, wb[2], wc);
    add_row(sum, plane + 3 * nx, wa, wb[3], wc);
}

__global__ void tricubic(const float *__restrict__ in, float *__restrict__ out, const float *__restrict__ a,
                         const float *__restrict__ b, const float *__restrict__ c, int nx, int ny, int ns) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.z;
    int k = 1 + blockIdx.x;
    if (i >= nx - 2 || j >= ny - 2 || k >= ns - 2)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    float wa[4], wb[4], wc[4];
    weights(wa, a[at]);
    weights(wb, b[at]);
    weights(wc, c[at]);
    const float *corner = in + (at - 1 - nx - plane);
    float sum = 0.0f;
    add_plane(sum, corner, nx, wa, wb, wc[0]);
    add_plane(sum, corner + plane, nx, wa, wb, wc[1]);
    add_plane(sum, corner + 2 * plane, nx, wa, wb, wc[2]);
    add_plane(sum, corner + 3 * plane, nx, wa, wb, wc[3]);
    out[at] = sum;
}
