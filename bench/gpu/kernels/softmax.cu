// SPDX-License-Identifier: Apache-2.0
// Softmax of rows: greatest value and sum by trees in shared memory, elements read three times.
__global__ void softmax(float *out, const float *in, int width) {
    __shared__ float tree[128];
    const float *row = in + blockIdx.x * width;
    float most = -1e30f;
    for (int i = threadIdx.x; i < width; i += 128)
        most = fmaxf(most, row[i]);
    tree[threadIdx.x] = most;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            tree[threadIdx.x] = fmaxf(tree[threadIdx.x], tree[threadIdx.x + d]);
    }
    __syncthreads();
    most = tree[0];
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < width; i += 128)
        sum += expf(row[i] - most);
    tree[threadIdx.x] = sum;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            tree[threadIdx.x] += tree[threadIdx.x + d];
    }
    __syncthreads();
    float inverse = 1.0f / tree[0];
    for (int i = threadIdx.x; i < width; i += 128)
        out[blockIdx.x * width + i] = expf(row[i] - most) * inverse;
}
