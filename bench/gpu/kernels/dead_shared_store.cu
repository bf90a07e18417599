// SPDX-License-Identifier: Apache-2.0
// gpucc, 3.3: a store to shared memory that nobody reads before the next one; stores to global memory stand between.
__global__ void dead_shared_store(float *out, const float *position, const float *charge, int n) {
    __shared__ float near[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float own = position[i], force = 0;
    for (int first = 0; first < n; first += 128) {
        near[threadIdx.x] = 0;
        out[i] = force;
        near[threadIdx.x] = position[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            float d = near[j] - own;
            force += charge[first + j] * d * expf(-d * d);
        }
        __syncthreads();
    }
    out[i] = force;
}
