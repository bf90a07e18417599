// SPDX-License-Identifier: Apache-2.0
// Rodinia's dwt2d: a level of the 5/3 wavelet along rows, lifted in shared memory; small functions that are inlined.
struct Line {
    int *data;
    __device__ int at(int i) const { return data[i]; }
    __device__ void predict(int i) { data[i] -= (at(i - 1) + at(i + 1)) >> 1; }
    __device__ void update(int i) { data[i] += (at(i - 1) + at(i + 1) + 2) >> 2; }
};

template <typename F> __device__ void each(int first, int end, F f) {
    for (int k = first + 2 * threadIdx.x; k < end; k += 2 * blockDim.x)
        f(k);
}

__global__ void dwt2d(int *out, const int *in, int width) {
    __shared__ int line[264];
    Line l = {line + 4};
    const int *row = in + blockIdx.y * width;
    int first = blockIdx.x * 256;
    for (int k = (int)threadIdx.x - 4; k < 260; k += blockDim.x) {
        int x = first + k;
        x = x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
        l.data[k] = row[x];
    }
    __syncthreads();
    each(-1, 258, [&](int k) { l.predict(k); });
    __syncthreads();
    each(0, 256, [&](int k) { l.update(k); });
    __syncthreads();
    int half = width / 2, t = threadIdx.x;
    out[blockIdx.y * width + first / 2 + t] = l.at(2 * t);
    out[blockIdx.y * width + half + first / 2 + t] = l.at(2 * t + 1);
}
