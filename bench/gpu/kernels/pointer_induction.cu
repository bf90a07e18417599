// SPDX-License-Identifier: Apache-2.0
// gpucc, Figure 4: the pointer that a loop counts up stays in shared memory, though its type doesn't say so.
__global__ void pointer_induction(float *out, const float *in, int steps) {
    __shared__ float tile[256];
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (float *p = tile + threadIdx.x % 32, *end = p + steps; p != end; p++)
        sum += *p;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
