// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_PROGRAM_H
#define LANEWISE_OPENCL_PROGRAM_H

#include "types.h"

namespace lw_opencl {

Build *use_build(Build *build);
void drop_build(Build *build);

// The kernel in the form for launches with an offset, or with smaller groups at the end: compiled at its first use, in
// the thread that wants it. Null if it can't be.
const lw_kernel_image *general_kernel(Build *build, const KernelText *text);

} // namespace lw_opencl

#endif
