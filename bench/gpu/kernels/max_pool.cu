// SPDX-License-Identifier: Apache-2.0
// Greatest of a 3 x 3 window with a step of two, and where it is; channels last.
__global__ void max_pool(float *out, int *where, const float *in, int height, int width, int channels, int out_width) {
    int c = threadIdx.x, x = blockIdx.x, y = blockIdx.y;
    float most = -1e30f;
    int place = 0;
    for (int dy = 0; dy < 3; dy++) {
        for (int dx = 0; dx < 3; dx++) {
            int iy = 2 * y + dy - 1, ix = 2 * x + dx - 1;
            if (iy >= 0 && iy < height && ix >= 0 && ix < width) {
                int at = (iy * width + ix) * channels + c;
                if (in[at] > most) {
                    most = in[at];
                    place = at;
                }
            }
        }
    }
    out[(y * out_width + x) * channels + c] = most;
    where[(y * out_width + x) * channels + c] = place;
}
