// SPDX-License-Identifier: Apache-2.0
// printf, assert and __trap.
#include <assert.h>
#include <stdio.h>

__global__ void print_all_types(const char *unused, int count) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        printf("int %d %5d|%-5d|%05d %i\n", -7, 42, 42, 42, count);
        printf("unsigned %u hex %x %X %#x octal %o\n", 4000000000u, 255, 255, 255, 8);
        printf("long %lld %llu %llx\n", -9000000000LL, 18000000000000000000ULL, 0xfedcba9876543210ULL);
        printf("float %f %.2f %10.3f|%e %g\n", 1.5f, 2.0 / 3.0, 3.14159, 12345.678, 0.0001);
        printf("char %c string %s|%10s|%-10s|%.3s percent %%\n", 'x', "text", "right", "left", "shortened");
        printf("nothing but text\n");
        short narrow = -3;
        printf("promoted %d %d %d %f\n", narrow, (signed char)-4, true, 0.25f);
        printf("star %*d %.*f\n", 6, 42, 1, 2.25);
    }
}

// A line for every work-item; lines of one work-item keep their order.
__global__ void print_from_everyone(int unused) {
    printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
    printf("again %d\n", blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void returns_count_of_arguments(int *out) { out[0] = printf("three: %d %d %d\n", 1, 2, 3); }

__global__ void assert_holds(int *out) {
    assert(blockDim.x > 0 && "always");
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void assert_fails(int *out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i != limit);
    out[i] = 1;
}

__global__ void traps(int *out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == limit)
        __trap();
    out[i] = 1;
}
