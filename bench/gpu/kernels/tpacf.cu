// SPDX-License-Identifier: Apache-2.0
// Parboil's tpacf: a histogram of angles between pairs of points, bins found by bisection.
__global__ void tpacf(unsigned *histogram, const float *x, const float *y, const float *z, const float *bounds, int n,
                      int bins) {
    __shared__ unsigned counts[32];
    if (threadIdx.x < 32)
        counts[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float xi = x[i], yi = y[i], zi = z[i];
    for (int j = 0; j < n; j++) {
        float dot = xi * x[j] + yi * y[j] + zi * z[j];
        int low = 0, high = bins;
        while (high > low + 1) {
            int middle = (low + high) / 2;
            if (dot >= bounds[middle])
                high = middle;
            else
                low = middle;
        }
        atomicAdd(&counts[low], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}
