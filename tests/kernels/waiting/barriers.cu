// SPDX-License-Identifier: Apache-2.0
// cuda::barrier, cuda::pipeline, cuda::latch and semaphores, as the CUDA C++ programming guide uses them: one block.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <cuda_awbarrier_primitives.h>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// Work between arrival and wait; the sum of what all have stored before.
extern "C" __global__ void split(int *out, const int *in, int n) {
    __shared__ barrier bar;
    __shared__ int a[256];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        a[t] = in[t] + k;
        barrier::arrival_token token = bar.arrive();
        int own = in[t] * k;
        bar.wait(std::move(token));
        sum += own + a[(t + 37) % blockDim.x];
        bar.arrive_and_wait();
    }
    out[t] = sum;
}

// Warp 0 fills two buffers in turn, the others use them.
extern "C" __global__ void producer_and_consumers(int *out, const int *in, int n) {
    __shared__ int buffer[2][64];
    __shared__ barrier bars[4]; // ready, ready, filled, filled
    auto block = cg::this_thread_block();
    if (block.thread_rank() < 4) init(bars + block.thread_rank(), block.size());
    block.sync();
    if (block.thread_rank() < 32) {
        for (int i = 0; i < n; i++) {
            bars[i % 2].arrive_and_wait();
            for (int k = threadIdx.x; k < 64; k += 32) buffer[i % 2][k] = in[64 * i + k];
            (void)bars[2 + i % 2].arrive();
        }
    } else {
        (void)bars[0].arrive();
        (void)bars[1].arrive();
        int rank = threadIdx.x - 32, users = blockDim.x - 32;
        for (int i = 0; i < n; i++) {
            bars[2 + i % 2].arrive_and_wait();
            for (int k = rank; k < 64; k += users) out[64 * i + k] = 2 * buffer[i % 2][63 - k];
            (void)bars[i % 2].arrive();
        }
    }
}

// One lane fills, the other lanes of its warp use.
extern "C" __global__ void within_a_warp(int *out, const int *in, int n) {
    __shared__ int word;
    __shared__ barrier full, empty;
    if (threadIdx.x == 0) {
        init(&full, 1);
        init(&empty, blockDim.x - 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            empty.wait_parity((i & 1) ^ 1);
            word = in[i];
            (void)full.arrive();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            full.wait_parity(i & 1);
            sum = 3 * sum + word;
            (void)empty.arrive();
        }
        out[threadIdx.x] = sum;
    }
}

// Threads leave one after the other.
extern "C" __global__ void dropping(int *out, const int *in, int n) {
    __shared__ barrier bar;
    __shared__ int count;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        count = 0;
    }
    __syncthreads();
    int k = 0;
    for (; k < (int)threadIdx.x % 7; k++) {
        atomicAdd(&count, in[k]);
        bar.arrive_and_wait();
    }
    bar.arrive_and_drop();
    out[threadIdx.x] = k;
    if (threadIdx.x == 6) out[blockDim.x] = count;
}

struct Fold {
    int *sum, *parts, n;
    __device__ void operator()() {
        int s = 0;
        for (int i = 0; i < n; i++) s += parts[i];
        *sum = s;
    }
};

// The last to arrive adds up what all have stored.
extern "C" __global__ void completing(int *out, const int *in, int n) {
    using folding = cuda::barrier<cuda::thread_scope_block, Fold>;
    __shared__ int parts[256], sum;
    __shared__ alignas(folding) char room[sizeof(folding)];
    folding &bar = *reinterpret_cast<folding *>(room);
    int t = threadIdx.x;
    if (t == 0) new (&bar) folding(blockDim.x, Fold{&sum, parts, (int)blockDim.x});
    __syncthreads();
    int found = 0;
    for (int k = 0; k < n; k++) {
        parts[t] = in[t] * (k + 1);
        bar.wait(bar.arrive());
        found = 5 * found + sum;
        bar.wait(bar.arrive());
    }
    out[t] = found;
}

