// SPDX-License-Identifier: Apache-2.0
// Divergence of the field (vx, vy, vz) by central differences:
//   div = alpha (vx(i+1,j,k) - vx(i-1,j,k)) + beta (vy(i,j+1,k) - vy(i,j-1,k)) + gamma (vz(i,j,k+1) - vz(i,j,k-1))
// Operator: KernelGen's divergence (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z.

__global__ void divergence(float *__restrict__ div, const float *__restrict__ vx, const float *__restrict__ vy,
                           const float *__restrict__ vz, float alpha, float beta, float gamma, int nx, int ny, int ns) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.z;
    int k = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1 || k >= ns - 1)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    div[at] = alpha * (vx[at + 1] - vx[at - 1]) + beta * (vy[at + nx] - vy[at - nx]) +
              gamma * (vz[at + plane] - vz[at - plane]);
}
