// SPDX-License-Identifier: Apache-2.0
// gpucc, Table 3: the three forms of straight-line strength reduction, (b + C) * s, b + C * s and &b[C * s].
__global__ void strength_forms(int *out, const int *in, int s, int b0) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int b = b0 + i;
    const int *p = in + i;
    int product = (b * s) ^ ((b + 1) * s) ^ ((b + 2) * s) ^ ((b + 5) * s);
    int sum = (b + s) ^ (b + 2 * s) ^ (b + 3 * s);
    int loaded = p[0] + p[s] + p[2 * s] + p[3 * s] + p[4 * s];
    out[i] = product + sum + loaded;
}
