// SPDX-License-Identifier: Apache-2.0
// Laplacian with seven points: out = alpha in + beta (the six nearest neighbours).
// Operator: KernelGen's laplacian (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z. The row is read
// west to east.

__global__ void laplacian(const float *__restrict__ in, float *__restrict__ out, float alpha, float beta, int nx,
                          int ny, int ns) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.z;
    int k = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1 || k >= ns - 1)
        return;
    int plane = nx * ny;
    int at = i + nx * j + plane * k;
    float west = in[at - 1], own = in[at], east = in[at + 1];
    float around = east + west + in[at + nx] + in[at - nx] + in[at + plane] + in[at - plane];
    out[at] = alpha * own + beta * around;
}
