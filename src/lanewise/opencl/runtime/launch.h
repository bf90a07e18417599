// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_LAUNCH_H
#define LANEWISE_OPENCL_LAUNCH_H

#include "transfers.h"

namespace lw_opencl {

// Enqueues, or records, a launch of a kernel; its queue has been checked.
cl_int enqueue_kernel(const Request &request, Kernel *kernel, cl_uint dimensions, const size_t *offset,
                      const size_t *size, const size_t *local);

bool is_launch(const Work *work);

// Adds a launch to a graph of the host runtime, with code that it is sure to have; it stays as long as the graph.
cl_int add_launch(lw_graph *graph, const Context *context, Work *work);

// Runs a graph; a kernel that fails is told to the context.
cl_int run_graph(const lw_graph *graph, const Context *context);

} // namespace lw_opencl

#endif
