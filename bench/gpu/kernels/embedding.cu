// SPDX-License-Identifier: Apache-2.0
// Sums of embeddings' rows over the items of a bag, bags of different lengths, weights per item.
__global__ void embedding(float *out, const float *table, const int *items, const int *bags, const float *weights,
                          int width) {
    int bag = blockIdx.x;
    int first = bags[bag], end = bags[bag + 1];
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        float sum = 0;
        for (int k = first; k < end; k++)
            sum += table[(long)items[k] * width + c] * weights[k];
        out[(long)bag * width + c] = end > first ? sum / (end - first) : 0;
    }
}
