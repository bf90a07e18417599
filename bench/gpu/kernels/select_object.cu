// SPDX-License-Identifier: Apache-2.0
// 2012, Figure 1a: a pointer to one of two arrays of global memory, set in branches and used by a function.
__device__ int first_table[1040] = {3, 1, 4, 1, 5};
__device__ int second_table[1024] = {2, 7, 1, 8};

__device__ int used(int **pp, int i) { return (*pp)[i & 1023] + (*pp)[(i + 7) & 1023]; }

__global__ void select_object(int *out, const int *in, int m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = first_table;
    if (m > 3)
        p = second_table;
    else if (n)
        p = first_table + 16 % (n + 1);
    out[i] = used(&p, in[i]) * m;
}
