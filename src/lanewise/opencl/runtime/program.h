// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_PROGRAM_H
#define LANEWISE_OPENCL_PROGRAM_H

#include "types.h"

namespace lw_opencl {

cl_int require_program(const Program *program);
cl_int require_devices(const Context *context, cl_uint count, const cl_device_id *devices);
cl_int require_devices(const Program *program, cl_uint count, const cl_device_id *devices);
cl_int require_no_kernels(const Program *program);

// A program without a source or a binary.
cl_int create_program(Context *context, Program *&made);

// Builds what a program has for some devices, with the program's lock held, and for those that it was built for with the
// same options before; `refused` is the code for a program that isn't compiled.
cl_int build_code(Program *program, const Code &code, const char *options, const List<Device *> &devices, cl_int refused);

// Makes a program of binaries. All devices run one: those after the first are the same, or refused.
cl_int read_binaries(Context *context, cl_uint count, const size_t *lengths, const unsigned char *const *binaries,
                     cl_int *statuses, Program *&made);

// Notes, with the program's lock held, what devices it is built, compiled or linked for.
cl_int set_devices(Program *program, const List<Device *> &devices);

// Whether a program that is built, compiled or linked is not for this device: what was done named others.
bool is_made_without(const Program *program, const Device *device);

// Queries, with the program's lock held: a size for each device, and a pointer for each, null where it isn't wanted.
cl_int binary_sizes(const Program *program, const Answer &answer);
cl_int binaries_of(const Program *program, const Answer &answer);

// Builds a program that was made of a binary, with the program's lock held.
cl_int build_binary(Program *program, const List<Device *> &devices, const char *options);

// Gives a program other options.
cl_int set_options(Program *program, const char *options);

// Drops what a former build has made.
void drop_former_build(Program *program);

// Has further code of a build, in a form, use the variables of the code that it was built with. LW_INVALID if that lacks
// one of them.
int32_t share_variables(const Build *build, uint32_t form, const lw_image *further);

// A copy with a NUL after it; null where memory is short.
char *copy_of(const char *text, size_t bytes);

Build *use_build(Build *build);
void drop_build(Build *build);

// The kernel in a form (enum lw_opencl_form): compiled at its first use, in the thread that wants it. Null if it can't be.
const lw_kernel_image *kernel_in_form(Build *build, const KernelText *text, uint32_t form);

} // namespace lw_opencl

#endif
