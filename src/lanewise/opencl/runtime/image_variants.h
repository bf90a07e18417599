// SPDX-License-Identifier: Apache-2.0
// Code of single kernels: with images, for the formats and samplers of a launch; for launches that aren't usual; of large
// programs.
#ifndef LANEWISE_OPENCL_IMAGE_VARIANTS_H
#define LANEWISE_OPENCL_IMAGE_VARIANTS_H

#include "types.h"

namespace lw_opencl {

// The code of a kernel for packed arguments, in a form (a sum of enum lw_opencl_form): compiled when it is first asked for,
// in the thread that asks. Never null where it succeeds.
cl_int find_variant(Build *build, const KernelText *text, const char *arguments, uint32_t form,
                    const lw_kernel_image *&code);

// The same, remembered for a kernel without images, that later launches find it at once. A GPU's PTX has all kernels; it
// may be null.
cl_int find_own(Kernel *kernel, const char *arguments, uint32_t form, const lw_kernel_image *&code);

// Tells the context why the last one that this thread asked for can't be compiled, if it can't and nobody has been told.
// No lock may be held: the context's callback may ask for anything.
void tell_no_code(const Context *context);

void release_variants(Build *build);

} // namespace lw_opencl

#endif
