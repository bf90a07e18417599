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

// Records a command; `work`, which may be null, is released in any case. `command`, unless null, is its handle, which the
// command buffer has from then on if that succeeds.
cl_int record(const Recording &recording, Work *work, MutableCommand *command = nullptr);

// Arguments of every function that records a command, beside the command's own.
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

// The work of an execution of a command buffer. It holds the commands that later plans have replaced, and these plans: so
// a command is released when the last plan that has it is gone. The graph goes as soon as nobody can run it.
struct Plan {
  uint32_t uses; // by whoever may run it, and by the plan before it
  uint32_t runs; // of these, by whoever may run it: the command buffer, and executions
  lw_graph *graph;
  Plan *next;
  List<Work *> replaced;
};

cl_int make_plan(const CommandBuffer *buffer, const List<Work *> &commands, Plan *&made);

// To be called without locks: buffers that end with it have callbacks.
void drop_plan(Plan *plan);

} // namespace lw_opencl

#endif
