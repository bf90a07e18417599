// SPDX-License-Identifier: Apache-2.0
// A whole program: its host code is parsed, never run; the kernel templates that it launches are in the module.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                               \
    do {                                                                                                          \
        cudaError_t status = (call);                                                                              \
        if (status != cudaSuccess) {                                                                              \
            fprintf(stderr, "%s\n", cudaGetErrorString(status));                                                  \
            exit(1);                                                                                              \
        }                                                                                                         \
    } while (0)

template <typename T> __global__ void multiply(T *data, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= by;
}

__host__ __device__ int rounded_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

__global__ void both_sides(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 500
    out[i] = rounded_up(i, 8);
#else
    out[i] = -1;
#endif
}

template <typename T> void run(T by) {
    const int n = 1000;
    T *data;
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemset(data, 0, n * sizeof(T)));
    multiply<<<rounded_up(n, 64) / 64, 64>>>(data, by, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(data));
}

int main(int argc, char **argv) {
    run<float>(2.5f);
    run<long long>(atoi(argc > 1 ? argv[1] : "3"));
    dim3 grid(4), block(16);
    int *out;
    CHECK(cudaMalloc((void **)&out, 64 * sizeof(int)));
    both_sides<<<grid, block, 0, 0>>>(out);
    int host[64];
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[63]);
    return 0;
}
