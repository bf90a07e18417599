// SPDX-License-Identifier: Apache-2.0
// The median of 3 x 3 bytes by a network of exchanges, from a tile in shared memory.
__device__ void exchange(int &a, int &b) {
    int low = min(a, b);
    b = max(a, b);
    a = low;
}

__global__ void median(unsigned char *out, const unsigned char *in, int pitch) {
    __shared__ unsigned char tile[10][34];
    int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < 340; k += 256)
        tile[k / 34][k % 34] = in[(blockIdx.y * 8 + k / 34) * pitch + blockIdx.x * 32 + k % 34];
    __syncthreads();
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
#pragma unroll
    for (int last = 8; last >= 4; last--) {
#pragma unroll
        for (int k = 0; k < last; k++)
            exchange(v[k], v[k + 1]);
    }
    out[(blockIdx.y * 8 + threadIdx.y) * gridDim.x * 32 + blockIdx.x * 32 + threadIdx.x] = v[4];
}
