// SPDX-License-Identifier: Apache-2.0
// Copies, on a GPU with a driver, of buffers whose contents are the host's.
#ifndef LANEWISE_OPENCL_COPIES_ON_GPU_H
#define LANEWISE_OPENCL_COPIES_ON_GPU_H

#include "launch.h"

namespace lw_opencl {

// Holds the buffers of some memory objects, as long as it lives, against all others that move their contents. Null ones,
// and those of contexts without copies, are left out.
class HeldBuffers {
  const UsedMemory *used;
  size_t count;

public:
  HeldBuffers(const UsedMemory *used, size_t count);
  ~HeldBuffers();
};

// Before and after a kernel of the GPU has run, with the launch's buffers held.
cl_int bring_copies(const Launch &launch);
cl_int take_copies_back(const Launch &launch);

// After a kernel that has failed: what it has written doesn't count.
void forget_copies(const Launch &launch);

// The start and the end of a mapping, while which the host's contents of its bytes stay as they are, if it may write them.
cl_int start_mapping(Memory *memory, const Mapping &mapping);
void end_mapping(Memory *memory, const Mapping &mapping);

} // namespace lw_opencl

#endif
