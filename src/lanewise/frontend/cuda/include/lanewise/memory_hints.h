// SPDX-License-Identifier: Apache-2.0
// Loads and stores with cache hints. __ldg becomes a load through the read-only cache; the other hints are dropped: a
// plain access means the same.
#ifndef LANEWISE_MEMORY_HINTS_H
#define LANEWISE_MEMORY_HINTS_H

#include "lanewise/qualifiers.h"

#define __LW_LOAD(name)                                                                                          \
  template <class Type> __LW_DEVICE__ Type name(const Type *address) { return *address; }
#define __LW_STORE(name)                                                                                         \
  template <class Type> __LW_DEVICE__ void name(Type *address, Type value) { *address = value; }

__LW_LOAD(__ldcg) __LW_LOAD(__ldca) __LW_LOAD(__ldcs) __LW_LOAD(__ldlu)
__LW_STORE(__stwb) __LW_STORE(__stcg) __LW_STORE(__stcs) __LW_STORE(__stwt)
#undef __LW_LOAD
#undef __LW_STORE

// Memory that nobody writes while the kernel runs. Types of the size and alignment of a word, or of two or four, are
// loaded as those.
template <class Type> __LW_DEVICE__ Type __ldg(const Type *address) {
  typedef unsigned int __attribute__((ext_vector_type(2))) two;
  typedef unsigned int __attribute__((ext_vector_type(4))) four;
  if constexpr (sizeof(Type) == 16 && alignof(Type) == 16)
    return __builtin_bit_cast(Type, __nvvm_ldg_ui4(reinterpret_cast<const four *>(address)));
  else if constexpr (sizeof(Type) == 8 && alignof(Type) == 8)
    return __builtin_bit_cast(Type, __nvvm_ldg_ui2(reinterpret_cast<const two *>(address)));
  else if constexpr (sizeof(Type) == 4 && alignof(Type) == 4)
    return __builtin_bit_cast(Type, __nvvm_ldg_ui(reinterpret_cast<const unsigned int *>(address)));
  else if constexpr (sizeof(Type) == 2 && alignof(Type) == 2)
    return __builtin_bit_cast(Type, __nvvm_ldg_us(reinterpret_cast<const unsigned short *>(address)));
  else if constexpr (sizeof(Type) == 1)
    return __builtin_bit_cast(Type, __nvvm_ldg_uc(reinterpret_cast<const unsigned char *>(address)));
  else
    return *address;
}

// Not cached at all: every load reads memory.
template <class Type> __LW_DEVICE__ Type __ldcv(const Type *address) {
  return *const_cast<const volatile Type *>(address);
}

#endif
