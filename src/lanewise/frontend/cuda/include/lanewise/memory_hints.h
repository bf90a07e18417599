// SPDX-License-Identifier: Apache-2.0
// Loads and stores with cache hints. The hints are dropped: a plain access means the same.
#ifndef LANEWISE_MEMORY_HINTS_H
#define LANEWISE_MEMORY_HINTS_H

#include "lanewise/qualifiers.h"

#define __LW_LOAD(name)                                                                                          \
  template <class Type> __LW_DEVICE__ Type name(const Type *address) { return *address; }
#define __LW_STORE(name)                                                                                         \
  template <class Type> __LW_DEVICE__ void name(Type *address, Type value) { *address = value; }

__LW_LOAD(__ldg) __LW_LOAD(__ldcg) __LW_LOAD(__ldca) __LW_LOAD(__ldcs) __LW_LOAD(__ldlu)
__LW_STORE(__stwb) __LW_STORE(__stcg) __LW_STORE(__stcs) __LW_STORE(__stwt)
#undef __LW_LOAD
#undef __LW_STORE

// Not cached at all: every load reads memory.
template <class Type> __LW_DEVICE__ Type __ldcv(const Type *address) {
  return *const_cast<const volatile Type *>(address);
}

__LW_DEVICE__ unsigned int __isGlobal(const void *address) { return __nvvm_isspacep_global(address); }
__LW_DEVICE__ unsigned int __isShared(const void *address) { return __nvvm_isspacep_shared(address); }
__LW_DEVICE__ unsigned int __isConstant(const void *address) { return __nvvm_isspacep_const(address); }
__LW_DEVICE__ unsigned int __isLocal(const void *address) { return __nvvm_isspacep_local(address); }

#endif
