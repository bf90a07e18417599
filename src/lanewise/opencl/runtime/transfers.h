// SPDX-License-Identifier: Apache-2.0
// What commands that move memory have in common.
#ifndef LANEWISE_OPENCL_TRANSFERS_H
#define LANEWISE_OPENCL_TRANSFERS_H

#include "command_buffers.h"
#include "scheduler.h"

namespace lw_opencl {

enum : size_t { MOST_PATTERN_BYTES = 128 };

// Work of a type, zeroed; null where memory is short.
template <class T> static T *new_work(cl_int (*run)(Work *, Event *), void (*release)(Work *)) {
  T *work = static_cast<T *>(calloc(1, sizeof(T)));
  if (work) {
    work->run = run;
    work->release = release;
  }
  return work;
}

// A command to enqueue, or, with a recording, to record in a command buffer of the queue.
struct Request {
  cl_command_queue queue;
  cl_enum type;
  WaitList waits;
  cl_event *event;
  bool blocking;
  const Recording *recording = nullptr;
};

// Enqueues or records a command, whose `work` is released in any case.
inline cl_int submit(const Request &request, Work *work) {
  return request.recording ? record(*request.recording, work)
                           : enqueue(request.queue, request.type, work, request.waits, request.event, Order::Plain,
                                     request.blocking);
}

cl_int copy_buffer(const Request &request, Memory *source, Memory *target, size_t from, size_t to, size_t bytes);
cl_int fill_buffer(const Request &request, Memory *memory, const void *pattern, size_t pattern_bytes, size_t offset,
                   size_t bytes);

// A box in two buffers: its origin in each, and the pitches there.
struct RectangleSide {
  Memory *memory;
  const size_t *origin;
  size_t row, plane;
};
cl_int copy_rectangle(const Request &request, const RectangleSide &from, const RectangleSide &to, const size_t *region);

cl_int copy_images(const Request &request, Memory *source, Memory *target, const size_t *from, const size_t *to,
                   const size_t *region);
cl_int copy_image_with_buffer(const Request &request, Memory *image, Memory *buffer, const size_t *origin,
                              const size_t *region, size_t offset, bool to_buffer);
cl_int fill_image(const Request &request, Memory *image, const void *colour, const size_t *origin,
                  const size_t *region);

cl_int copy_shared(const Request &request, void *target, const void *source, size_t bytes);
cl_int fill_shared(const Request &request, void *target, const void *pattern, size_t pattern_bytes, size_t bytes);

// A pattern of 1, 2, 4 bytes and so on.
cl_int require_pattern(const void *pattern, size_t bytes);

cl_int require_map_flags(cl_bitfield flags);

// Repeats a pattern; the last one may be cut off.
void fill_bytes(char *start, size_t bytes, const char *pattern, size_t pattern_bytes);

} // namespace lw_opencl

#endif
