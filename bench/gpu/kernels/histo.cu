// SPDX-License-Identifier: Apache-2.0
// Parboil's histo: counts that stop at 255, in shared memory, of two ranges of bins.
__global__ void histo(unsigned *bins, const uint2 *image, int pairs, int from, int count) {
    extern __shared__ unsigned own[];
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += blockDim.x * gridDim.x) {
        uint2 both = image[i];
        unsigned first = both.x - from, second = both.y - from;
        if (first < (unsigned)count)
            atomicAdd(&own[first], 1u);
        if (second < (unsigned)count)
            atomicAdd(&own[second], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        if (own[k])
            atomicAdd(&bins[from + k], own[k]);
}
