// SPDX-License-Identifier: Apache-2.0
// What the definitions of built-in functions have in common. A unit is a file compiled with -DELEMENT=float or the
// like: one definition in it stands for those of a type and its vectors, for which it is written once, with
// operators and clang's elementwise functions, or made from that of a single component.
#ifndef LANEWISE_OPENCL_TYPES_H
#define LANEWISE_OPENCL_TYPES_H

#include "../include/opencl-c-base.h"

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define OVERLOAD __attribute__((overloadable))

// Where a work-item is. compile.py gives these functions the names of LLVM's intrinsics when all is linked. Here LLVM
// must not know them: it takes their values to be below the limits of CUDA, and writes that into what it compiles.
#define REGISTER(name)                                                                   \
  __attribute__((const)) uint __lw_read_##name##_x(void) __asm("lw.register." #name ".x"); \
  __attribute__((const)) uint __lw_read_##name##_y(void) __asm("lw.register." #name ".y"); \
  __attribute__((const)) uint __lw_read_##name##_z(void) __asm("lw.register." #name ".z");
REGISTER(tid) REGISTER(ntid) REGISTER(ctaid) REGISTER(nctaid)
#undef REGISTER
#define PRIVATE static inline __attribute__((overloadable, always_inline))

#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b

// A vector type of type `t`, which may be a macro.
#define V2(t) JOIN(t, 2)
#define V3(t) JOIN(t, 3)
#define V4(t) JOIN(t, 4)
#define V8(t) JOIN(t, 8)
#define V16(t) JOIN(t, 16)

// macro(t), macro(t2), ...; with more arguments, the same widths of those.
#define VECTORS(macro, t) macro(V2(t)) macro(V3(t)) macro(V4(t)) macro(V8(t)) macro(V16(t))
#define WIDTHS(macro, t) macro(t) VECTORS(macro, t)
#define VECTORS_2(macro, t, u) \
  macro(V2(t), V2(u)) macro(V3(t), V3(u)) macro(V4(t), V4(u)) macro(V8(t), V8(u)) macro(V16(t), V16(u))
#define WIDTHS_2(macro, t, u) macro(t, u) VECTORS_2(macro, t, u)
#define VECTORS_3(macro, t, u, v)                                                   \
  macro(V2(t), V2(u), V2(v)) macro(V3(t), V3(u), V3(v)) macro(V4(t), V4(u), V4(v)) \
  macro(V8(t), V8(u), V8(v)) macro(V16(t), V16(u), V16(v))
#define WIDTHS_3(macro, t, u, v) macro(t, u, v) VECTORS_3(macro, t, u, v)

// `name` of vectors of `t`, with results of vectors of `r`, by calls of it for parts. The second and third argument are
// vectors of `u` and `v`.
#define BY_COMPONENT_1(r, name, t)                                                                \
  OVERLOAD V2(r) name(V2(t) x) { return (V2(r))(name(x.x), name(x.y)); }                          \
  OVERLOAD V3(r) name(V3(t) x) { return (V3(r))(name(x.x), name(x.y), name(x.z)); }               \
  OVERLOAD V4(r) name(V4(t) x) { return (V4(r))(name(x.x), name(x.y), name(x.z), name(x.w)); }    \
  OVERLOAD V8(r) name(V8(t) x) { return (V8(r))(name(x.lo), name(x.hi)); }                        \
  OVERLOAD V16(r) name(V16(t) x) { return (V16(r))(name(x.lo), name(x.hi)); }

