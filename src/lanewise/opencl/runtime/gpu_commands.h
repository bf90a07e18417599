// SPDX-License-Identifier: Apache-2.0
// Commands on a GPU with a driver.
#ifndef LANEWISE_OPENCL_GPU_COMMANDS_H
#define LANEWISE_OPENCL_GPU_COMMANDS_H

#include "copies.h"
#include "launch.h"

namespace lw_opencl {

// The driver's events around the work of a command.
struct Timed {
  lw_event *start, *end; // null: there is none
  uint64_t begun;        // ns: when the host was about to record the start

  int32_t begin(const Event *event, lw_queue *stream); // no event of the start, unless the command's queue takes times
  int32_t finish(lw_queue *stream);

  // Gives a command that is done its times: the driver's, from the start of the first command of its stream on.
  void tell(Event *event, const Timed &first) const;
  void release() const;
};

inline bool is_on_gpu(const Memory *memory) { return memory && memory->context->is_on_gpu; }

// The address on the GPU of an object, which gets memory there if it has none.
cl_int find_on_gpu(Memory *memory, char *&address);

// Gives a new object of a context on a GPU its memory and its contents there; null: these are undefined.
cl_int make_on_gpu(Memory *memory, const void *contents);

// Copies between the GPU's memory and the host's, and waits for it.
cl_int copy_to_gpu(char *address, const char *host, size_t bytes);
cl_int copy_from_gpu(char *host, const char *address, size_t bytes);

// What commands do whose memory objects are on a GPU. A null one is the host's memory.
cl_int copy_on_gpu(Event *event, const Side &from, Memory *source, const Side &to, Memory *target, const Box &box);
cl_int fill_on_gpu(Event *event, Memory *memory, char *start, size_t bytes, const char *pattern, size_t pattern_bytes);
cl_int map_on_gpu(Event *event, Memory *memory, const Mapping &mapping);
cl_int unmap_on_gpu(Event *event, Memory *memory, const Mapping &mapping);

// Gives a new launch the addresses that its kernel is to have, and its code.
cl_int prepare_on_gpu(Launch &launch);
cl_int run_launch_on_gpu(Work *work, Event *event);

// Whether a command may be started while the one before it in its queue still runs: the order is then the stream's.
bool goes_to_stream(const Event *event);

// The two halves of such a command: it is added to a stream, or, where this gives an error, isn't; and it is waited for.
// `first`: what belongs to the first one of the stream.
cl_int start_on_stream(Event *event, lw_queue *stream, Timed &timed);
cl_int finish_on_stream(Event *event, const Timed &timed, const Timed &first);

} // namespace lw_opencl

#endif
