// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types: their layout, make_*, whole and by component, in memory, in registers and as arguments.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void float4_load_store(float4 *out, const float4 *in) {
    float4 v = in[index()];
    v.y *= 2;
    out[index()] = v + make_float4(1, 2, 3, 4);
}

// Three floats aren't padded.
__global__ void float3_is_packed(float3 *out, const float *in) {
    int i = index();
    out[i] = make_float3(in[3 * i + 2], in[3 * i + 1], in[3 * i]);
}

// A plain array read and written as vectors.
__global__ void array_as_vectors(int *out, const int *in) {
    int4 v = reinterpret_cast<const int4 *>(in)[index()];
    reinterpret_cast<int2 *>(out)[2 * index()] = make_int2(v.w, v.z);
    reinterpret_cast<int2 *>(out)[2 * index() + 1] = make_int2(v.y, v.x);
}

__global__ void bytes_and_shorts(uchar4 *bytes, short2 *shorts, const unsigned *in) {
    unsigned v = in[index()];
    bytes[index()] = make_uchar4(v, v >> 8, v >> 16, v >> 24);
    short2 s;
    s.x = (short)v;
    s.y = (short)(v >> 16);
    shorts[index()] = s;
}

__global__ void doubles_and_longs(double2 *doubles, longlong2 *longs, ulonglong2 *more, const double2 *in) {
    double2 v = in[index()];
    doubles[index()] = make_double2(v.y, v.x + 0.5);
    longs[index()] = make_longlong2((long long)v.x, -(long long)v.y);
    more[index()].x = (unsigned long long)v.x;
    more[index()].y = 7;
}

__global__ void by_value(float *out, float4 factor, int2 offset, uchar3 small) {
    int i = index();
    out[i] = factor.x * i + factor.y + factor.z * offset.x + factor.w * offset.y + small.x + small.y * 2 + small.z * 3;
}

// One component chosen by an index, through the address of the first.
__global__ void component_by_index(unsigned *out, const uint4 *in) {
    uint4 v = in[index()];
    out[index()] = (&v.x)[index() % 4];
}

__global__ void sizes_and_alignments(int *out) {
    if (index() == 0) {
        int sizes[] = {sizeof(char3),  sizeof(short3), sizeof(float3),  sizeof(float4), sizeof(double3),
                       sizeof(uint2),  sizeof(dim3),   alignof(float2), alignof(int4),  alignof(double2),
                       alignof(float3)};
        int i = 0;
        for (int size : sizes)
            out[i++] = size;
    }
}

__global__ void dim3_counts(unsigned *out) {
    dim3 two(3, 4), one = dim3(5), whole = dim3(blockDim);
    out[index()] = two.x * two.y * two.z + one.x * one.y * one.z * 100 + whole.x * 10000;
}
