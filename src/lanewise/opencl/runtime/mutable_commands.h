// SPDX-License-Identifier: Apache-2.0
// Launches in command buffers that may be changed between executions: their arguments and their ranges.
//
// Source: The OpenCL Extension Specification, cl_khr_command_buffer_mutable_dispatch 0.9.5.
#ifndef LANEWISE_OPENCL_MUTABLE_COMMANDS_H
#define LANEWISE_OPENCL_MUTABLE_COMMANDS_H

#include "command_buffers.h"
#include "extensions.h"

namespace lw_opencl {

enum : cl_bitfield {
  ALL_DISPATCH_FIELDS = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
                        CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
                        CL_MUTABLE_DISPATCH_EXEC_INFO_KHR
};

// Records a launch, and gives its handle where there is a place for one.
cl_int record_launch(const Recorded &given, Kernel *kernel, cl_uint dimensions, const size_t *offset, const size_t *size,
                     const size_t *local);

// Reads assertions on launches.
cl_int read_asserts(cl_properties given, cl_bitfield &asserts);

// Refuses a list that gives a property twice.
cl_int require_each_once(const cl_properties *given);

} // namespace lw_opencl

#endif
