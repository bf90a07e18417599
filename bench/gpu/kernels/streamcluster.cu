// SPDX-License-Identifier: Apache-2.0
// Rodinia's streamcluster: gain if points moved to a new centre; coordinates stored by dimension.
__global__ void streamcluster(float *lower, int *switches, const float *coordinates, const float *weights,
                              const float *costs, const int *centres, int points, int dimensions, int candidate) {
    extern __shared__ float target[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        for (int d = 0; d < dimensions; d++)
            target[d] = coordinates[d * points + candidate];
    }
    __syncthreads();
    if (i < points) {
        float distance = 0;
        for (int d = 0; d < dimensions; d++) {
            float difference = coordinates[d * points + i] - target[d];
            distance += difference * difference;
        }
        float change = distance * weights[i] - costs[i];
        switches[i] = change < 0;
        lower[i] = change < 0 ? change : costs[i] * (centres[i] & 1);
    }
}
