// SPDX-License-Identifier: Apache-2.0
// Parboil's sad: sums of absolute differences of 4 x 4 pixels between a frame and a shifted one.
__global__ void sad(unsigned short *out, const unsigned char *frame, const unsigned char *reference, int pitch,
                    int range) {
    int dx = threadIdx.x, dy = threadIdx.y;
    int x = blockIdx.x * 4, y = blockIdx.y * 4;
    int sum = 0;
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int c = 0; c < 4; c++)
            sum += abs(frame[(y + r) * pitch + x + c] - reference[(y + dy + r) * pitch + x + dx + c]);
    }
    out[((blockIdx.y * gridDim.x + blockIdx.x) * range + dy) * range + dx] = sum;
}
