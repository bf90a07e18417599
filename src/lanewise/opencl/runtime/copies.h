// SPDX-License-Identifier: Apache-2.0
// Copies of boxes of bytes, in buffers, images and the host's memory.
#ifndef LANEWISE_OPENCL_COPIES_H
#define LANEWISE_OPENCL_COPIES_H

#include "transfers.h"
#include "types.h"

namespace lw_opencl {

// Bytes in rows in planes, from one place to another.
struct Box {
  size_t bytes, rows, planes;
};
struct Side {
  char *start;
  size_t row, plane; // bytes from one to the next
};

// Enqueues a copy. A null memory object: the host's memory.
cl_int enqueue_copy(const Request &request, const Side &from, Memory *source, const Side &to, Memory *target,
                    const Box &box);
bool overlap(const Side &a, const Side &b, const Box &box);

// Enqueues a command that maps memory, or ends a mapping, and holds it until then.
cl_int enqueue_holding(const Request &request, Memory *memory, const Mapping &mapping);

// Whether the flags of a memory object let the host read it, and write it.
cl_int require_read(const Memory *memory);
cl_int require_write(const Memory *memory);

// Takes one mapping of an address away, which `found` gets; whether there was one.
bool forget_mapping(Memory *memory, const void *address, Mapping &found);

} // namespace lw_opencl

#endif
