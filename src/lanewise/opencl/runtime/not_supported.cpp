// SPDX-License-Identifier: Apache-2.0
// Functions of parts of OpenCL that the devices have not: pipes, constructors of variables. Objects that are none are
// told first.
//
// Source: The OpenCL Specification 3.0, appendix H: what functions of optional features give without them.
#include "memory.h"
#include "program.h"
#include "scheduler.h"

namespace lw_opencl {

static cl_int no_pipes(const Context *context) {
  REQUIRE_SUCCESS(require_context(context));
  return fail(CL_INVALID_OPERATION, "the devices have no pipes");
}

static void *no_object(cl_int *code, cl_int result) {
  if (code)
    *code = result;
  return nullptr;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL void *clCreatePipe(cl_context context, cl_bitfield, cl_uint, cl_uint, const void *, cl_int *code) {
  return no_object(code, no_pipes(context));
}

LW_CL cl_int clGetPipeInfo(cl_mem memory, cl_enum, size_t, void *, size_t *) {
  REQUIRE_SUCCESS(require_memory(memory));
  return fail(CL_INVALID_MEM_OBJECT, "the memory object is no pipe: the devices have none");
}

LW_CL cl_int clSetProgramReleaseCallback(cl_program program, void (*)(cl_program, void *), void *) {
  REQUIRE_SUCCESS(require_program(program));
  return fail(CL_INVALID_OPERATION, "programs have no global constructors and destructors");
}
