// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_KERNEL_H
#define LANEWISE_OPENCL_KERNEL_H

#include "types.h"

namespace lw_opencl {

// A kernel of its own, with the arguments that the other has.
cl_int clone_kernel(Kernel *source, Kernel *&made);

// What clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo do.
cl_int set_argument(Kernel *kernel, cl_uint number, size_t bytes, const void *value);
cl_int set_pointer(Kernel *kernel, cl_uint number, const void *value);
cl_int set_exec_info(const Kernel *kernel, cl_enum what, size_t bytes, const void *value);

} // namespace lw_opencl

#endif
