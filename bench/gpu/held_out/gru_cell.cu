// SPDX-License-Identifier: Apache-2.0
// A step of a gated recurrent unit: three gates from six vectors, batch by hidden size.
__device__ float sigmoid(float x) { return 1 / (1 + expf(-x)); }

__global__ void gru_cell(float *h, const float *gi, const float *gh, const float *bi, const float *bh, int hidden) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (j >= hidden)
        return;
    const float *i = gi + b * 3 * hidden, *g = gh + b * 3 * hidden;
    float reset = sigmoid(i[j] + bi[j] + g[j] + bh[j]);
    float update = sigmoid(i[j + hidden] + bi[j + hidden] + g[j + hidden] + bh[j + hidden]);
    float fresh = tanhf(i[j + 2 * hidden] + bi[j + 2 * hidden] + reset * (g[j + 2 * hidden] + bh[j + 2 * hidden]));
    h[b * hidden + j] = (1 - update) * fresh + update * h[b * hidden + j];
}
