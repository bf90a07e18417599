// SPDX-License-Identifier: Apache-2.0
// How shared memory is declared: static, of a template, in a function, dynamic, aligned.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename T, int N> __global__ void of_template(T *out, const T *in) {
    __shared__ T room[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        room[i] = in[(blockIdx.x * blockDim.x + i) % (gridDim.x * blockDim.x)];
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum += room[i];
    out[index()] = sum;
}

__device__ int *room_of_function() {
    __shared__ int room[64];
    return room;
}

__global__ void address_from_function(int *out, const int *in) {
    room_of_function()[threadIdx.x] = in[index()];
    __syncthreads();
    out[index()] = room_of_function()[blockDim.x - 1 - threadIdx.x];
}

extern __shared__ char bytes[];

// The dynamic memory is one; here it is seen as two types, after a static array.
__global__ void dynamic_bytes(double *out, const int *in) {
    __shared__ int fixed[3];
    int n = blockDim.x;
    double *reals = reinterpret_cast<double *>(bytes);
    int *whole = reinterpret_cast<int *>(bytes + n * sizeof(double));
    reals[threadIdx.x] = in[index()] * 0.5;
    whole[threadIdx.x] = in[index()] % 10;
    if (threadIdx.x < 3)
        fixed[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[index()] = reals[n - 1 - threadIdx.x] + whole[(threadIdx.x + 1) % n] + fixed[n > 2 ? 2 : 0];
}

struct __align__(16) Wide {
    float4 v;
    int tag;
};

__global__ void aligned_structs(float *out, const float *in) {
    __shared__ char odd;
    __shared__ Wide wide[64];
    odd = 1;
    float x = in[index()];
    wide[threadIdx.x] = {make_float4(x, x + 1, x + 2, x + 3), (int)threadIdx.x};
    __syncthreads();
    Wide w = wide[blockDim.x - 1 - threadIdx.x];
    out[index()] = w.v.x + w.v.y * 2 + w.v.z * 3 + w.v.w * 4 + w.tag + odd + sizeof(Wide);
}

// More than four dimensions' worth of index arithmetic.
__global__ void four_dimensional(int *out) {
    __shared__ short room[2][3][4][5];
    for (int i = threadIdx.x; i < 120; i += blockDim.x)
        room[i / 60][i / 20 % 3][i / 5 % 4][i % 5] = i;
    __syncthreads();
    int i = index() % 120;
    out[index()] = room[1 - i / 60][2 - i / 20 % 3][3 - i / 5 % 4][4 - i % 5];
}
