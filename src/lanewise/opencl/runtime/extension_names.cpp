// SPDX-License-Identifier: Apache-2.0
// Names and versions of the extensions and of the features of OpenCL C that devices have.
#include "extension_names.h"
#include "extensions.h"
#include "objects.h"

namespace lw_opencl {

#define COMMON_EXTENSIONS                                                                                              \
  "cl_ext_cxx_for_opencl cl_ext_float_atomics cl_intel_required_subgroup_size cl_khr_byte_addressable_store "          \
  "cl_khr_command_buffer cl_khr_command_buffer_mutable_dispatch cl_khr_device_uuid cl_khr_expect_assume "              \
  "cl_khr_extended_bit_ops cl_khr_fp16 cl_khr_fp64 cl_khr_integer_dot_product cl_khr_spirv_linkonce_odr "              \
  "cl_khr_spirv_no_integer_wrap_decoration cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "     \
  "cl_khr_icd cl_khr_il_program cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "                              \
  "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_subgroup_ballot "                        \
  "cl_khr_subgroup_clustered_reduce cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_arithmetic "            \
  "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_rotate cl_khr_subgroup_shuffle "                                   \
  "cl_khr_subgroup_shuffle_relative cl_khr_subgroups cl_khr_suggested_local_work_size"
#define COMMON_FEATURES                                                                                                \
  "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_all_devices "               \
  "__opencl_c_atomic_scope_device __opencl_c_ext_fp32_global_atomic_add __opencl_c_ext_fp32_global_atomic_min_max "    \
  "__opencl_c_ext_fp32_local_atomic_add __opencl_c_ext_fp32_local_atomic_min_max "                                     \
  "__opencl_c_ext_fp64_global_atomic_add __opencl_c_ext_fp64_global_atomic_min_max "                                   \
  "__opencl_c_ext_fp64_local_atomic_add __opencl_c_ext_fp64_local_atomic_min_max "                                     \
  "__opencl_c_integer_dot_product_input_4x8bit __opencl_c_integer_dot_product_input_4x8bit_packed __opencl_c_fp64 "    \
  "__opencl_c_generic_address_space __opencl_c_int64 __opencl_c_program_scope_global_variables "                       \
  "__opencl_c_subgroups __opencl_c_work_group_collective_functions"

const char *const EXTENSIONS[] = {COMMON_EXTENSIONS, COMMON_EXTENSIONS
                                  " cl_intel_unified_shared_memory cl_khr_3d_image_writes cl_khr_depth_images "
                                  "cl_khr_image2d_from_buffer"};
const char *const FEATURES[] = {
    COMMON_FEATURES,
    COMMON_FEATURES " __opencl_c_3d_image_writes __opencl_c_images __opencl_c_read_write_images"};

// Extensions whose version is not 1.0.0.
static const cl_name_version VERSIONS[] = {
    {LW_ICD_2_0, "cl_khr_icd"},
    {LW_COMMAND_BUFFER_0_9_8, "cl_khr_command_buffer"},
    {LW_MUTABLE_DISPATCH_0_9_5, "cl_khr_command_buffer_mutable_dispatch"},
    {LW_DOT_PRODUCT_2_0, "cl_khr_integer_dot_product"},
    {LW_UNIFIED_MEMORY_1_2, "cl_intel_unified_shared_memory"},
};

static cl_int names_with_versions(const char *names, cl_uint version, const Answer &answer) {
  List<cl_name_version> rows = {};
  for (const char *at = names; *at;) {
    size_t length = strcspn(at, " ");
    cl_name_version row = {version, {}};
    memcpy(row.name, at, length < sizeof row.name ? length : sizeof row.name - 1);
    for (const cl_name_version &each : VERSIONS)
      if (strcmp(row.name, each.name) == 0)
        row.version = each.version;
    rows.add(row);
    at += length + (at[length] == ' ');
  }
  cl_int result = answer.bytes(rows.items, rows.count * sizeof(cl_name_version));
  rows.release();
  return result;
}

cl_int extensions_with_versions(const char *names, const Answer &answer) {
  return names_with_versions(names, LW_OPENCL_1_0, answer);
}

cl_int features_with_versions(const char *names, const Answer &answer) {
  return names_with_versions(names, LW_OPENCL_3_0, answer);
}

} // namespace lw_opencl
