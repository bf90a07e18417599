// SPDX-License-Identifier: Apache-2.0
// Scores of a query against keys in pages of 16, grouped heads, pages found by a table.
__global__ void paged_scores(float *scores, const float *q, const float *pages, const int *table, int length,
                             int groups, int kv_heads, float scale) {
    int head = blockIdx.y, kv = head / groups;
    int token = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (token >= length)
        return;
    const float *key = pages + (((long)table[token / 16] * kv_heads + kv) * 16 + token % 16) * 64;
    float sum = 0;
#pragma unroll
    for (int d = 0; d < 64; d += 8)
        sum += q[head * 64 + d + lane] * key[d + lane];
    for (int d = 4; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d, 8);
    if (lane == 0)
        scores[head * length + token] = sum * scale;
}
