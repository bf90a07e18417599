// SPDX-License-Identifier: Apache-2.0
// 2012, Figure 1c: the address of a shared variable goes through a variable in memory, set by one function, used by
// another.
__device__ void remember(int **place, int *what) { *place = what; }

__device__ int recall(int *const *place, int i) { return (*place)[i]; }

__global__ void escaped_address(int *out, const int *in, int turns) {
    __shared__ int tile[288];
    int *holder[2];
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x < 32)
        tile[256 + threadIdx.x] = 1;
    __syncthreads();
    remember(&holder[0], tile);
    remember(&holder[1], tile + 16);
    int sum = 0;
    for (int k = 0; k < turns; k++)
        sum = sum * 3 + recall(&holder[0], (threadIdx.x + k) & 255) - recall(&holder[1], (threadIdx.x + k) & 255);
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
