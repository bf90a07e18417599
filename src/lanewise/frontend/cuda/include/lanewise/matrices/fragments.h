// SPDX-License-Identifier: Apache-2.0
// Fragments: what a thread holds of a matrix. Lists of registers as operands of inline assembly.
#ifndef LANEWISE_MATRICES_FRAGMENTS_H
#define LANEWISE_MATRICES_FRAGMENTS_H

#include "lanewise/qualifiers.h"

#define __LW_HAS_TF32_MATRICES (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class Element, int count> struct __lw_elements {
  enum { num_elements = count, num_storage_elements = count };
  typedef Element element_type;
  typedef Element storage_element_type;
  Element x[count];
};

template <class Use, int m, int n, int k, class Element, class Layout = void> class fragment;

#define __LW_FRAGMENT(use, m, n, k, type, layout, element, count)                                                \
  template <> class fragment<use, m, n, k, type, layout> : public __lw_elements<element, count> {};
#define __LW_FRAGMENTS(m, n, k, type, element, in_a, in_b)                                                       \
  __LW_FRAGMENT(matrix_a, m, n, k, type, row_major, element, in_a)                                               \
  __LW_FRAGMENT(matrix_a, m, n, k, type, col_major, element, in_a)                                               \
  __LW_FRAGMENT(matrix_b, m, n, k, type, row_major, element, in_b)                                               \
  __LW_FRAGMENT(matrix_b, m, n, k, type, col_major, element, in_b)
#define __LW_FRAGMENTS_OF_16(m, n, a, b)                                                                         \
  __LW_FRAGMENTS(m, n, 16, __half, __half, 16, 16)                                                               \
  __LW_FRAGMENTS(m, n, 16, __nv_bfloat16, __nv_bfloat16, a, b)                                                   \
  __LW_FRAGMENTS(m, n, 16, signed char, signed char, a, b)                                                       \
  __LW_FRAGMENTS(m, n, 16, unsigned char, unsigned char, a, b)                                                   \
  __LW_FRAGMENT(accumulator, m, n, 16, __half, void, __half, 8)                                                  \
  __LW_FRAGMENT(accumulator, m, n, 16, float, void, float, 8)                                                    \
  __LW_FRAGMENT(accumulator, m, n, 16, int, void, int, 8)

__LW_FRAGMENTS_OF_16(16, 16, 8, 8)
__LW_FRAGMENTS_OF_16(32, 8, 16, 4)
__LW_FRAGMENTS_OF_16(8, 32, 4, 16)
__LW_FRAGMENTS(16, 16, 8, precision::tf32, float, 4, 4)
__LW_FRAGMENT(accumulator, 16, 16, 8, float, void, float, 8)
__LW_FRAGMENTS(8, 8, 4, double, double, 1, 1)
__LW_FRAGMENT(accumulator, 8, 8, 4, double, void, double, 2)

#undef __LW_FRAGMENTS_OF_16
#undef __LW_FRAGMENTS
#undef __LW_FRAGMENT

template <class Fragment>
__LW_HOST_DEVICE__ void fill_fragment(Fragment &f, const typename Fragment::element_type &value) {
  for (int i = 0; i < Fragment::num_elements; i++)
    f.x[i] = value;
}

// A float rounded to the ten bits that are multiplied, halves away from zero.
#if __LW_HAS_TF32_MATRICES
__LW_DEVICE__ float __float_to_tf32(float x) {
  unsigned int rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  return __int_as_float(static_cast<int>(rounded));
}
#endif

// The registers of a fragment: elements of less than 32 bits share registers.
template <class Register, int count> struct __lw_registers {
  Register r[count];
  template <class Fragment> __device__ __attribute__((nodebug)) void get(const Fragment &f) {
    static_assert(sizeof r == sizeof f.x, "");
    __builtin_memcpy(r, f.x, sizeof r);
  }
  template <class Fragment> __device__ __attribute__((nodebug)) void put(Fragment &f) const {
    __builtin_memcpy(static_cast<void *>(f.x), r, sizeof r);
  }
};

}  // namespace wmma
}  // namespace nvcuda

// The registers `name`0 ... in assembly, and as its operands.
#define __LW_LIST_1(name) "{%[" name "0]}"
#define __LW_LIST_2(name) "{%[" name "0], %[" name "1]}"
#define __LW_LIST_4(name) "{%[" name "0], %[" name "1], %[" name "2], %[" name "3]}"
#define __LW_LIST_8(name)                                                                                        \
  "{%[" name "0], %[" name "1], %[" name "2], %[" name "3], %[" name "4], %[" name "5], %[" name "6], %[" name "7]}"
#define __LW_OPERANDS_1(name, letter) [name##0] letter(name.r[0])
#define __LW_OPERANDS_2(name, letter) __LW_OPERANDS_1(name, letter), [name##1] letter(name.r[1])
#define __LW_OPERANDS_4(name, letter)                                                                            \
  __LW_OPERANDS_2(name, letter), [name##2] letter(name.r[2]), [name##3] letter(name.r[3])
#define __LW_OPERANDS_8(name, letter)                                                                            \
  __LW_OPERANDS_4(name, letter), [name##4] letter(name.r[4]), [name##5] letter(name.r[5]),                       \
      [name##6] letter(name.r[6]), [name##7] letter(name.r[7])

#endif
