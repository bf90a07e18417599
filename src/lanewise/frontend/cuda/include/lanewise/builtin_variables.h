// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each member is a property that reads the hardware register, so
// the variables hold nothing and can't be written; only taking one as a whole, as in `dim3 g = gridDim`, names it in
// the module, until its conversion is inlined. Overloads for host code make its uses an error.
#ifndef LANEWISE_BUILTIN_VARIABLES_H
#define LANEWISE_BUILTIN_VARIABLES_H

#include "lanewise/vector_types.h"

#define __LW_REGISTER(member, variable, builtin)                                                                 \
  __declspec(property(get = __read_##member)) unsigned int member;                                               \
  static __inline__ __attribute__((always_inline, nodebug)) __device__ unsigned int __read_##member() {          \
    return builtin();                                                                                            \
  }                                                                                                              \
  static __LW_NOT_IN_HOST_CODE(variable) unsigned int __read_##member();

#define __LW_REGISTERS(type, variable, name)                                                                     \
  struct type {                                                                                                  \
    __LW_REGISTER(x, variable, __nvvm_read_ptx_sreg_##name##_x)                                                  \
    __LW_REGISTER(y, variable, __nvvm_read_ptx_sreg_##name##_y)                                                  \
    __LW_REGISTER(z, variable, __nvvm_read_ptx_sreg_##name##_z)                                                  \
    __device__ __attribute__((always_inline, nodebug)) operator dim3() const { return dim3(x, y, z); }           \
    __device__ __attribute__((always_inline, nodebug)) operator uint3() const { return uint3{x, y, z}; }         \
    __LW_NOT_IN_HOST_CODE(variable) operator dim3() const;                                                       \
    __LW_NOT_IN_HOST_CODE(variable) operator uint3() const;                                                      \
    type &operator=(const type &) = delete;                                                                      \
  };

__LW_REGISTERS(__lw_thread_index, threadIdx, tid)
__LW_REGISTERS(__lw_block_index, blockIdx, ctaid)
__LW_REGISTERS(__lw_block_extent, blockDim, ntid)
__LW_REGISTERS(__lw_grid_extent, gridDim, nctaid)

#undef __LW_REGISTER
#undef __LW_REGISTERS

static const __device__ __attribute__((nodebug)) __lw_thread_index threadIdx = {};
static const __device__ __attribute__((nodebug)) __lw_block_index blockIdx = {};
static const __device__ __attribute__((nodebug)) __lw_block_extent blockDim = {};
static const __device__ __attribute__((nodebug)) __lw_grid_extent gridDim = {};
static constexpr int warpSize = 32;

#endif

