// SPDX-License-Identifier: Apache-2.0
// 128-bit integers and floating-point numbers, between which PTX has no conversions.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void wide_conversions(double *doubles, float *floats, long long *back, const long long *a) {
    int i = index();
    __int128 x = (__int128)a[i] << (i % 64);
    doubles[2 * i] = (double)x, doubles[2 * i + 1] = (double)(unsigned __int128)x;
    floats[2 * i] = (float)x, floats[2 * i + 1] = (float)(unsigned __int128)x;
    back[2 * i] = (long long)((__int128)((double)a[i] * 1e9) >> 20);
    back[2 * i + 1] = (long long)((unsigned __int128)fabsf((float)a[i] * 1e9f) >> 20);
}
