// SPDX-License-Identifier: Apache-2.0
// The functions of cl_intel_subgroups that clang doesn't declare, but for images: read before programs that name any.
#ifndef LANEWISE_INTEL_SUB_GROUPS_H
#define LANEWISE_INTEL_SUB_GROUPS_H
#pragma clang system_header

#define __lw_shuffles(type)                                                                        \
  type __lw_collective intel_sub_group_shuffle(type, uint);                                        \
  type __lw_collective intel_sub_group_shuffle_xor(type, uint);                                    \
  type __lw_collective intel_sub_group_shuffle_up(type, type, uint);                               \
  type __lw_collective intel_sub_group_shuffle_down(type, type, uint);
#define __lw_shuffles_of_vectors(type)                                                             \
  __lw_shuffles(type) __lw_shuffles(type##2) __lw_shuffles(type##3) __lw_shuffles(type##4)         \
  __lw_shuffles(type##8) __lw_shuffles(type##16)
#define __lw_blocks(type, width)                                                                   \
  type __lw_collective intel_sub_group_block_read##width(const global uint *);                     \
  void __lw_collective intel_sub_group_block_write##width(global uint *, type);
#define __lw_collective __attribute__((overloadable, convergent))

__lw_shuffles_of_vectors(int) __lw_shuffles_of_vectors(uint) __lw_shuffles_of_vectors(float)
__lw_shuffles(char) __lw_shuffles(uchar) __lw_shuffles(short) __lw_shuffles(ushort)
__lw_shuffles(long) __lw_shuffles(ulong) __lw_shuffles(double)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__lw_shuffles(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
__lw_blocks(uint, ) __lw_blocks(uint2, 2) __lw_blocks(uint4, 4) __lw_blocks(uint8, 8)

#undef __lw_shuffles
#undef __lw_shuffles_of_vectors
#undef __lw_blocks
#undef __lw_collective

#endif
