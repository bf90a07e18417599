// SPDX-License-Identifier: Apache-2.0
// Command buffers: commands that are recorded once and enqueued many times, as one command.
//
// Source: The OpenCL Extension Specification, cl_khr_command_buffer 0.9.8.
#ifndef LANEWISE_OPENCL_COMMAND_BUFFERS_H
#define LANEWISE_OPENCL_COMMAND_BUFFERS_H

#include "types.h"

namespace lw_opencl {

// A command to record, as a call gives it.
struct Recording {
  CommandBuffer *buffer;
  cl_uint count; // of sync points that it comes after
  const cl_uint *after;
  cl_uint *sync_point; // gets its own, unless null
};

// Records a command; `work`, which may be null, is released in any case.
cl_int record(const Recording &recording, Work *work);

} // namespace lw_opencl

#endif
