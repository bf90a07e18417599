// SPDX-License-Identifier: Apache-2.0
// Types and numbers of extensions of OpenCL's host interface: C++ for OpenCL, command buffers, atomic operations on
// floating-point numbers, dot products of integers.
//
// Source: The OpenCL Extension Specification, cl_khr_icd, cl_ext_cxx_for_opencl, cl_khr_command_buffer,
// cl_khr_command_buffer_mutable_dispatch, cl_ext_float_atomics and cl_khr_integer_dot_product.
#ifndef LANEWISE_OPENCL_EXTENSIONS_H
#define LANEWISE_OPENCL_EXTENSIONS_H

#include "api.h"

// Versions of extensions, as numbers.
enum : cl_uint {
  LW_ICD_2_0 = 2u << 22,
  LW_COMMAND_BUFFER_0_9_8 = 9u << 12 | 8,
  LW_MUTABLE_DISPATCH_0_9_5 = 9u << 12 | 5,
  LW_DOT_PRODUCT_2_0 = 2u << 22,
  LW_UNIFIED_MEMORY_1_2 = 1u << 22 | 2u << 12,
  LW_CXX_1_0 = 1u << 22, // of C++ for OpenCL that -cl-std=CLC++ is
};

enum : cl_enum {
  CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT = 0x4230,
};

// ---- Command buffers -----------------------------------------------------------------------------------------

enum : cl_enum {
  CL_COMMAND_COMMAND_BUFFER_KHR = 0x12A8,

  CL_COMMAND_BUFFER_FLAGS_KHR = 0x1293,
  CL_COMMAND_BUFFER_QUEUES_KHR = 0x1294,
  CL_COMMAND_BUFFER_NUM_QUEUES_KHR = 0x1295,
  CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR = 0x1296,
  CL_COMMAND_BUFFER_STATE_KHR = 0x1297,
  CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR = 0x1298,
  CL_COMMAND_BUFFER_CONTEXT_KHR = 0x1299,
  CL_COMMAND_BUFFER_STATE_RECORDING_KHR = 0,
  CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR = 1,
  CL_COMMAND_BUFFER_STATE_FINALIZED_KHR = 2,
  CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR = 0x129A,
  CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR = 0x12A9,
  CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR = 0x12AA,
};

enum : cl_bitfield {
  CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR = 1 << 0,
  CL_COMMAND_BUFFER_MUTABLE_KHR = 1 << 1,
  CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR = 1 << 2,
  CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR = 1 << 0,
  CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR = 1 << 2,
};

// ---- Command buffers whose launches change ---------------------------------------------------------------------

enum : cl_enum {
  CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR = 0,

  CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR = 0x12B0,
  CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR = 0x12B1,
  CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR = 0x12B7,
  CL_MUTABLE_DISPATCH_ASSERTS_KHR = 0x12B8,

  CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR = 0x12A0,
  CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR = 0x12A1,
  CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR = 0x12A2,
  CL_MUTABLE_DISPATCH_KERNEL_KHR = 0x12A3,
  CL_MUTABLE_DISPATCH_DIMENSIONS_KHR = 0x12A4,
  CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR = 0x12A5,
  CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR = 0x12A6,
  CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR = 0x12A7,
  CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR = 0x12AD,
};

enum : cl_bitfield {
  CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR = 1 << 0,
  CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR = 1 << 1,
  CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR = 1 << 2,
  CL_MUTABLE_DISPATCH_ARGUMENTS_KHR = 1 << 3,
  CL_MUTABLE_DISPATCH_EXEC_INFO_KHR = 1 << 4,
  CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR = 1 << 0,
};

struct cl_mutable_dispatch_arg {
  cl_uint arg_index;
  size_t arg_size;
  const void *arg_value;
};
struct cl_mutable_dispatch_exec_info {
  cl_uint param_name;
  size_t param_value_size;
  const void *param_value;
};
struct cl_mutable_dispatch_config {
  cl_mutable_command command;
  cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
  const cl_mutable_dispatch_arg *arg_list, *arg_svm_list;
  const cl_mutable_dispatch_exec_info *exec_info_list;
  const size_t *global_work_offset, *global_work_size, *local_work_size;
};

// ---- Atomic operations on floating-point numbers -------------------------------------------------------------

enum : cl_enum {
  CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT = 0x4231,
  CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT = 0x4232,
  CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT = 0x4233,
};

enum : cl_bitfield {
  CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT = 1 << 0,
  CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT = 1 << 1,
  CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT = 1 << 2,
  CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT = 1 << 16,
  CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT = 1 << 17,
  CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT = 1 << 18,
};

// ---- Dot products of integers --------------------------------------------------------------------------------

enum : cl_enum {
  CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR = 0x1073,
  CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR = 0x1074,
  CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR = 0x1075,
};

enum : cl_bitfield {
  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR = 1 << 0,
  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR = 1 << 1,
};

struct cl_device_integer_dot_product_acceleration_properties_khr {
  cl_bool signed_accelerated, unsigned_accelerated, mixed_signedness_accelerated;
  cl_bool accumulating_saturating_signed_accelerated, accumulating_saturating_unsigned_accelerated;
  cl_bool accumulating_saturating_mixed_signedness_accelerated;
};

#endif
