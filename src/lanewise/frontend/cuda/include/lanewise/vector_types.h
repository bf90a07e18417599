// SPDX-License-Identifier: Apache-2.0
// The short vectors char1 ... double4 with the sizes and alignments of the CUDA C++ Programming Guide, dim3, make_*.
#ifndef LANEWISE_VECTOR_TYPES_H
#define LANEWISE_VECTOR_TYPES_H

#include "lanewise/qualifiers.h"

#ifdef __cplusplus
#define __LW_MADE(type, ...) return type{__VA_ARGS__};
#else
#define __LW_MADE(type, ...) return (type){__VA_ARGS__};
#endif

#define __LW_VECTOR(name, type, align2, align4)                                                                  \
  typedef struct name##1 {                                                                                       \
    type x;                                                                                                      \
  } name##1;                                                                                                     \
  typedef struct __align__(align2) name##2 {                                                                     \
    type x, y;                                                                                                   \
  } name##2;                                                                                                     \
  typedef struct name##3 {                                                                                       \
    type x, y, z;                                                                                                \
  } name##3;                                                                                                     \
  typedef struct __align__(align4) name##4 {                                                                     \
    type x, y, z, w;                                                                                             \
  } name##4;                                                                                                     \
  __LW_HOST_DEVICE__ name##1 make_##name##1(type x) { __LW_MADE(name##1, x) }                                    \
  __LW_HOST_DEVICE__ name##2 make_##name##2(type x, type y) { __LW_MADE(name##2, x, y) }                         \
  __LW_HOST_DEVICE__ name##3 make_##name##3(type x, type y, type z) { __LW_MADE(name##3, x, y, z) }              \
  __LW_HOST_DEVICE__ name##4 make_##name##4(type x, type y, type z, type w) {                                    \
    __LW_MADE(name##4, x, y, z, w)                                                                               \
  }

__LW_VECTOR(char, signed char, 2, 4)
__LW_VECTOR(uchar, unsigned char, 2, 4)
__LW_VECTOR(short, short, 4, 8)
__LW_VECTOR(ushort, unsigned short, 4, 8)
__LW_VECTOR(int, int, 8, 16)
__LW_VECTOR(uint, unsigned int, 8, 16)
__LW_VECTOR(long, long, 16, 16)
__LW_VECTOR(ulong, unsigned long, 16, 16)
__LW_VECTOR(longlong, long long, 16, 16)
__LW_VECTOR(ulonglong, unsigned long long, 16, 16)
__LW_VECTOR(float, float, 8, 16)
__LW_VECTOR(double, double, 16, 16)

#undef __LW_VECTOR
#undef __LW_MADE

#ifdef __CUDA__
#define __LW_MEMBER__ __host__ __device__ __attribute__((nodebug)) constexpr
#elif defined(__cplusplus)
#define __LW_MEMBER__ constexpr
#endif
typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __LW_MEMBER__ dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __LW_MEMBER__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __LW_MEMBER__ operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;
#undef __LW_MEMBER__

#endif
