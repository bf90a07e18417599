// SPDX-License-Identifier: Apache-2.0
// Gradient of u by central differences, a component an array:
//   gx = alpha (u(i+1,j,k) - u(i-1,j,k)),  gy = beta (u(i,j+1,k) - u(i,j-1,k)),  gz = gamma (u(i,j,k+1) - u(i,j,k-1))
// Operator: KernelGen's gradient (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z.

__global__ void gradient(const float *__restrict__ u, float *__restrict__ gx, float *__restrict__ gy,
                         float *__restrict__ gz, float alpha, float beta, float gamma, int nx, int ny, int ns) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.z;
    int k = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1 || k >= ns - 1)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    gx[at] = alpha * (u[at + 1] - u[at - 1]);
    gy[at] = beta * (u[at + nx] - u[at - nx]);
    gz[at] = gamma * (u[at + plane] - u[at - plane]);
}