#define BY_COMPONENT_2(r, name, t, u)                                                             \
  OVERLOAD V2(r) name(V2(t) x, V2(u) y) { return (V2(r))(name(x.x, y.x), name(x.y, y.y)); }       \
  OVERLOAD V3(r) name(V3(t) x, V3(u) y) {                                                         \
    return (V3(r))(name(x.x, y.x), name(x.y, y.y), name(x.z, y.z));                               \
  }                                                                                               \
  OVERLOAD V4(r) name(V4(t) x, V4(u) y) { return (V4(r))(name(x.lo, y.lo), name(x.hi, y.hi)); }   \
  OVERLOAD V8(r) name(V8(t) x, V8(u) y) { return (V8(r))(name(x.lo, y.lo), name(x.hi, y.hi)); }   \
  OVERLOAD V16(r) name(V16(t) x, V16(u) y) { return (V16(r))(name(x.lo, y.lo), name(x.hi, y.hi)); }

#define BY_COMPONENT_3(r, name, t, u, v)                                                          \
  OVERLOAD V2(r) name(V2(t) x, V2(u) y, V2(v) z) {                                                \
    return (V2(r))(name(x.x, y.x, z.x), name(x.y, y.y, z.y));                                     \
  }                                                                                               \
  OVERLOAD V3(r) name(V3(t) x, V3(u) y, V3(v) z) {                                                \
    return (V3(r))(name(x.x, y.x, z.x), name(x.y, y.y, z.y), name(x.z, y.z, z.z));                \
  }                                                                                               \
  OVERLOAD V4(r) name(V4(t) x, V4(u) y, V4(v) z) {                                                \
    return (V4(r))(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                               \
  }                                                                                               \
  OVERLOAD V8(r) name(V8(t) x, V8(u) y, V8(v) z) {                                                \
    return (V8(r))(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                               \
  }                                                                                               \
  OVERLOAD V16(r) name(V16(t) x, V16(u) y, V16(v) z) {                                            \
    return (V16(r))(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                              \
  }

// `ELEMENT`'s integers of the same size, its bits, and whether it is signed.
#define SIGNED JOIN(SIGNED_, ELEMENT)
#define UNSIGNED JOIN(UNSIGNED_, ELEMENT)
#define BITS JOIN(BITS_, ELEMENT)
#define IS_SIGNED JOIN(IS_SIGNED_, ELEMENT)

#define SIGNED_char char
#define SIGNED_uchar char
#define SIGNED_short short
#define SIGNED_ushort short
#define SIGNED_int int
#define SIGNED_uint int
#define SIGNED_long long
#define SIGNED_ulong long
#define SIGNED_half short
#define SIGNED_float int
#define SIGNED_double long

#define UNSIGNED_char uchar
#define UNSIGNED_uchar uchar
#define UNSIGNED_short ushort
#define UNSIGNED_ushort ushort
#define UNSIGNED_int uint
#define UNSIGNED_uint uint
#define UNSIGNED_long ulong
#define UNSIGNED_ulong ulong
#define UNSIGNED_half ushort
#define UNSIGNED_float uint
#define UNSIGNED_double ulong

#define BITS_char 8
#define BITS_uchar 8
#define BITS_short 16
#define BITS_ushort 16
#define BITS_int 32
#define BITS_uint 32
#define BITS_long 64
#define BITS_ulong 64

#define IS_SIGNED_char 1
#define IS_SIGNED_uchar 0
#define IS_SIGNED_short 1
#define IS_SIGNED_ushort 0
#define IS_SIGNED_int 1
#define IS_SIGNED_uint 0
#define IS_SIGNED_long 1
#define IS_SIGNED_ulong 0

// The type that the mathematical library computes a function of `ELEMENT` in, and its function's name there.
#define COMPUTED JOIN(COMPUTED_, ELEMENT)
#define COMPUTED_half float
#define COMPUTED_float float
#define COMPUTED_double double

#define LIBRARY_NAME(name) JOIN(LIBRARY_NAME_, ELEMENT)(name)
#define LIBRARY_NAME_half(name) #name "f"
#define LIBRARY_NAME_float(name) #name "f"
#define LIBRARY_NAME_double(name) #name

// After a declaration: the function of the mathematical library that it declares.
#define LIBRARY(name) LIBRARY_(name)
#define LIBRARY_(name) __asm(LIBRARY_NAME(name))
#define PURE __attribute__((const))

#endif
