// SPDX-License-Identifier: Apache-2.0
// Programs of several parts: clCompileProgram makes LLVM IR of each, which clLinkProgram joins.
#include "program.h"

namespace lw_opencl {

// ---- Compilation ---------------------------------------------------------------------------------------------

// Takes what the compile service has made of a program, or why it has made nothing.
static cl_int take_code(Program *program, int32_t result, const lw_text &made, char *log, cl_enum type, cl_int refused,
                        cl_int bad_options) {
  free(program->code.data);
  free(program->log);
  program->code = {};
  program->log = log ? log : strdup(result == LW_SUCCESS ? "" : lw_explanation());
  program->status = result == LW_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  program->type = result == LW_SUCCESS ? type : CL_PROGRAM_BINARY_TYPE_NONE;
  REQUIRE(result == LW_SUCCESS, result == LW_BAD_OPTIONS ? bad_options : refused, "%s",
          program->log ? program->log : "no memory");
  program->code = {const_cast<char *>(made.data), made.bytes, true};
  return CL_SUCCESS;
}

static cl_int require_headers(const Context *context, cl_uint count, const cl_program *headers, const char *const *names) {
  REQUIRE(!count == !headers && !count == !names, CL_INVALID_VALUE, "%u headers", count);
  for (cl_uint i = 0; i < count; ++i) {
    REQUIRE_SUCCESS(require_program(headers[i]));
    REQUIRE(headers[i]->context == context, CL_INVALID_CONTEXT, "header %u is of another context", i);
    REQUIRE(headers[i]->source.data, CL_INVALID_PROGRAM, "header %u has no source", i);
    REQUIRE(names[i] && *names[i], CL_INVALID_VALUE, "header %u has no name", i);
  }
  return CL_SUCCESS;
}

static cl_int compile(Program *program, const List<Device *> &devices, const char *options, cl_uint count,
                      const cl_program *headers, const char *const *names) {
  Held held(program->lock);
  const Code &given = program->il.data ? program->specialized : program->source;
  REQUIRE(given.data, CL_INVALID_OPERATION, "the program has no source");
  REQUIRE_SUCCESS(require_no_kernels(program));
  REQUIRE_SUCCESS(set_options(program, options));
  REQUIRE_SUCCESS(set_devices(program, devices));
  List<lw_text> texts = {};
  bool has_room = texts.add({given.data, given.bytes});
  for (cl_uint i = 0; i < count; ++i) // sources never change
    has_room &= texts.add({names[i], strlen(names[i])}) &&
                texts.add({headers[i]->source.data, headers[i]->source.bytes});
  lw_text made = {};
  char *log = nullptr;
  int32_t result = has_room ? lw_opencl_make(LW_OPENCL_COMPILE, program->options, texts.items, texts.count, &made, &log)
                            : static_cast<int32_t>(LW_NO_MEMORY);
  texts.release();
  if (program->build)
    drop_build(program->build);
  program->build = nullptr;
  return take_code(program, result, made, log, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_COMPILE_PROGRAM_FAILURE,
                   CL_INVALID_COMPILER_OPTIONS);
}

// ---- Linking -------------------------------------------------------------------------------------------------

struct LinkOptions {
  bool makes_library, enables_options;
};

// Mathematical options permit what the parts' code doesn't do without; so they change nothing.
static bool permits_only(const char *word, size_t length) {
  static const char *const known[] = {"-cl-denorms-are-zero",          "-cl-no-signed-zeroes",
                                      "-cl-no-signed-zeros",           "-cl-unsafe-math-optimizations",
                                      "-cl-finite-math-only",          "-cl-fast-relaxed-math",
                                      "-cl-no-subgroup-ifp"};
  for (const char *each : known)
    if (strlen(each) == length && strncmp(word, each, length) == 0)
      return true;
  return false;
}

static cl_int read_link_options(const char *options, LinkOptions &read) {
  read = {};
  for (const char *at = options ? options : ""; *at; ) {
    at += strspn(at, " \t\n");
    size_t length = strcspn(at, " \t\n");
    if (length == 15 && strncmp(at, "-create-library", length) == 0)
      read.makes_library = true;
    else if (length == 20 && strncmp(at, "-enable-link-options", length) == 0)
      read.enables_options = true;
    else
      REQUIRE(!length || permits_only(at, length), CL_INVALID_LINKER_OPTIONS, "%.*s is no option of the linker",
              static_cast<int>(length), at);
    at += length;
  }
  REQUIRE(read.makes_library || !read.enables_options, CL_INVALID_LINKER_OPTIONS,
          "-enable-link-options is for libraries: -create-library");
  return CL_SUCCESS;
}

static cl_int require_part(Program *part, const Context *context, cl_uint number) {
  REQUIRE_SUCCESS(require_program(part));
  REQUIRE(part->context == context, CL_INVALID_CONTEXT, "program %u is of another context", number);
  Held held(part->lock);
  REQUIRE(part->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || part->type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
          CL_INVALID_OPERATION, "program %u is neither compiled nor a library", number);
  return CL_SUCCESS;
}

// Whether it has code for a device.
static bool is_for(Program *part, const Device *device) {
  Held held(part->lock);
  return cover(part->devices(), device) && !is_made_without(part, device);
}

// The devices among some that all parts have code for: the others have no executable then. A device that only some have
// code for is refused, and so are parts that have a device in common with none.
static cl_int find_devices(const List<Device *> &devices, cl_uint count, const cl_program *parts,
                           List<Device *> &found) {
  for (size_t i = 0; i < devices.count; ++i) {
    cl_uint have = 0;
    for (cl_uint part = 0; part < count; ++part)
      have += is_for(parts[part], devices[i]);
    REQUIRE(have == 0 || have == count, CL_INVALID_OPERATION, "%u of %u programs have code for device %zu", have, count,
            i);
    REQUIRE(!have || found.has(devices[i]) || found.add(devices[i]), CL_OUT_OF_HOST_MEMORY,
            "no memory for a list of devices");
  }
  REQUIRE(found.count, CL_INVALID_OPERATION, "the programs have code for other devices");
  return CL_SUCCESS;
}

// The parts' IR: copies, since a part may be compiled again meanwhile.
static cl_int copy_parts(cl_uint count, const cl_program *parts, List<lw_text> &copies) {
  for (cl_uint i = 0; i < count; ++i) {
    Held held(parts[i]->lock);
    const Code &code = parts[i]->code;
    REQUIRE(code.data, CL_INVALID_OPERATION, "program %u is not compiled", i);
    char *copy = copy_of(code.data, code.bytes);
    bool has_room = copy && copies.add({copy, code.bytes});
    if (!has_room)
      free(copy);
    REQUIRE(has_room, CL_OUT_OF_HOST_MEMORY, "no memory for a program of %zu bytes", code.bytes);
  }
  return CL_SUCCESS;
}

static cl_int link_parts(Program *program, const List<Device *> &devices, const LinkOptions &options,
                         const List<lw_text> &parts) {
  Held held(program->lock);
  REQUIRE_SUCCESS(set_devices(program, devices));
  lw_text made = {};
  char *log = nullptr;
  int32_t work = options.makes_library ? LW_OPENCL_LINK_LIBRARY : LW_OPENCL_LINK;
  int32_t result = lw_opencl_make(work, "", parts.items, parts.count, &made, &log);
  REQUIRE_SUCCESS(take_code(program, result, made, log, CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_LINK_PROGRAM_FAILURE,
                            CL_INVALID_LINKER_OPTIONS));
  if (options.makes_library)
    return CL_SUCCESS;
  program->type = CL_PROGRAM_BINARY_TYPE_NONE;
  return build_code(program, program->code, program->options, devices, CL_LINK_PROGRAM_FAILURE);
}

static cl_int link(Context *context, const List<Device *> &devices, const char *given, cl_uint count,
                   const cl_program *parts, Program *&made) {
  LinkOptions options;
  REQUIRE_SUCCESS(read_link_options(given, options));
  List<Device *> found = {};
  List<lw_text> copies = {};
  cl_int result = find_devices(devices, count, parts, found);
  if (result == CL_SUCCESS)
    result = copy_parts(count, parts, copies);
  if (result == CL_SUCCESS)
    result = create_program(context, made);
  if (result == CL_SUCCESS)
    result = set_options(made, given);
  if (result == CL_SUCCESS)
    result = link_parts(made, found, options, copies);
  for (const lw_text &each : copies)
    free(const_cast<char *>(each.data));
  copies.release();
  found.release();
  return result;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                              const char *options, cl_uint num_headers, const cl_program *headers,
                              const char *const *names, void (*notify)(cl_program, void *), void *data) {
  REQUIRE_SUCCESS(require_program(program));
  REQUIRE_SUCCESS(require_devices(program->context, num_devices, devices));
  REQUIRE_SUCCESS(require_headers(program->context, num_headers, headers, names));
  REQUIRE(notify || !data, CL_INVALID_VALUE, "data for a callback, and no callback");
  List<Device *> some = {const_cast<Device **>(devices), num_devices, num_devices};
  cl_int result = compile(program, num_devices ? some : program->devices(), options, num_headers, headers, names);
  bool has_ended = result == CL_SUCCESS || result == CL_COMPILE_PROGRAM_FAILURE;
  if (notify && has_ended) {
    notify(program, data);
    return CL_SUCCESS;
  }
  return result;
}

// The program is there even where linking fails: it has the log.
LW_CL cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                               const char *options, cl_uint count, const cl_program *parts,
                               void (*notify)(cl_program, void *), void *data, cl_int *code) {
  Program *made = nullptr;
  auto body = [&]() -> cl_int {
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    REQUIRE_SUCCESS(require_devices(context, num_devices, devices));
    REQUIRE(count && parts, CL_INVALID_VALUE, "no programs to link");
    REQUIRE(notify || !data, CL_INVALID_VALUE, "data for a callback, and no callback");
    for (cl_uint i = 0; i < count; ++i)
      REQUIRE_SUCCESS(require_part(parts[i], context, i));
    List<Device *> some = {const_cast<Device **>(devices), num_devices, num_devices};
    return link(context, num_devices ? some : context->devices, options, count, parts, made);
  };
  cl_int result = body();
  if (notify && made) {
    notify(made, data);
    result = CL_SUCCESS;
  }
  if (code)
    *code = result;
  return made;
}
