// SPDX-License-Identifier: Apache-2.0
// What the system says of the processor.
#ifndef LANEWISE_OPENCL_PROCESSOR_H
#define LANEWISE_OPENCL_PROCESSOR_H

#include "types.h"

namespace lw_opencl {

// The processor's name; "" if it has none.
const char *processor_name();

// The highest clock frequency in MHz, or that of now if the system doesn't tell the highest; 0 if it tells neither.
cl_uint processor_mhz();

} // namespace lw_opencl

#endif
