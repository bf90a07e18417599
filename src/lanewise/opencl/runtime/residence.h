// SPDX-License-Identifier: Apache-2.0
// Where the contents of buffers are: in the host's memory, where the processor's devices use them, or in that of the
// simulated GPU.
#ifndef LANEWISE_OPENCL_RESIDENCE_H
#define LANEWISE_OPENCL_RESIDENCE_H

#include "types.h"

namespace lw_opencl {

// The buffer that an object is a part of, or itself.
inline Memory *root_of(Memory *memory) {
  while (memory->parent)
    memory = memory->parent;
  return memory;
}

// Before a command uses the host's memory of an object, and after it has written there. Null: nothing to do.
void bring_to_host(Memory *memory);
void note_written_on_host(Memory *memory);

// The address that an object has on the simulated GPU from now on. No contents are copied.
cl_int place_on_gpu(Memory *memory, char *&address);

// As on the host.
cl_int bring_to_gpu(Memory *memory);
void note_written_on_gpu(Memory *memory);

} // namespace lw_opencl

#endif
