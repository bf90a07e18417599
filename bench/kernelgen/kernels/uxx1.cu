// SPDX-License-Identifier: Apache-2.0
// A velocity driven by the divergence of stresses, on a staggered grid, as in earthquake simulations:
//   next = u + dth / d (c1 (xx(i) - xx(i-1)) + c2 (xx(i+1) - xx(i-2)) + the same of xy along j and of xz along k),
// d the mean of the density at (j,k), (j-1,k), (j,k-1) and (j-1,k-1).
// Operator: KernelGen's uxx1 (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z. xx is read
// from an end.

__global__ void uxx1(const float *__restrict__ u, float *__restrict__ next, const float *__restrict__ density,
                     const float *__restrict__ xx, const float *__restrict__ xy, const float *__restrict__ xz,
                     float dth, float c1, float c2, int nx, int ny, int ns) {
    int i = 2 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 2 + blockIdx.z;
    int k = 2 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1 || k >= ns - 1)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    float d = 0.25 * (density[at] + density[at - nx] + density[at - plane] + density[at - nx - plane]);
    float west2 = xx[at - 2], west = xx[at - 1], own = xx[at], east = xx[at + 1];
    float change = c2 * (east - west2) + c1 * (own - west) + c2 * (xy[at + nx] - xy[at - 2 * nx]) +
                   c1 * (xy[at] - xy[at - nx]) + c2 * (xz[at + plane] - xz[at - 2 * plane]) +
                   c1 * (xz[at] - xz[at - plane]);
    next[at] = u[at] + dth / d * change;
}
