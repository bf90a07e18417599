// SPDX-License-Identifier: Apache-2.0
// gpucc, 3.4.3: sums of three whose pairs were added before, in another order; as sums and as addresses.
__global__ void shared_sums(float *out, const float *a, int b, int c0, int n) {
    int c = c0 + blockIdx.x * blockDim.x + threadIdx.x;
    int x0 = b * n, x1 = x0 + n, x2 = x1 + n;
    int j0 = c + x0, j1 = c + x1, j2 = c + x2;
    float first = a[j0] * a[j1] + a[j2];
    float second = a[n + x0 + c + 1] - a[x0 + c + 1] * a[x2 + c + 1];
    out[c - c0] = first + second;
}
