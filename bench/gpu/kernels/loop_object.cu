// SPDX-License-Identifier: Apache-2.0
// 2012, Figure 1b: the pointer of a loop is that of one shared array in some turns, and into another one in others.
__global__ void loop_object(int *out, const int *in, int n, int odd) {
    __shared__ int x[1024], w[2048];
    for (int k = threadIdx.x; k < 1024; k += 256) {
        x[k] = in[k];
        w[k] = in[k] * 3;
        w[k + 1024] = in[k] * 5;
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        int *q;
        if ((i & odd) != 0)
            q = x;
        else
            q = &w[1024 - i];
        sum += q[i + (threadIdx.x & 31)];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
