// SPDX-License-Identifier: Apache-2.0
// A depthwise convolution of 3 x 3 on planes, filters of each channel from memory, a template on the size.
template <int K> __device__ float window(const float *in, const float *filter, int x, int y, int width, int height) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < K; i++) {
#pragma unroll
        for (int j = 0; j < K; j++) {
            int r = y + i - K / 2, c = x + j - K / 2;
            if (r >= 0 && r < height && c >= 0 && c < width)
                sum += in[r * width + c] * filter[i * K + j];
        }
    }
    return sum;
}

__global__ void depthwise(float *out, const float *in, const float *filters, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    long plane = (long)blockIdx.z * width * height;
    if (x < width && y < height)
        out[plane + y * width + x] = window<3>(in + plane, filters + blockIdx.z * 9, x, y, width, height);
}
