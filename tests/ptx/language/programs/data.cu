// Variables with initialisers: numbers, addresses, addresses with offsets, text, aligned, vectors; shared memory.
#include <cuda_fp16.h>
__constant__ float weights[5] = {0.1f, 0.2f, -0.0f, 1e30f, -3.5f};
__device__ double big[3] = {1.0, 0.1, -1e300};
__device__ int matrix[2][3] = {{1, -2, 3}, {4, 5, -6}};
__device__ int *row = &matrix[1][0];
__device__ const char *words[] = {"zero", "one", nullptr, "two"};
__device__ int4 quad = {1, 2, 3, 4};
struct Node { Node *next; const float *data; short id; char tag[6]; };
__device__ Node last = {nullptr, weights, -8, "cdefg"};
__device__ Node nodes[2] = {{&last, weights + 2, 7, "ab"}, {nullptr, nullptr, 9, ""}};
__device__ unsigned long long size_of_row = sizeof(matrix[0]);
__device__ unsigned char bytes[300] = {1, 2, 3};
__device__ unsigned long long wide = 0xFFFFFFFFFFFFFFFFull;
__device__ bool flag = true;
__device__ volatile int counter;
__managed__ int managed_value = 3;
static __device__ __half halves[2];
extern __shared__ float dynamic[];
template <int N> __global__ void __launch_bounds__(256, 2) sums(const float *__restrict__ in, float *out) {
    __shared__ alignas(16) float tile[N][33];
    __shared__ double2 pairs[64];
    int i = threadIdx.x;
    tile[i % N][i % 33] = in[i] * weights[i % 5];
    dynamic[i] = tile[0][i % 33];
    pairs[i & 63] = make_double2(big[i % 3], i);
    __syncthreads();
    const Node *node = nodes;
    for (int k = 0; k < out[0]; k++) node = node->next ? node->next : nodes;
    out[i] = dynamic[i ^ 1] + *row + words[i & 3][0] + quad.x + node->id + pairs[(i + 1) & 63].x + bytes[i] + wide + flag + counter++ + managed_value + float(halves[i & 1]);
}
template __global__ void sums<8>(const float *, float *);
template __global__ void sums<16>(const float *, float *);
