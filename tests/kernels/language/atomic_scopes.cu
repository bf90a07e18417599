// SPDX-License-Identifier: Apache-2.0
// Atomics of every scope: the functions with a suffix, those of CUDA 12.8, and the objects of cuda::atomic.
#include <cuda/atomic>
#include <cuda/std/atomic>

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Cells: sum, least, greatest, and, or, exclusive or, each once a scope.
__global__ void suffixes(unsigned *cells, const unsigned *in) {
    unsigned v = in[index()];
    atomicAdd_block(&cells[0], v);
    atomicAdd_system(&cells[0], v);
    atomicSub_system(&cells[1], v);
    atomicMin_system(&cells[2], v);
    atomicMax_system(&cells[3], v);
    atomicAnd_system(&cells[4], v);
    atomicOr_system(&cells[5], v);
    atomicXor_system(&cells[6], v);
    atomicInc_system(&cells[7], 1000000u);
    atomicDec_system(&cells[8], 1000000u);
    while (atomicCAS_system(&cells[9], 0u, 1u) == 7u) {
    }
}

__global__ void within_blocks(float *sums, float *last) {
    __shared__ float sum, least, greatest;
    __shared__ unsigned short flags[2];
    if (threadIdx.x == 0) {
        sum = 0;
        least = greatest = 5.5f;
        flags[0] = flags[1] = 0;
    }
    __syncthreads();
    float v = threadIdx.x;
    atomicAdd_block(&sum, v);
    __nv_atomic_min(&least, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_max(&greatest, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    unsigned short won = atomicCAS_block(&flags[1], (unsigned short)0, (unsigned short)9) == 0;
    __syncthreads();
    if (won)
        atomicExch_block(&last[blockIdx.x], 1.0f + flags[1] + flags[0]);
    if (threadIdx.x == 0) {
        sums[3 * blockIdx.x] = sum;
        sums[3 * blockIdx.x + 1] = least;
        sums[3 * blockIdx.x + 2] = greatest;
    }
}

__global__ void add_vectors(float2 *two, float4 *four) {
    float v = index();
    atomicAdd(two, make_float2(v, 1));
    atomicAdd_block(four, make_float4(1, v, 2 * v, -v));
}

struct Pair {
    int low, high;
};

// Cells: sum, difference, and, or, exclusive or, least, greatest.
__global__ void builtin_functions(long long *cells, unsigned long long *count, Pair *pair, int *old, const int *in) {
    int v = in[index()];
    unsigned long long *sum = (unsigned long long *)cells;
    __nv_atomic_fetch_add(sum, (unsigned long long)v, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&sum[1], v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_and(&cells[2], v, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&cells[3], v, __NV_ATOMIC_ACQ_REL);
    __nv_atomic_xor(&cells[4], v, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_min(&cells[5], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
    __nv_atomic_fetch_max(&cells[6], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned long long expected = __nv_atomic_load_n(count, __NV_ATOMIC_ACQUIRE);
    while (!__nv_atomic_compare_exchange_n(count, &expected, expected + 3, true, __NV_ATOMIC_RELEASE,
                                           __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) {
    }
    Pair seen, next;
    __nv_atomic_load(pair, &seen, __NV_ATOMIC_RELAXED);
    do {
        next = {seen.low + 1, seen.high - 2};
    } while (!__nv_atomic_compare_exchange(pair, &seen, &next, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST));
    __nv_atomic_store_n(&old[index()], __nv_atomic_exchange_n(&old[index()], v, __NV_ATOMIC_RELAXED) + v,
                        __NV_ATOMIC_RELEASE);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
}

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> drawn{0};

__global__ void objects(unsigned *taken, float *total, int *cells, double **end, const int *in) {
    unsigned ticket = drawn.fetch_add(1, cuda::memory_order_relaxed);
    if (drawn.load() <= ticket)
        __trap();
    if (ticket + 1 == gridDim.x * blockDim.x)
        drawn = 0;
    taken[ticket] += 1;
    int v = in[index()];
    cuda::atomic_ref<float, cuda::thread_scope_device>(*total).fetch_add(v, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int> least(cells[0]), greatest(cells[1]), bits(cells[2]), count(cells[3]);
    least.fetch_min(v);
    greatest.fetch_max(v);
    bits |= v;
    ++count;
    count += 2;
    count--;
    cuda::std::atomic_ref<double *> place(*end);
    place++;
    place -= 3;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
    if (threadIdx.x == 0)
        sum.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    int expected = sum;
    while (!sum.compare_exchange_weak(expected, expected + v, cuda::memory_order_acq_rel)) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&cells[4], sum.exchange(1));
}
