// SPDX-License-Identifier: Apache-2.0
// gpucc, Figure 7: a[i] and a[i + j] under conditions of their own; their addresses share i once both are hoisted.
__global__ void guarded_loads(float *out, const float *a, const int *flags, int j) {
    long i = blockIdx.x * blockDim.x + threadIdx.x;
    float u = 0, v = 0;
    int flag = flags[i];
    if (flag & 1)
        u = a[i];
    if (flag & 2)
        v = a[i + j];
    if (flag & 4)
        u += a[i + 2 * (long)j];
    out[i] = u * v + u;
}
