// SPDX-License-Identifier: Apache-2.0
// Which memory an address is in, and addresses within one memory as numbers (CUDA C++ Programming Guide, "Address Space
// Predicate Functions" and "Address Space Conversion Functions").
#ifndef LANEWISE_ADDRESS_SPACES_H
#define LANEWISE_ADDRESS_SPACES_H

#include "lanewise/qualifiers.h"

__LW_DEVICE__ unsigned int __isGlobal(const void *address) { return __nvvm_isspacep_global(address); }
__LW_DEVICE__ unsigned int __isShared(const void *address) { return __nvvm_isspacep_shared(address); }
__LW_DEVICE__ unsigned int __isConstant(const void *address) { return __nvvm_isspacep_const(address); }
__LW_DEVICE__ unsigned int __isLocal(const void *address) { return __nvvm_isspacep_local(address); }
__LW_DEVICE__ unsigned int __isGridConstant(const void *address) {
  unsigned int found;
  __asm__("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(found) : "l"(address));
  return found;
}

#define __LW_CONVERSIONS(name, space)                                                                            \
  __LW_DEVICE__ __SIZE_TYPE__ __cvta_generic_to_##name(const void *address) {                                    \
    return (__SIZE_TYPE__)(__attribute__((address_space(space))) const char *)address;                           \
  }                                                                                                              \
  __LW_DEVICE__ void *__cvta_##name##_to_generic(__SIZE_TYPE__ address) {                                        \
    return (void *)(__attribute__((address_space(space))) char *)address;                                        \
  }
__LW_CONVERSIONS(global, 1)
__LW_CONVERSIONS(shared, 3)
__LW_CONVERSIONS(constant, 4)
__LW_CONVERSIONS(local, 5)
#undef __LW_CONVERSIONS

#endif
