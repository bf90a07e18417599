// SPDX-License-Identifier: Apache-2.0
// load_matrix_sync and store_matrix_sync. `stride` is the number of elements from one row, or column, to the next.
#ifndef LANEWISE_MATRICES_LOADS_AND_STORES_H
#define LANEWISE_MATRICES_LOADS_AND_STORES_H

#include "lanewise/matrices/fragments.h"

namespace nvcuda {
namespace wmma {

#define __LW_LOAD(letter, layout, shape, word, count, constraint)                                                \
  asm volatile("wmma.load." letter ".sync.aligned." layout "." shape "." word " " __LW_LIST_##count("v")         \
               ", [%[from]], %[stride];"                                                                         \
               : __LW_OPERANDS_##count(v, "=" constraint)                                                        \
               : [from] "l"(from), [stride] "r"(stride)                                                          \
               : "memory")
#define __LW_STORE(layout, shape, word, count, constraint)                                                       \
  asm volatile("wmma.store.d.sync.aligned." layout "." shape "." word " [%[to]], " __LW_LIST_##count("v")        \
               ", %[stride];"                                                                                    \
               :                                                                                                 \
               : [to] "l"(to), [stride] "r"(stride), __LW_OPERANDS_##count(v, constraint)                        \
               : "memory")

// A or B in one layout.
#define __LW_LOAD_MATRIX(letter, layout, m, n, k, type, element, word, count, reg, constraint)                   \
  __LW_DEVICE__ void load_matrix_sync(fragment<matrix_##letter, m, n, k, type, layout##_major> &f,               \
                                      const element *from, unsigned int stride) {                                \
    __lw_registers<reg, count> v;                                                                                \
    __LW_LOAD(#letter, #layout, "m" #m "n" #n "k" #k, word, count, constraint);                                  \
    v.put(f);                                                                                                    \
  }
#define __LW_LOAD_MATRICES(m, n, k, type, element, word, in_a, in_b, reg, constraint)                            \
  __LW_LOAD_MATRIX(a, row, m, n, k, type, element, word, in_a, reg, constraint)                                  \
  __LW_LOAD_MATRIX(a, col, m, n, k, type, element, word, in_a, reg, constraint)                                  \
  __LW_LOAD_MATRIX(b, row, m, n, k, type, element, word, in_b, reg, constraint)                                  \
  __LW_LOAD_MATRIX(b, col, m, n, k, type, element, word, in_b, reg, constraint)

// An accumulator, whose layout in memory is known when the code runs.
#define __LW_ACCUMULATOR(m, n, k, type, word, count, reg, constraint)                                            \
  __LW_DEVICE__ void load_matrix_sync(fragment<accumulator, m, n, k, type> &f, const type *from,                 \
                                      unsigned int stride, layout_t layout) {                                    \
    __lw_registers<reg, count> v;                                                                                \
    if (layout == mem_row_major)                                                                                 \
      __LW_LOAD("c", "row", "m" #m "n" #n "k" #k, word, count, constraint);                                      \
    else                                                                                                         \
      __LW_LOAD("c", "col", "m" #m "n" #n "k" #k, word, count, constraint);                                      \
    v.put(f);                                                                                                    \
  }                                                                                                              \
  __LW_DEVICE__ void store_matrix_sync(type *to, const fragment<accumulator, m, n, k, type> &f,                  \
                                       unsigned int stride, layout_t layout) {                                   \
    __lw_registers<reg, count> v;                                                                                \
    v.get(f);                                                                                                    \
    if (layout == mem_row_major)                                                                                 \
      __LW_STORE("row", "m" #m "n" #n "k" #k, word, count, constraint);                                          \
    else                                                                                                         \
      __LW_STORE("col", "m" #m "n" #n "k" #k, word, count, constraint);                                          \
  }

#define __LW_HALVES(m, n)                                                                                        \
  __LW_LOAD_MATRICES(m, n, 16, __half, __half, "f16", 8, 8, unsigned int, "r")                                   \
  __LW_ACCUMULATOR(m, n, 16, __half, "f16", 4, unsigned int, "r")                                                \
  __LW_ACCUMULATOR(m, n, 16, float, "f32", 8, float, "f")
__LW_HALVES(16, 16)
__LW_HALVES(32, 8)
__LW_HALVES(8, 32)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define __LW_BYTES(m, n, in_a, in_b)                                                                             \
  __LW_LOAD_MATRICES(m, n, 16, signed char, signed char, "s8", in_a, in_b, unsigned int, "r")                    \
  __LW_LOAD_MATRICES(m, n, 16, unsigned char, unsigned char, "u8", in_a, in_b, unsigned int, "r")                \
  __LW_ACCUMULATOR(m, n, 16, int, "s32", 8, int, "r")
__LW_BYTES(16, 16, 2, 2)
__LW_BYTES(32, 8, 4, 1)
__LW_BYTES(8, 32, 1, 4)
#undef __LW_BYTES
#endif

#if __LW_HAS_TF32_MATRICES
__LW_LOAD_MATRICES(16, 16, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 4, 4, unsigned int, "r")
__LW_LOAD_MATRICES(32, 8, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 8, 2, unsigned int, "r")
__LW_LOAD_MATRICES(8, 32, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 2, 8, unsigned int, "r")
__LW_LOAD_MATRICES(16, 16, 8, precision::tf32, float, "tf32", 4, 4, unsigned int, "r")
__LW_ACCUMULATOR(16, 16, 8, float, "f32", 8, float, "f")
__LW_LOAD_MATRICES(8, 8, 4, double, double, "f64", 1, 1, double, "d")
__LW_ACCUMULATOR(8, 8, 4, double, "f64", 2, double, "d")
#endif

#undef __LW_HALVES
#undef __LW_ACCUMULATOR
#undef __LW_LOAD_MATRICES
#undef __LW_LOAD_MATRIX
#undef __LW_STORE
#undef __LW_LOAD

}  // namespace wmma
}  // namespace nvcuda

#endif