// Tiles that are copied together, two at a time, and used.
extern "C" __global__ void copied(int *out, const int *in, int n) {
    __shared__ int tile[2][256];
    __shared__ barrier bars[2];
    auto block = cg::this_thread_block();
    int size = blockDim.x;
    if (block.thread_rank() == 0) {
        init(&bars[0], size);
        init(&bars[1], size);
    }
    block.sync();
    cuda::memcpy_async(block, tile[0], in, sizeof(int) * size, bars[0]);
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (k + 1 < n)
            cuda::memcpy_async(block, tile[(k + 1) % 2], in + (k + 1) * size,
                               cuda::aligned_size_t<4>(sizeof(int) * size), bars[(k + 1) % 2]);
        bars[k % 2].arrive_and_wait();
        sum = 3 * sum + tile[k % 2][size - 1 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}

template <int Stages, class Pipe>
__device__ int staged(Pipe &pipe, int (*tile)[256], const int *in, int n, bool fills, bool uses, int rank, int step) {
    int size = blockDim.x, sum = 0;
    for (int k = 0, filled = 0; k < n; k++) {
        for (; filled < n && filled < k + Stages; filled++)
            if (fills) {
                pipe.producer_acquire();
                for (int i = rank; i < size; i += step)
                    cuda::memcpy_async(tile[filled % Stages] + i, in + filled * size + i, sizeof(int), pipe);
                pipe.producer_commit();
            }
        if (uses) {
            pipe.consumer_wait();
            sum = 3 * sum + tile[k % Stages][size - 1 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    return sum;
}

// A pipeline of three stages: all fill and use.
extern "C" __global__ void pipelined(int *out, const int *in, int n) {
    __shared__ int tile[3][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    out[threadIdx.x] = staged<3>(pipe, tile, in, n, true, true, threadIdx.x, blockDim.x);
}

// Some fill, others use: here the first, here every second one.
extern "C" __global__ void with_producers(int *out, const int *in, int n) {
    __shared__ int tile[2][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool fills = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, size_t(32));
    out[threadIdx.x] = staged<2>(pipe, tile, in, n, fills, !fills, threadIdx.x, 32);
}
extern "C" __global__ void with_roles(int *out, const int *in, int n) {
    __shared__ int tile[2][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool fills = threadIdx.x & 1;
    auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    out[threadIdx.x] = staged<2>(pipe, tile, in, n, fills, !fills, threadIdx.x / 2, blockDim.x / 2);
}

extern "C" __global__ void own_pipeline(int *out, const int *in, int n) {
    __shared__ int tile[2][256];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[k % 2][threadIdx.x], in + k * blockDim.x + threadIdx.x, sizeof(int), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        sum = 3 * sum + tile[k % 2][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void latched(int *out, const int *in, int n) {
    __shared__ alignas(cuda::latch<cuda::thread_scope_block>) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto &done = *reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(room);
    __shared__ int a[256];
    int t = threadIdx.x, size = blockDim.x;
    if (t == 0) new (&done) cuda::latch<cuda::thread_scope_block>(size);
    __syncthreads();
    a[t] = in[t];
    if (t % 2) done.arrive_and_wait();
    else {
        done.count_down();
        done.wait();
    }
    out[t] = a[size - 1 - t] + (done.try_wait() ? n : 0);
}

// Turns, downwards: each thread waits for the permit that the one after it gives.
extern "C" __global__ void permits(int *out, const int *in, int n) {
    using semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
    __shared__ alignas(semaphore) char room[256 * sizeof(semaphore)];
    auto *mine = reinterpret_cast<semaphore *>(room) + threadIdx.x;
    __shared__ unsigned sum;
    new (mine) semaphore(threadIdx.x + 1 == blockDim.x);
    if (threadIdx.x == 0) sum = n;
    __syncthreads();
    mine->acquire();
    sum = 3 * sum + in[threadIdx.x];
    out[threadIdx.x] = sum;
    if (threadIdx.x) mine[-1].release();
}

extern "C" __global__ void primitives(int *out, const int *in, int n) {
    __shared__ __mbarrier_t bar;
    __shared__ int a[256];
    int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        a[t] = in[t] + k;
        __mbarrier_token_t token = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, token)) {}
        sum += a[blockDim.x - 1 - t];
        (void)__mbarrier_arrive(&bar);
        while (!__mbarrier_try_wait_parity(&bar, 1)) {}
    }
    out[t] = sum + (__mbarrier_maximum_count() == (1 << 20) - 1);
}

// Among operations of the warp.
extern "C" __global__ void with_shuffles(int *out, const int *in, int n) {
    __shared__ barrier bar;
    __shared__ alignas(cuda::latch<cuda::thread_scope_block>) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto &done = *reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(room);
    __shared__ int sums[8];
    int t = threadIdx.x, warps = blockDim.x / 32;
    if (t == 0) {
        init(&bar, blockDim.x);
        new (&done) cuda::latch<cuda::thread_scope_block>(warps);
    }
    __syncthreads();
    int v = in[t];
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    if (t % 32 == 0) sums[t / 32] = v;
    if (t % 32 == 0) done.count_down();
    if (t < 32) done.wait();
    bar.arrive_and_wait();
    int sum = n;
    for (int w = 0; w < warps; w++) sum += sums[w];
    out[t] = sum;
}

// Waits that end: one whose time is over, then one that the last arrival ends.
extern "C" __global__ void for_some_time(int *out, const int *in, int n) {
    using namespace cuda::std::chrono;
    __shared__ barrier bar;
    int t = threadIdx.x, late = blockDim.x - 1;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    barrier::arrival_token first;
    if (t != late) first = bar.arrive();
    bool early = t == 0 && bar.try_wait_for(std::move(first), microseconds(50));
    bool then = t == 0 && bar.try_wait_parity_until(false, system_clock::now() + nanoseconds(1));
    __syncthreads();
    if (t == late) (void)bar.arrive();
    bool over = bar.try_wait_parity_for(false, seconds(20));
    out[t] = 4 * early + 2 * then + over + in[t];
}

// Each thread waits for the one before it, which tells by an atomic object.
extern "C" __global__ void by_turns(int *out, const int *in, int n) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    int t = threadIdx.x, warp = t / 32;
    if (t == 0) turn.store(0);
    __syncthreads();
    int seen = turn.load();
    while (seen != warp) {
        turn.wait(seen, cuda::memory_order_acquire);
        seen = turn.load(cuda::memory_order_acquire);
    }
    out[t] = in[t] + seen;
    __syncwarp();
    if (t % 32 == 0) {
        turn.store(warp + 1, cuda::memory_order_release);
        turn.notify_all();
    }
}

// Copies in bulk, whose bytes a barrier waits for.
extern "C" __global__ void in_bulk(int *out, const int *in, int n) {
    __shared__ barrier bar;
    __shared__ alignas(16) int buffer[64];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        barrier::arrival_token token;
        if (t == 0) {
            cuda::device::memcpy_async_tx(buffer, in + 64 * k, cuda::aligned_size_t<16>(sizeof buffer), bar);
            token = cuda::device::barrier_arrive_tx(bar, 1, sizeof buffer);
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        for (int i = t; i < 64; i += blockDim.x) out[64 * k + i] = 3 * buffer[63 - i];
        __syncthreads();
    }
}

// The same by the instructions' names, and back to global memory.
extern "C" __global__ void by_instructions(int *out, const int *in, int n) {
    namespace ptx = cuda::ptx;
    __shared__ alignas(8) uint64_t word;
    __shared__ alignas(16) int buffer[64], result[64];
    unsigned t = ptx::get_sreg_tid_x();
    if (t == 0) {
        ptx::mbarrier_init(&word, blockDim.x);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        uint64_t state;
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer, in + 64 * k, sizeof buffer, &word);
            state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word,
                                                   sizeof buffer);
        } else {
            state = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word);
        }
        if (k % 2 == 0)
            while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &word, state));
        else
            while (!ptx::mbarrier_try_wait_parity(&word, k & 1));
        for (unsigned i = t; i < 64; i += ptx::get_sreg_ntid_x()) result[i] = 3 * buffer[63 - i];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64 * k, result, sizeof result);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}
