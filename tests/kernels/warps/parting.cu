// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp meet at different instructions, which is one meeting since Volta: PTX ISA, "bar.warp.sync".
// Blocks have one row.
constexpr unsigned FULL = 0xffffffff;

// The lower half stores between two barriers what the upper one, elsewhere, loads after the first.
extern "C" __global__ void exchange(int *out, const int *in) {
    __shared__ int a[1024], b[1024];
    int i = threadIdx.x, lane = i % 32, other = i ^ 16, g = blockIdx.x * blockDim.x + i;
    if (lane < 16) {
        a[i] = in[g];
        __syncwarp();
        __syncwarp();
        out[g] = b[other];
    } else {
        __syncwarp();
        b[i] = a[other] + 1;
        __syncwarp();
        out[g] = in[g];
    }
}

extern "C" __global__ void shuffles(int *out, const int *in) {
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    if (i & 1)
        out[g] = __shfl_sync(FULL, in[g], i % 32 - 1);
    else
        out[g] = __shfl_sync(FULL, in[g] + 1, i % 32 + 3);
}

extern "C" __global__ void votes(int *out, const int *in) {
    int g = blockIdx.x * blockDim.x + threadIdx.x, v = in[g];
    switch (v % 3) {
    case 0: out[g] = __ballot_sync(FULL, v & 1) + __any_sync(FULL, v > 5); break;
    case 1: out[g] = 3 * __ballot_sync(FULL, v & 2) + __any_sync(FULL, v > 9); break;
    default: out[g] = __ballot_sync(FULL, v & 4) - __any_sync(FULL, v > 7);
    }
}

extern "C" __global__ void reductions(int *out, const int *in) {
    int g = blockIdx.x * blockDim.x + threadIdx.x, v = in[g];
    if (v & 1)
        out[g] = __reduce_add_sync(FULL, v) + __match_any_sync(FULL, v % 4);
    else
        out[g] = __reduce_add_sync(FULL, 2 * v) - __match_any_sync(FULL, v % 8);
}

// Each lane skips the barrier in some turns of the loop; those that are through meet it at the one behind.
extern "C" __global__ void turns(int *out, const int *in) {
    __shared__ int a[1024];
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i, sum = 0;
    a[i] = in[g];
    __syncwarp();
    for (int k = 0; k < 2; k++)
        if (k == (i & 1)) {
            sum = 10 * sum + a[i ^ 1];
            __syncwarp();
            a[i] = sum + k;
        }
    __syncwarp();
    out[g] = 100 * sum + a[i ^ 1];
}

// The block meets, too, and those that return are not waited for.
extern "C" __global__ void with_barriers(int *out, const int *in) {
    __shared__ int a[1024];
    int i = threadIdx.x, lane = i % 32, g = blockIdx.x * blockDim.x + i, n = blockDim.x;
    a[i] = in[g];
    __syncthreads();
    int v = a[n - 1 - i];
    if (lane < 16) __syncwarp(); else { __syncwarp(); v += 1; }
    int votes = __syncthreads_count(v & 1);
    a[i] = v + votes;
    if (lane % 4 == 3) {
        out[g] = v;
        return;
    }
    int others = lane < 16 ? __shfl_xor_sync(FULL, v, 1) : __shfl_xor_sync(FULL, v + 7, 1);
    __syncthreads();
    out[g] = a[i] + (lane % 4 == 2 ? 0 : others) + __popc(__activemask());
}

// The loop waits for another lane of the warp.
extern "C" __global__ void by_turns(int *out, int *turn) {
    int i = threadIdx.x;
    while (atomicAdd(&turn[blockIdx.x], 0) != i);
    out[blockIdx.x * blockDim.x + i] = ++turn[gridDim.x + blockIdx.x];
    __threadfence();
    atomicAdd(&turn[blockIdx.x], 1);
    __syncwarp();
}

extern "C" __global__ void waits_for_ever(int *out, const int *in) {
    if (threadIdx.x < 16) { __syncwarp(); out[threadIdx.x] = 1; }
    else if (threadIdx.x == 40) __syncwarp();
    else { __shfl_sync(FULL, in[0], 0); __syncthreads(); __syncwarp(); }
    __syncwarp();
}

extern "C" __global__ void lacks_itself(int *out, const int *in) {
    out[threadIdx.x] = __shfl_sync(0xff, in[threadIdx.x], 0);
}
