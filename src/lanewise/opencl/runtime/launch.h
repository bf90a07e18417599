// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_LAUNCH_H
#define LANEWISE_OPENCL_LAUNCH_H

#include "transfers.h"

namespace lw_opencl {

// A memory object of an argument, and the argument's place.
struct UsedMemory {
  Memory *memory;
  uint32_t offset;
};

// A launch with the arguments that the kernel had when it was enqueued.
struct Launch : Work {
  Kernel *kernel;
  lw_kernel_launch launch;
  uint32_t form;
  bool is_prepared; // for graphs: it has its code, and addresses on the device
  uint64_t range[7]; // the last arguments of the general form: offset, global size, dimensions
  size_t args_bytes, num_memories;
  UsedMemory *memories; // behind this struct, and the arguments behind them, then the extents
  char *args;
  uint64_t *extents; // as in lw_kernel_launch
};

// Work for a launch in a queue that has been checked; null for a range without work-items. With `lacks`, a kernel that
// lacks arguments is no error: the rest is checked, and the place gets true.
cl_int make_launch(const Queue *queue, Kernel *kernel, cl_uint dimensions, const size_t *offset, const size_t *size,
                   const size_t *local, Work *&made, bool *lacks = nullptr);

// Enqueues, or records, a launch of a kernel; its queue has been checked.
cl_int enqueue_kernel(const Request &request, Kernel *kernel, cl_uint dimensions, const size_t *offset,
                      const size_t *size, const size_t *local);

// Whether it is a launch on the processor, by the host runtime.
bool is_launch(const Work *work);

// The form of the kernel that the launch's range needs, and the arguments which that has.
cl_int prepare_range(Launch &launch);

// A queue of the host runtime that nobody uses, of the CPU or of the GPU; null if there can't be one.
lw_queue *take_queue(bool on_gpu);
void give_queue(lw_queue *queue);

// Tells the context's callback, or standard error if there is none.
void tell_context(const Context *context, const char *text);

// Adds a launch to a graph of the host runtime, with code that it is sure to have; it stays as long as the graph.
cl_int add_launch(lw_graph *graph, const Context *context, Work *work);

// Runs a graph; a kernel that fails is told to the context.
cl_int run_graph(const lw_graph *graph, const Context *context);

} // namespace lw_opencl

#endif
