// SPDX-License-Identifier: Apache-2.0
// What OpenCL C 1.2 programs find without including anything, but for the built-in functions, which clang itself
// declares and library/ defines: types (The OpenCL Specification 1.2, 6.1), reinterpretation (6.2.4), macros (6.10,
// 6.12). It is read before each program.
#ifndef LANEWISE_OPENCL_C_BASE_H
#define LANEWISE_OPENCL_C_BASE_H
#pragma clang system_header

// The version of OpenCL C that the language is made of: C++ for OpenCL 1.0 has that of 2.0, and 2021 that of 3.0.
#if defined(__OPENCL_CPP_VERSION__)
#define __lw_c_version (__OPENCL_CPP_VERSION__ >= 202100 ? 300 : 200)
#else
#define __lw_c_version __OPENCL_C_VERSION__
#endif

// The version of the device: as much as the program's language asks for.
#if __lw_c_version > 120
#define __OPENCL_VERSION__ __lw_c_version
#else
#define __OPENCL_VERSION__ 120
#endif

// Features of OpenCL C 3.0; version 2.0 has them without names, by which clang declares their functions.
#if __lw_c_version >= 200
#define __lw_feature 1
#ifndef __opencl_c_generic_address_space
#define __opencl_c_generic_address_space __lw_feature
#endif
#ifndef __opencl_c_program_scope_global_variables
#define __opencl_c_program_scope_global_variables __lw_feature
#endif
#ifndef __opencl_c_atomic_order_acq_rel
#define __opencl_c_atomic_order_acq_rel __lw_feature
#endif
#ifndef __opencl_c_atomic_order_seq_cst
#define __opencl_c_atomic_order_seq_cst __lw_feature
#endif
#ifndef __opencl_c_atomic_scope_device
#define __opencl_c_atomic_scope_device __lw_feature
#endif
#ifndef __opencl_c_atomic_scope_all_devices
#define __opencl_c_atomic_scope_all_devices __lw_feature
#endif
#ifndef __opencl_c_work_group_collective_functions
#define __opencl_c_work_group_collective_functions __lw_feature
#endif
#ifndef __opencl_c_subgroups
#define __opencl_c_subgroups __lw_feature
#endif
#ifndef __opencl_c_int64
#define __opencl_c_int64 __lw_feature
#endif
#endif

// Built-in functions that take pointers take them to the named address spaces: clang declares them if told so.
#define __opencl_c_named_address_space_builtins 1

// -- scalar types (6.1.1)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef uint cl_mem_fence_flags;

#define NULL ((void *)0)

// -- vector types (6.1.2) and as_type (6.2.4.2)

#define __lw_vectors(type)                                      \
  typedef type type##2 __attribute__((ext_vector_type(2)));     \
  typedef type type##3 __attribute__((ext_vector_type(3)));     \
  typedef type type##4 __attribute__((ext_vector_type(4)));     \
  typedef type type##8 __attribute__((ext_vector_type(8)));     \
  typedef type type##16 __attribute__((ext_vector_type(16)));

