// SPDX-License-Identifier: Apache-2.0
// A price of an option by a binomial tree, folded in shared memory, a block per option.
__global__ void binomial(float *prices, const float *spot, const float *strike, int steps, float dt, float rate,
                         float volatility) {
    __shared__ float values[257];
    int t = threadIdx.x;
    float up = expf(volatility * sqrtf(dt)), discount = expf(-rate * dt);
    float p = (expf(rate * dt) - 1 / up) / (up - 1 / up);
    for (int k = t; k <= steps; k += blockDim.x)
        values[k] = fmaxf(spot[blockIdx.x] * expf(volatility * sqrtf(dt) * (2 * k - steps)) - strike[blockIdx.x], 0);
    __syncthreads();
    for (int i = steps; i > 0; i--) {
        float value = 0;
        if (t < i)
            value = discount * (p * values[t + 1] + (1 - p) * values[t]);
        __syncthreads();
        if (t < i)
            values[t] = value;
        __syncthreads();
    }
    if (t == 0)
        prices[blockIdx.x] = values[0];
}
