// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_KERNEL_H
#define LANEWISE_OPENCL_KERNEL_H

#include "types.h"

namespace lw_opencl {

// A kernel of its own for a command of a command buffer. It has the arguments of the other, and keeps their memory
// objects, and those that it is given, until they are taken.
cl_int copy_for_command(Kernel *source, Kernel *&made);

// Moves the memory objects that such a copy keeps, and that aren't its arguments any more, to a list of what is to be
// dropped.
void take_replaced(Kernel *copy, List<Memory *> &dropped);

// The device that a query names, of the kernel's program; without one, the only one that this has.
cl_int find_device(const Kernel *kernel, const Device *named, const Device *&found);

// The work of clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo.
cl_int set_argument(Kernel *kernel, cl_uint number, size_t bytes, const void *value);
cl_int set_pointer(Kernel *kernel, cl_uint number, const void *value);
cl_int set_exec_info(const Kernel *kernel, cl_enum what, size_t bytes, const void *value);

} // namespace lw_opencl

#endif
