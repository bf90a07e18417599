// SPDX-License-Identifier: Apache-2.0
// Complex numbers in single and double precision, as float2 and double2.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// f: the suffix of the float functions. Quotients and absolute values are scaled by the larger
// part, so that no intermediate result overflows where the result doesn't.
#define __LW_COMPLEX(type, complex, f, largest)                                                                  \
  __LW_HOST_DEVICE__ complex make_##complex(type real, type imaginary) { return complex{real, imaginary}; }      \
  __LW_HOST_DEVICE__ type cuCreal##f(complex x) { return x.x; }                                                  \
  __LW_HOST_DEVICE__ type cuCimag##f(complex x) { return x.y; }                                                  \
  __LW_HOST_DEVICE__ complex cuConj##f(complex x) { return complex{x.x, -x.y}; }                                 \
  __LW_HOST_DEVICE__ complex cuCadd##f(complex x, complex y) { return complex{x.x + y.x, x.y + y.y}; }           \
  __LW_HOST_DEVICE__ complex cuCsub##f(complex x, complex y) { return complex{x.x - y.x, x.y - y.y}; }           \
  __LW_HOST_DEVICE__ complex cuCmul##f(complex x, complex y) {                                                   \
    return complex{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                                                \
  }                                                                                                              \
  __LW_HOST_DEVICE__ complex cuCdiv##f(complex x, complex y) {                                                   \
    type scale = type(1) / (__builtin_fabs##f(y.x) + __builtin_fabs##f(y.y));                                    \
    complex a = {x.x * scale, x.y * scale}, b = {y.x * scale, y.y * scale};                                      \
    type inverse = type(1) / (b.x * b.x + b.y * b.y);                                                            \
    return complex{(a.x * b.x + a.y * b.y) * inverse, (a.y * b.x - a.x * b.y) * inverse};                        \
  }                                                                                                              \
  __LW_HOST_DEVICE__ type cuCabs##f(complex x) {                                                                 \
    type a = __builtin_fabs##f(x.x), b = __builtin_fabs##f(x.y);                                                 \
    type larger = a > b ? a : b, smaller = a > b ? b : a;                                                        \
    if (larger == 0 || larger > largest || smaller > largest)                                                    \
      return a + b;                                                                                              \
    type ratio = smaller / larger;                                                                               \
    return larger * __builtin_sqrt##f(type(1) + ratio * ratio);                                                  \
  }                                                                                                              \
  __LW_HOST_DEVICE__ complex cuCfma##f(complex x, complex y, complex d) {                                        \
    type real = x.x * y.x + d.x, imaginary = x.x * y.y + d.y;                                                    \
    return complex{real - x.y * y.y, x.y * y.x + imaginary};                                                     \
  }

__LW_COMPLEX(float, cuFloatComplex, f, __FLT_MAX__)
__LW_COMPLEX(double, cuDoubleComplex, , __DBL_MAX__)
#undef __LW_COMPLEX

__LW_HOST_DEVICE__ cuComplex make_cuComplex(float real, float imaginary) { return cuComplex{real, imaginary}; }
__LW_HOST_DEVICE__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return cuDoubleComplex{x.x, x.y}; }
__LW_HOST_DEVICE__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return cuFloatComplex{static_cast<float>(x.x), static_cast<float>(x.y)};
}

#endif