__lw_vectors(char) __lw_vectors(uchar) __lw_vectors(short) __lw_vectors(ushort)
__lw_vectors(int) __lw_vectors(uint) __lw_vectors(long) __lw_vectors(ulong)
__lw_vectors(float) __lw_vectors(double)

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__lw_vectors(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif

#undef __lw_vectors

#define as_char(x) __builtin_astype((x), char)
#define as_char2(x) __builtin_astype((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define as_short2(x) __builtin_astype((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define as_int2(x) __builtin_astype((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define as_uint2(x) __builtin_astype((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define as_long2(x) __builtin_astype((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define as_float(x) __builtin_astype((x), float)
#define as_float2(x) __builtin_astype((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#define as_double(x) __builtin_astype((x), double)
#define as_double2(x) __builtin_astype((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#ifdef cl_khr_fp16
#define as_half(x) __builtin_astype((x), half)
#define as_half2(x) __builtin_astype((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define as_half16(x) __builtin_astype((x), half16)
#endif

// -- qualifiers (6.7.2)

#define kernel_exec(extent, type) __kernel_exec(extent, type)

// -- limits of integers (6.12.3)

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL

// -- floating-point numbers (6.12.2)

#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MIN

// fma is one instruction on every device.
#define FP_FAST_FMAF 1
#define FP_FAST_FMA 1

#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP +38
#define FLT_MAX_EXP +128
#define FLT_MIN_10_EXP -37
#define FLT_MIN_EXP -125
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f

#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP +308
#define DBL_MAX_EXP +1024
#define DBL_MIN_10_EXP -307
#define DBL_MIN_EXP -1021
#define DBL_RADIX 2
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52

#ifdef cl_khr_fp16
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP +4
#define HALF_MAX_EXP +16
#define HALF_MIN_10_EXP -4
#define HALF_MIN_EXP -13
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#endif

#define M_E 2.7182818284590452353
#define M_LOG2E 1.4426950408889634073
#define M_LOG10E 0.4342944819032518276
#define M_LN2 0.6931471805599453094
#define M_LN10 2.3025850929940456840
#define M_PI 3.1415926535897932384
#define M_PI_2 1.5707963267948966192
#define M_PI_4 0.7853981633974483096
#define M_1_PI 0.3183098861837906715
#define M_2_PI 0.6366197723675813430
#define M_2_SQRTPI 1.1283791670955125738
#define M_SQRT2 1.4142135623730950488
#define M_SQRT1_2 0.7071067811865475244
#define M_E_F 2.71828182845f
#define M_LOG2E_F 1.44269504088f
#define M_LOG10E_F 0.43429448190f
#define M_LN2_F 0.69314718055f
#define M_LN10_F 2.30258509299f
#define M_PI_F 3.14159265358f
#define M_PI_2_F 1.57079632679f
#define M_PI_4_F 0.78539816339f
#define M_1_PI_F 0.31830988618f
#define M_2_PI_F 0.63661977236f
#define M_2_SQRTPI_F 1.12837916709f
#define M_SQRT2_F 1.41421356237f
#define M_SQRT1_2_F 0.70710678118f
#ifdef cl_khr_fp16
#define M_E_H 2.7182818h
#define M_LOG2E_H 1.4426950h
#define M_LOG10E_H 0.4342944h
#define M_LN2_H 0.6931471h
#define M_LN10_H 2.3025850h
#define M_PI_H 3.1415926h
#define M_PI_2_H 1.5707963h
#define M_PI_4_H 0.7853981h
#define M_1_PI_H 0.3183098h
#define M_2_PI_H 0.6366197h
#define M_2_SQRTPI_H 1.1283791h
#define M_SQRT2_H 1.4142135h
#define M_SQRT1_2_H 0.7071067h
#endif

// -- declarations of kernels (6.10)

#define __kernel_exec(extent, type)                                                                                    \
  __kernel __attribute__((work_group_size_hint(extent, 1, 1))) __attribute__((vec_type_hint(type)))

// -- barriers and fences (6.12.8, 6.12.9)

#define CLK_LOCAL_MEM_FENCE 0x01
#define CLK_GLOBAL_MEM_FENCE 0x02

// -- sub-groups: clang declares their functions if told so, but for Intel's. As extensions, they need no pragma.

#define __opencl_subgroup_builtins 1

#define __lw_pragma(text) _Pragma(#text)
#define __lw_known(name) __lw_pragma(OPENCL EXTENSION name : begin) __lw_pragma(OPENCL EXTENSION name : end)
__lw_known(cl_khr_subgroups) __lw_known(cl_khr_subgroup_extended_types) __lw_known(cl_khr_subgroup_ballot)
__lw_known(cl_khr_subgroup_non_uniform_vote) __lw_known(cl_khr_subgroup_non_uniform_arithmetic)
__lw_known(cl_khr_subgroup_shuffle) __lw_known(cl_khr_subgroup_shuffle_relative)
__lw_known(cl_khr_subgroup_clustered_reduce) __lw_known(cl_khr_subgroup_rotate) __lw_known(cl_intel_subgroups)
__lw_known(cl_khr_integer_dot_product) __lw_known(cl_khr_extended_bit_ops) __lw_known(cl_ext_float_atomics)
#undef __lw_known
#undef __lw_pragma

#undef cl_khr_subgroups
#define cl_khr_subgroups 1
#define cl_khr_subgroup_extended_types 1
#define cl_khr_subgroup_ballot 1
#define cl_khr_subgroup_non_uniform_vote 1
#define cl_khr_subgroup_non_uniform_arithmetic 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_shuffle_relative 1
#define cl_khr_subgroup_clustered_reduce 1
#define cl_khr_subgroup_rotate 1

// -- __builtin_expect and __builtin_assume (cl_khr_expect_assume), which clang has

#define cl_khr_expect_assume 1

// -- fields of bits (cl_khr_extended_bit_ops), dot products of integers (cl_khr_integer_dot_product) and atomic operations
// on floating-point numbers (cl_ext_float_atomics), which clang declares if told so

#define cl_khr_extended_bit_ops 1
#define cl_khr_integer_dot_product 1
#define __opencl_c_integer_dot_product_input_4x8bit 1
#define __opencl_c_integer_dot_product_input_4x8bit_packed 1
#if __lw_c_version >= 200
#define cl_ext_float_atomics 1
#define __opencl_c_ext_fp32_global_atomic_add 1
#define __opencl_c_ext_fp32_local_atomic_add 1
#define __opencl_c_ext_fp32_global_atomic_min_max 1
#define __opencl_c_ext_fp32_local_atomic_min_max 1
#define __opencl_c_ext_fp64_global_atomic_add 1
#define __opencl_c_ext_fp64_local_atomic_add 1
#define __opencl_c_ext_fp64_global_atomic_min_max 1
#define __opencl_c_ext_fp64_local_atomic_min_max 1
#endif

#if __lw_c_version >= 200
typedef enum memory_scope {
  memory_scope_work_item,
  memory_scope_sub_group,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices
} memory_scope;
#define memory_scope_all_devices memory_scope_all_svm_devices

typedef enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;
#endif

// -- atomic types and functions (OpenCL C 2.0, 6.13.11; OpenCL C 3.0, 6.15.12)

#if __lw_c_version >= 200
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0
#define CLK_IMAGE_MEM_FENCE 0x04
#endif

#define cl_intel_subgroups 1
#define cl_intel_required_subgroup_size 1

// -- images and samplers (6.12.14)

#define __IMAGE_SUPPORT__ 1

#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20

#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_Rx 0x10BA
#define CLK_RGx 0x10BB
#define CLK_RGBx 0x10BC
#define CLK_DEPTH 0x10BD
#define CLK_sRGB 0x10BF
#define CLK_sRGBx 0x10C0
#define CLK_sRGBA 0x10C1
#define CLK_sBGRA 0x10C2
#define CLK_ABGR 0x10C3

#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
#define CLK_UNORM_INT24 0x10DF

// -- output (6.12.13)

#ifdef __cplusplus
extern "C"
#endif
#if __lw_c_version >= 120
int printf(constant const char *__restrict format, ...) __attribute__((format(printf, 1, 2)));
#endif

#endif
