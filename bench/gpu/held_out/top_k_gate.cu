// SPDX-License-Identifier: Apache-2.0
// A mixture's gate: softmax over experts and the two best, a warp per token.
__global__ void top_k_gate(float *weights, int *experts, const float *logits, int count) {
    int token = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    float own = lane < count ? logits[token * count + lane] : -1e30f;
    float most = own;
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    float e = expf(own - most), sum = e;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float p = e / sum;
    for (int k = 0; k < 2; k++) {
        float best = p;
        int who = lane;
        for (int d = 16; d > 0; d /= 2) {
            float other = __shfl_xor_sync(0xffffffffu, best, d);
            int index = __shfl_xor_sync(0xffffffffu, who, d);
            if (other > best || (other == best && index < who)) {
                best = other;
                who = index;
            }
        }
        if (lane == k) {
            weights[token * 2 + k] = best;
            experts[token * 2 + k] = who;
        }
        if (lane == who)
            p = -1;
    }
}
