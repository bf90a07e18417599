// SPDX-License-Identifier: Apache-2.0
// Which memory a generic pointer leads to (OpenCL C 3.0, 6.15.13). Clang gives the first three these names.
#include "types.h"

global void *__to_global(void *pointer) {
  bool is_elsewhere = __nvvm_isspacep_shared(pointer) || __nvvm_isspacep_local(pointer);
  return is_elsewhere ? (global void *)0 : (global void *)pointer;
}

local void *__to_local(void *pointer) {
  return __nvvm_isspacep_shared(pointer) ? (local void *)pointer : (local void *)0;
}

private void *__to_private(void *pointer) {
  return __nvvm_isspacep_local(pointer) ? (private void *)pointer : (private void *)0;
}

PRIVATE cl_mem_fence_flags fence_of(const void *pointer) {
  return __nvvm_isspacep_local(pointer)    ? 0
         : __nvvm_isspacep_shared(pointer) ? CLK_LOCAL_MEM_FENCE
                                           : CLK_GLOBAL_MEM_FENCE;
}

OVERLOAD cl_mem_fence_flags get_fence(void *pointer) { return fence_of(pointer); }
OVERLOAD cl_mem_fence_flags get_fence(const void *pointer) { return fence_of(pointer); }
