// global 138, local 256, offset 0, data 9
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { int a; float f; short s; long l; } Options;
__kernel void run(__global ulong *out, __global uint *totals, __global const uint *in,
                  __global const float *fin, int n, int m, Options options, __global uint *words,
                  __global ulong *lines, __global float *wave, float4 quad, __local uint *given) {
    const uint item = get_local_id(0);
    half8 x = convert_half8((uchar8)((uchar)item));
    half8 fused = mix(x, (half8)((half)(fin[in[m & 63] & 7])), (half8)((half)0));
    vstore8(as_ushort8(fused), get_global_id(0), (__global ushort *)out);
}
