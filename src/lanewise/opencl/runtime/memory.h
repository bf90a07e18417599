// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_MEMORY_H
#define LANEWISE_OPENCL_MEMORY_H

#include "types.h"

namespace lw_opencl {

static const cl_bitfield KERNEL_ACCESS = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_bitfield HOST_POINTER = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_bitfield HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

cl_int require_memory(const Memory *memory);
cl_int require_buffer(const Memory *memory);

// Flags that go together, all of them `allowed`; with kernels' access, if none is given; those that a part of a memory
// object may have, and has.
cl_int require_flags(cl_bitfield flags, cl_bitfield allowed);
cl_bitfield with_access(cl_bitfield flags);
cl_int require_flags_of_part(const Memory *parent, cl_bitfield flags);
cl_bitfield flags_of_part(const Memory *parent, cl_bitfield flags);

// Gives a new object its memory, as its flags say, and what `host` has.
cl_int take_memory(Memory *memory, void *host);

// A buffer that lives, is of the context, and has the range.
cl_int require_range(const Memory *memory, const Context *context, size_t offset, size_t bytes);

} // namespace lw_opencl

#endif
