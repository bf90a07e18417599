// SPDX-License-Identifier: Apache-2.0
// Transcendental functions of half precision and bfloat16, some of which PTX has no instruction for.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> struct PairOf;
template <> struct PairOf<__half> { typedef __half2 type; };
template <> struct PairOf<__nv_bfloat16> { typedef __nv_bfloat162 type; };

template <class T> __global__ void transcendentals(float *out, const T *a) {
    T x = a[index()];
    float *o = out + 11 * index();
    *o++ = float(hexp(x));
    *o++ = float(hexp2(x));
    *o++ = float(hexp10(x));
    *o++ = float(hlog(__habs(x)));
    *o++ = float(hlog2(__habs(x)));
    *o++ = float(hlog10(__habs(x)));
    *o++ = float(hsin(x));
    *o++ = float(hcos(x));
    *o++ = float(htanh(x));
    *o++ = float(htanh_approx(x));
    *o++ = float(h2sqrt(typename PairOf<T>::type(__habs(x), x)).x);
}
template __global__ void transcendentals(float *, const __half *);
template __global__ void transcendentals(float *, const __nv_bfloat16 *);
