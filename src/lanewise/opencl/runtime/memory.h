// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_MEMORY_H
#define LANEWISE_OPENCL_MEMORY_H

#include "types.h"

namespace lw_opencl {

cl_int require_memory(const Memory *memory);

// A buffer that lives, is of the context, and has the range.
cl_int require_range(const Memory *memory, const Context *context, size_t offset, size_t bytes);

} // namespace lw_opencl

#endif
