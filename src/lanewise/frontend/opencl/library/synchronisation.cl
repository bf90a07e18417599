// SPDX-License-Identifier: Apache-2.0
// Synchronisation and explicit memory fences (6.12.8, 6.12.9). A barrier orders all memory, whatever its flags.
#include "types.h"

__attribute__((overloadable, convergent)) void barrier(cl_mem_fence_flags flags) { __syncthreads(); }

// The same in OpenCL C 2.0 (6.13.8).
__attribute__((overloadable, convergent)) void work_group_barrier(cl_mem_fence_flags flags) { __syncthreads(); }

typedef enum memory_scope {
  memory_scope_work_item,
  memory_scope_sub_group,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices
} memory_scope;

__attribute__((overloadable, convergent)) void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope >= memory_scope_device)
    __nvvm_membar_gl();
  __syncthreads();
}

OVERLOAD void mem_fence(cl_mem_fence_flags flags) {
  if (flags & CLK_GLOBAL_MEM_FENCE)
    __nvvm_membar_gl(); // programs wait for other work-groups behind it
  else
    __nvvm_membar_cta();
}

OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }

OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }

// Of asynchronous copies (6.12.10), which are done by the time that every work-item comes here: see async_copy.cl.
__attribute__((overloadable, convergent)) void wait_group_events(int count, event_t *events) { __syncthreads(); }
