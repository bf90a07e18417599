// SPDX-License-Identifier: Apache-2.0
// Commands on a GPU with a driver.
#ifndef LANEWISE_OPENCL_GPU_COMMANDS_H
#define LANEWISE_OPENCL_GPU_COMMANDS_H

#include "copies.h"
#include "launch.h"

namespace lw_opencl {

// Has `add` add work to a stream of the driver, and waits for it. `event`, unless null, gets the driver's times.
// CL_COMPLETE, or a code with lw_explanation.
template <class Add> cl_int run_on_stream(Event *event, Add add);

inline bool is_on_gpu(const Memory *memory) { return memory && memory->context->is_on_gpu; }

// The address on the GPU of an object, which gets memory there if it has none.
cl_int find_on_gpu(Memory *memory, char *&address);

// Gives a new object of a context on a GPU its memory and its contents there; null: these are undefined.
cl_int make_on_gpu(Memory *memory, const void *contents);

// What commands do whose memory objects are on a GPU. A null one is the host's memory.
cl_int copy_on_gpu(Event *event, const Side &from, Memory *source, const Side &to, Memory *target, const Box &box);
cl_int fill_on_gpu(Event *event, Memory *memory, char *start, size_t bytes, const char *pattern, size_t pattern_bytes);
cl_int map_on_gpu(Event *event, Memory *memory, const Mapping &mapping);
cl_int unmap_on_gpu(Event *event, Memory *memory, const Mapping &mapping);

// Gives a new launch the addresses that its kernel is to have, and its code.
cl_int prepare_on_gpu(Launch &launch);
cl_int run_launch_on_gpu(Work *work, Event *event);

} // namespace lw_opencl

#endif
