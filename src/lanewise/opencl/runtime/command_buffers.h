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

// What every function that records a command gets beside the command.
struct Recorded {
  CommandBuffer *buffer;
  Queue *queue;
  const cl_properties *properties;
  cl_uint count;
  const cl_uint *after;
  cl_uint *sync_point;
  cl_mutable_command *handle;
};

cl_int require_command_buffer(const CommandBuffer *buffer);

// Checks all of it but the properties and the handle.
cl_int require_recorded(const Recorded &given);

// What an execution of a command buffer does. It holds the commands that later plans have replaced, and these plans: so
// a command is released when the last plan that has it is gone.
struct Plan {
  uint32_t uses;
  lw_graph *graph;
  Plan *next;
  List<Work *> replaced;
};

cl_int make_plan(const CommandBuffer *buffer, const List<Work *> &commands, Plan *&made);
void drop_plan(Plan *plan);

} // namespace lw_opencl

#endif
