// SPDX-License-Identifier: Apache-2.0
// mma_sync: D = A B + C.
#ifndef LANEWISE_MATRICES_PRODUCTS_H
#define LANEWISE_MATRICES_PRODUCTS_H

#include "lanewise/matrices/fragments.h"

namespace nvcuda {
namespace wmma {

#define __LW_MULTIPLY(text, in_d, in_a, in_b, in_c, letter_d, letter_a, letter_c)                                \
  asm volatile("wmma.mma.sync.aligned." text " " __LW_LIST_##in_d("d") ", " __LW_LIST_##in_a("a")                \
               ", " __LW_LIST_##in_b("b") ", " __LW_LIST_##in_c("c") ";"                                         \
               : __LW_OPERANDS_##in_d(d, "=" letter_d)                                                           \
               : __LW_OPERANDS_##in_a(a, letter_a), __LW_OPERANDS_##in_b(b, letter_a),                           \
                 __LW_OPERANDS_##in_c(c, letter_c))

// `reg` and `letter` are those of A and B, `sum` and `letter_d` of D, `start` and `letter_c` of C.
#define __LW_PRODUCT(m, n, k, type, to, from, la, lb, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d,  \
                     letter, letter_c, saturated)                                                                \
  __LW_DEVICE__ void mma_sync(fragment<accumulator, m, n, k, to> &sums,                                          \
                              const fragment<matrix_a, m, n, k, type, la##_major> &left,                         \
                              const fragment<matrix_b, m, n, k, type, lb##_major> &right,                        \
                              const fragment<accumulator, m, n, k, from> &before, bool satf = false) {           \
    __lw_registers<sum, in_d> d;                                                                                 \
    __lw_registers<reg, in_a> a;                                                                                 \
    __lw_registers<reg, in_b> b;                                                                                 \
    __lw_registers<start, in_c> c;                                                                               \
    a.get(left);                                                                                                 \
    b.get(right);                                                                                                \
    c.get(before);                                                                                               \
    if (satf)                                                                                                    \
      __LW_MULTIPLY(#la "." #lb ".m" #m "n" #n "k" #k "." words saturated, in_d, in_a, in_b, in_c, letter_d,     \
                    letter, letter_c);                                                                           \
    else                                                                                                         \
      __LW_MULTIPLY(#la "." #lb ".m" #m "n" #n "k" #k "." words, in_d, in_a, in_b, in_c, letter_d, letter,       \
                    letter_c);                                                                                   \
    d.put(sums);                                                                                                 \
  }
#define __LW_PRODUCTS(m, n, k, type, to, from, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d, letter, \
                      letter_c, saturated)                                                                       \
  __LW_PRODUCT(m, n, k, type, to, from, row, row, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d,      \
               letter, letter_c, saturated)                                                                      \
  __LW_PRODUCT(m, n, k, type, to, from, row, col, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d,      \
               letter, letter_c, saturated)                                                                      \
  __LW_PRODUCT(m, n, k, type, to, from, col, row, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d,      \
               letter, letter_c, saturated)                                                                      \
  __LW_PRODUCT(m, n, k, type, to, from, col, col, words, in_d, in_a, in_b, in_c, sum, reg, start, letter_d,      \
               letter, letter_c, saturated)

#define __LW_OF_HALVES(m, n)                                                                                     \
  __LW_PRODUCTS(m, n, 16, __half, float, float, "f32.f32", 8, 8, 8, 8, float, unsigned int, float, "f", "r",     \
                "f", "")                                                                                         \
  __LW_PRODUCTS(m, n, 16, __half, __half, __half, "f16.f16", 4, 8, 8, 4, unsigned int, unsigned int,             \
                unsigned int, "r", "r", "r", "")                                                                 \
  __LW_PRODUCTS(m, n, 16, __half, float, __half, "f32.f16", 8, 8, 8, 4, float, unsigned int, unsigned int, "f",  \
                "r", "r", "")                                                                                    \
  __LW_PRODUCTS(m, n, 16, __half, __half, float, "f16.f32", 4, 8, 8, 8, unsigned int, unsigned int, float, "r",  \
                "r", "f", "")
__LW_OF_HALVES(16, 16)
__LW_OF_HALVES(32, 8)
__LW_OF_HALVES(8, 32)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define __LW_OF_BYTES(m, n, in_a, in_b)                                                                          \
  __LW_PRODUCTS(m, n, 16, signed char, int, int, "s32.s8.s8.s32", 8, in_a, in_b, 8, int, unsigned int, int, "r", \
                "r", "r", ".satfinite")                                                                          \
  __LW_PRODUCTS(m, n, 16, unsigned char, int, int, "s32.u8.u8.s32", 8, in_a, in_b, 8, int, unsigned int, int,    \
                "r", "r", "r", ".satfinite")
__LW_OF_BYTES(16, 16, 2, 2)
__LW_OF_BYTES(32, 8, 4, 1)
__LW_OF_BYTES(8, 32, 1, 4)
#undef __LW_OF_BYTES
#endif

#if __LW_HAS_TF32_MATRICES
#define __LW_OF_FLOATS(m, n, k, type, words, in_a, in_b)                                                         \
  __LW_PRODUCTS(m, n, k, type, float, float, words, 8, in_a, in_b, 8, float, unsigned int, float, "f", "r", "f", "")
__LW_OF_FLOATS(16, 16, 16, __nv_bfloat16, "f32.bf16.bf16.f32", 4, 4)
__LW_OF_FLOATS(32, 8, 16, __nv_bfloat16, "f32.bf16.bf16.f32", 8, 2)
__LW_OF_FLOATS(8, 32, 16, __nv_bfloat16, "f32.bf16.bf16.f32", 2, 8)
__LW_OF_FLOATS(16, 16, 8, precision::tf32, "f32.tf32.tf32.f32", 4, 4)
__LW_PRODUCTS(8, 8, 4, double, double, double, "f64.f64.f64.f64", 2, 1, 1, 2, double, double, double, "d", "d", "d", "")
#undef __LW_OF_FLOATS
#endif

#undef __LW_OF_HALVES
#undef __LW_PRODUCTS
#undef __LW_PRODUCT
#undef __LW_MULTIPLY

}  // namespace wmma
}  // namespace nvcuda

#endif
