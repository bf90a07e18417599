// SPDX-License-Identifier: Apache-2.0
// Atomic functions, relaxed and device-wide. Each becomes one atomicrmw or cmpxchg instruction.
#ifndef LANEWISE_ATOMICS_H
#define LANEWISE_ATOMICS_H

#include "lanewise/qualifiers.h"

#define __LW_RMW(name, operation, type)                                                                          \
  __LW_DEVICE__ type name(type *address, type value) {                                                           \
    return __scoped_atomic_##operation(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                 \
  }
#define __LW_RMW_INTEGER(name, operation)                                                                        \
  __LW_RMW(name, operation, int)                                                                                 \
  __LW_RMW(name, operation, unsigned int)                                                                        \
  __LW_RMW(name, operation, long long)                                                                           \
  __LW_RMW(name, operation, unsigned long long)
#define __LW_COMPARE_AND_SWAP(type)                                                                              \
  __LW_DEVICE__ type atomicCAS(type *address, type compare, type value) {                                        \
    __scoped_atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,      \
                                       __MEMORY_SCOPE_DEVICE);                                                   \
    return compare;                                                                                              \
  }

__LW_RMW(atomicAdd, fetch_add, int)
__LW_RMW(atomicAdd, fetch_add, unsigned int)
__LW_RMW(atomicAdd, fetch_add, unsigned long long)
__LW_RMW(atomicAdd, fetch_add, float)
__LW_RMW(atomicAdd, fetch_add, double)
__LW_RMW(atomicSub, fetch_sub, int)
__LW_RMW(atomicSub, fetch_sub, unsigned int)
__LW_RMW(atomicInc, fetch_uinc, unsigned int)
__LW_RMW(atomicDec, fetch_udec, unsigned int)
__LW_RMW(atomicExch, exchange_n, int)
__LW_RMW(atomicExch, exchange_n, unsigned int)
__LW_RMW(atomicExch, exchange_n, unsigned long long)
__LW_RMW_INTEGER(atomicMin, fetch_min)
__LW_RMW_INTEGER(atomicMax, fetch_max)
__LW_RMW_INTEGER(atomicAnd, fetch_and)
__LW_RMW_INTEGER(atomicOr, fetch_or)
__LW_RMW_INTEGER(atomicXor, fetch_xor)
__LW_COMPARE_AND_SWAP(int)
__LW_COMPARE_AND_SWAP(unsigned int)
__LW_COMPARE_AND_SWAP(unsigned short)
__LW_COMPARE_AND_SWAP(unsigned long long)

#undef __LW_RMW
#undef __LW_RMW_INTEGER
#undef __LW_COMPARE_AND_SWAP

__LW_DEVICE__ float atomicExch(float *address, float value) {
  typedef unsigned int __attribute__((may_alias)) bits;
  return __builtin_bit_cast(float, __scoped_atomic_exchange_n(reinterpret_cast<bits *>(address),
                                                              __builtin_bit_cast(unsigned int, value),
                                                              __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
}

// Kernel IR knows one scope, so the block- and system-wide forms are the same functions.
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicExch_block atomicExch
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicCAS_block atomicCAS
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicInc_system atomicInc
#define atomicDec_system atomicDec
#define atomicExch_system atomicExch
#define atomicMin_system atomicMin
#define atomicMax_system atomicMax
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicCAS_system atomicCAS

#endif
