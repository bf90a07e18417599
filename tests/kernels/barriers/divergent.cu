// SPDX-License-Identifier: Apache-2.0
// Live work-items that wait at different barriers: undefined in CUDA, refused by the reference device.
// The error must name a barrier marked "refused" of the kernel. (A work-item that runs to the kernel's end has left,
// and nobody waits for it: every kernel here therefore ends with a barrier of its own. See early_return.cu.)
#include "work_item.cuh"

__global__ void only_even_ones() {
    if (local_id() % 2 == 0)
        __syncthreads(); // refused
    __syncthreads();     // refused
}

__global__ void only_the_first(unsigned *out) {
    if (local_id() == 0) {
        out[global_id()] = 1;
        __syncthreads(); // refused
        out[global_id()] = 2;
    }
    out[global_id()] += 3;
    __syncthreads(); // refused
    out[global_id()] += 4;
}

__global__ void different_barriers(unsigned *out) {
    if (local_id() < local_size() / 2) {
        out[global_id()] = 1;
        __syncthreads(); // refused
    } else {
        out[global_id()] = 2;
        __syncthreads(); // refused
    }
}

// Some make one round more than the others.
__global__ void different_trip_counts(unsigned *out) {
    unsigned sum = 0;
    for (int i = 0; i < 2 + local_id() % 2; i++) {
        sum += i;
        __syncthreads(); // refused
    }
    __syncthreads(); // refused
    out[global_id()] = sum;
}

// Some leave the loop without returning, and wait at the barrier behind it.
__global__ void break_by_some(unsigned *out) {
    for (int i = 0; i < 4; i++) {
        if (i == 2 && local_id() % 3 == 0)
            break;
        __syncthreads(); // refused
    }
    out[global_id()] = 1;
    __syncthreads(); // refused
}

__device__ __noinline__ void wait() {
    __syncthreads(); // refused
}

// The divergent condition is the kernel's, the barrier a helper's.
__global__ void in_a_helper(unsigned *out) {
    if (local_id() > 0)
        wait();
    out[global_id()] = 1;
    __syncthreads(); // refused
}

__global__ void one_side_of_short_circuit(unsigned *out) {
    bool vote = local_id() % 2 && __syncthreads_count(1); // refused
    __syncthreads();                                      // refused
    out[global_id()] = vote;
}

__global__ void divergent_switch(unsigned *out) {
    switch (local_id() % 3) {
    case 0:
        __syncthreads(); // refused
        break;
    case 1:
        out[global_id()] = 1;
        break;
    default:
        out[global_id()] = 2;
    }
    __syncthreads(); // refused
}

// One of many groups is at fault, and only in its second round.
__global__ void one_group_late(unsigned *out) {
    for (int i = 0; i < 3; i++) {
        if (i == 1 && group_id() == 1 && local_id() == 0) {
            out[global_id()] = 1;
            __syncthreads(); // refused
        } else {
            __syncthreads(); // refused
        }
    }
}

// Some have returned before; of those who are left, some wait elsewhere.
__global__ void after_some_have_returned(unsigned *out) {
    if (local_id() % 4 == 0)
        return;
    __syncthreads();
    if (local_id() % 4 == 1)
        __syncthreads(); // refused
    out[global_id()] = 1;
    __syncthreads(); // refused
}
