// SPDX-License-Identifier: Apache-2.0
// Programs: sources and binaries, built by the compile service.
#include "program.h"
#include "image_variants.h"
#include "devices.h"
#include "scheduler.h"

extern "C" const char lw_opencl_build[] = LW_PLATFORM_BUILD; // of the sources of this folder: opencl/library.py

namespace lw_opencl {

cl_int require_program(const Program *program) {
  REQUIRE(lives(program), CL_INVALID_PROGRAM, "%p is no program", static_cast<const void *>(program));
  return CL_SUCCESS;
}

// ---- What the service says of a program ----------------------------------------------------------------------

// The next field of a line, which ends at a tab.
static char *next_field(char *&rest) {
  char *field = rest, *end = field + strcspn(field, "\t");
  rest = *end ? end + 1 : end;
  *end = '\0';
  return field;
}

static uint32_t next_number(char *&rest) { return static_cast<uint32_t>(strtoul(next_field(rest), nullptr, 10)); }

static bool read_kernel(char *rest, List<KernelText> &kernels) {
  KernelText kernel = {};
  kernel.name = next_field(rest);
  kernel.symbol = next_field(rest);
  for (uint32_t &extent : kernel.local)
    extent = next_number(rest);
  kernel.most_items = next_number(rest);
  kernel.local_bytes = next_number(rest);
  kernel.asks_dimensions = next_number(rest) != 0;
  kernel.sub_group_size = next_number(rest);
  kernel.requires_sub_group_size = kernel.sub_group_size != 0;
  kernel.is_later = next_number(rest) != 0;
  kernel.is_uniform = next_number(rest) != 0;
  kernel.sees_groups = next_number(rest) != 0;
  kernel.goes_along_y = next_number(rest) != 0;
  kernel.attributes = next_field(rest);
  if (!kernel.sub_group_size)
    kernel.sub_group_size = USUAL_SUB_GROUP_SIZE;
  return kernels.add(kernel);
}

static bool read_argument(char *rest, List<KernelText> &kernels) {
  Argument argument = {};
  const char **fields[] = {&argument.name,    &argument.type,   &argument.kind,
                           &argument.address, &argument.access, &argument.qualifiers};
  for (const char **field : fields)
    *field = next_field(rest);
  argument.bytes = next_number(rest);
  argument.offset = next_number(rest);
  if (!kernels.count)
    return false;
  KernelText &kernel = kernels[kernels.count - 1];
  kernel.takes_images |= strcmp(argument.kind, "image") == 0 || strcmp(argument.kind, "sampler") == 0;
  return kernel.arguments.add(argument);
}

// Reads lines as cuda/service/opencl_programs.py writes them. What follows "log" is the build log.
static bool read_description(Build *build) {
  for (char *line = build->text; line;) {
    char *end = strchr(line, '\n'), *rest = line;
    if (end)
      *end = '\0';
    const char *kind = next_field(rest);
    if (strcmp(kind, "log") == 0) {
      build->log = end ? end + 1 : nullptr;
      return true;
    }
    bool is_kernel = strcmp(kind, "kernel") == 0, is_size = strcmp(kind, "variables") == 0;
    if (is_size)
      build->global_bytes = strtoull(next_field(rest), nullptr, 10);
    else if (!(is_kernel ? read_kernel(rest, build->kernels) : read_argument(rest, build->kernels)))
      return false;
    line = end ? end + 1 : nullptr;
  }
  return false;
}

// ---- Builds --------------------------------------------------------------------------------------------------

Build *use_build(Build *build) {
  __atomic_fetch_add(&build->uses, 1, __ATOMIC_RELAXED);
  return build;
}

void drop_build(Build *build) {
  if (__atomic_sub_fetch(&build->uses, 1, __ATOMIC_ACQ_REL))
    return;
  for (Form &form : build->forms)
    if (form.library)
      lw_library_close(form.image, form.library);
  release_variants(build);
  for (KernelText &kernel : build->kernels)
    kernel.arguments.release();
  build->kernels.release();
  free(build->text);
  free(build->code.data);
  free(build->options);
  build->devices.release();
  free(build->later_log);
  free(build);
}

char *copy_of(const char *text, size_t bytes) {
  char *copy = static_cast<char *>(malloc(bytes + 1));
  if (copy) {
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
  }
  return copy;
}

static lw_text text_of(const Code &code) { return {code.data, code.bytes}; }

int32_t share_variables(const Build *build, uint32_t form, const lw_image *further) {
  const lw_image *first = build->forms[form & LW_OPENCL_SIMULATED].image;
  return first && first != further ? lw_variables_share(further, first) : LW_SUCCESS;
}

// Opens a form. `description` gets what the compile service says of the kernels, or the log; the caller frees it.
static int32_t open_form(Build *build, uint32_t form, char *&description) {
  Form &opened = build->forms[form];
  lw_text whole = {};
  int32_t result = lw_opencl_open(text_of(build->code), build->code.is_ir, build->options, form, nullptr, &opened.image,
                                  &opened.library, &description, build->text ? nullptr : &whole);
  if (result != LW_SUCCESS)
    opened = {nullptr, nullptr, true};
  if (whole.data) { // of the first form: all further code is of the files as this has them
    free(build->code.data);
    build->code = {const_cast<char *>(whole.data), whole.bytes, false};
  }
  return result;
}

// Opens the forms that devices run at once. The processor's tells what kernels there are, and which of them are compiled
// later; without it the first one does.
static int32_t open_forms(Build *build, const List<Device *> &devices) {
  int32_t result = LW_SUCCESS;
  for (const Device *each : devices) {
    uint32_t form = form_for(each);
    if (result != LW_SUCCESS || build->forms[form].image)
      continue;
    char *description = nullptr;
    result = open_form(build, form, description);
    bool is_of_processor = !(form & (LW_OPENCL_SIMULATED | LW_OPENCL_GPU));
    bool is_wanted = result != LW_SUCCESS || !build->text || is_of_processor;
    free(is_wanted ? build->text : description);
    build->text = is_wanted ? description : build->text;
  }
  return result;
}

// A build; null, with a log or a reason, if there is none. `result` is what the compile service says.
static Build *new_build(const Code &code, const char *options, const List<Device *> &devices, char *&log,
                        int32_t &result) {
  Build *build = static_cast<Build *>(calloc(1, sizeof(Build)));
  result = LW_NO_MEMORY;
  if (!build)
    return nullptr;
  build->uses = 1;
  pthread_mutex_init(&build->lock, nullptr);
  build->code = {copy_of(code.data, code.bytes), code.bytes, code.is_ir};
  build->options = strdup(options);
  if (build->code.data && build->options && build->devices.add_all(devices))
    result = open_forms(build, devices);
  if (result == LW_SUCCESS && build->text && read_description(build)) {
    log = strdup(build->log ? build->log : "");
    return build;
  }
  const char *reason = result == LW_SUCCESS ? "the compile service's answer can't be read" : lw_explanation();
  log = strdup(result != LW_SUCCESS && build->text ? build->text : reason);
  drop_build(build);
  return nullptr;
}

const lw_kernel_image *kernel_in_form(Build *build, const KernelText *text, uint32_t form) {
  Held held(build->lock);
  Form &wanted = build->forms[form];
  if (!wanted.image && !wanted.failed) {
    char *description = nullptr;
    if (open_form(build, form, description) == LW_SUCCESS && share_variables(build, form, wanted.image) != LW_SUCCESS) {
      lw_library_close(wanted.image, wanted.library);
      wanted = {nullptr, nullptr, true};
    }
    free(description);
  }
  return wanted.image ? lw_image_kernel(wanted.image, text->symbol) : nullptr;
}

// ---- Programs ------------------------------------------------------------------------------------------------

cl_int create_program(Context *context, Program *&made) {
  made = created<Program>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many programs");
  made->context = use(context);
  made->status = CL_BUILD_NONE;
  pthread_mutex_init(&made->lock, nullptr);
  return CL_SUCCESS;
}

void Program::finish() {
  if (build)
    drop_build(build);
  free(source.data);
  free(code.data);
  free(il.data);
  free(specialized.data);
  free(options);
  free(binary_options);
  free(log);
  devices_of_binaries.release();
  made_for.release();
  drop(context);
}

static cl_int joined(cl_uint count, const char *const *strings, const size_t *lengths, char *&text, size_t &bytes) {
  REQUIRE(count && strings, CL_INVALID_VALUE, "no source");
  bytes = 0;
  for (cl_uint i = 0; i < count; ++i) {
    REQUIRE(strings[i], CL_INVALID_VALUE, "string %u of the source is null", i);
    bytes += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
  }
  text = static_cast<char *>(malloc(bytes + 1));
  REQUIRE(text, CL_OUT_OF_HOST_MEMORY, "no memory for a source of %zu bytes", bytes);
  char *at = text;
  for (cl_uint i = 0; i < count; ++i) {
    size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    memcpy(at, strings[i], length);
    at += length;
  }
  *at = '\0';
  return CL_SUCCESS;
}

cl_int require_devices(const Context *context, cl_uint count, const cl_device_id *devices) {
  REQUIRE(!count == !devices, CL_INVALID_VALUE, "%u devices at %p", count, static_cast<const void *>(devices));
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE(context->has(devices[i]), CL_INVALID_DEVICE, "device %u is none of the context", i);
  return CL_SUCCESS;
}

cl_int require_devices(const Program *program, cl_uint count, const cl_device_id *devices) {
  REQUIRE_SUCCESS(require_devices(program->context, count, devices));
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE(program->devices().has(devices[i]), CL_INVALID_DEVICE, "the program has no binary for device %u", i);
  return CL_SUCCESS;
}

cl_int require_no_kernels(const Program *program) {
  REQUIRE(!__atomic_load_n(&program->num_kernels, __ATOMIC_ACQUIRE), CL_INVALID_OPERATION,
          "the program has kernels: they are to be released before it is built again");
  return CL_SUCCESS;
}

cl_int set_options(Program *program, const char *options) {
  free(program->options);
  program->options = strdup(options ? options : "");
  REQUIRE(program->options, CL_OUT_OF_HOST_MEMORY, "no memory for options");
  return CL_SUCCESS;
}

void drop_former_build(Program *program) {
  if (Build *former = program->build) {
    program->build = nullptr; // a child of a fork meanwhile has none
    drop_build(former);
  }
  free(program->log);
  program->log = nullptr;
}

cl_int set_devices(Program *program, const List<Device *> &devices) {
  List<Device *> copy = {};
  bool has_room = copy.add_all(devices);
  (has_room ? program->made_for : copy).release();
  REQUIRE(has_room, CL_OUT_OF_HOST_MEMORY, "no memory for a list of devices");
  program->made_for = copy;
  return CL_SUCCESS;
}

// Adds the devices of a former build to a list, if a further one is the same but for its devices.
static bool add_former(const Build *former, const Code &code, const char *options, List<Device *> &devices) {
  if (!former || strcmp(former->options, options) != 0 || former->code.bytes != code.bytes ||
      memcmp(former->code.data, code.data, code.bytes) != 0)
    return true;
  for (Device *each : former->devices)
    if (!devices.has(each) && !devices.add(each))
      return false;
  return true;
}

cl_int build_code(Program *program, const Code &code, const char *options, const List<Device *> &devices, cl_int refused) {
  List<Device *> all = {};
  bool has_room = all.add_all(devices) && add_former(program->build, code, options, all);
  cl_int noted = has_room ? set_devices(program, all) : fail(CL_OUT_OF_HOST_MEMORY, "no memory for a list of devices");
  all.release();
  REQUIRE_SUCCESS(noted);
  drop_former_build(program);
  int32_t result;
  program->build = new_build(code, options, program->made_for, program->log, result);
  program->status = program->build ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  REQUIRE(program->build, result == LW_BAD_OPTIONS ? CL_INVALID_BUILD_OPTIONS : refused, "%s",
          program->log ? program->log : "no memory");
  program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return CL_SUCCESS;
}

static cl_int build_program(Program *program, const List<Device *> &devices, const char *options) {
  Held held(program->lock);
  REQUIRE_SUCCESS(require_no_kernels(program));
  if (program->is_binary)
    return build_binary(program, devices, options);
  const Code &given = program->il.data ? program->specialized : program->source;
  REQUIRE(given.data, CL_INVALID_OPERATION, "the program has been linked already");
  free(program->code.data);
  program->code = {};
  program->type = CL_PROGRAM_BINARY_TYPE_NONE;
  REQUIRE_SUCCESS(set_options(program, options));
  return build_code(program, given, program->options, devices, CL_BUILD_PROGRAM_FAILURE);
}

// ---- Queries -------------------------------------------------------------------------------------------------

static cl_int kernel_names(const Program *program, const Answer &answer) {
  size_t bytes = 1;
  for (const KernelText &kernel : program->build->kernels)
    bytes += strlen(kernel.name) + 1;
  char *names = static_cast<char *>(calloc(1, bytes));
  REQUIRE(names, CL_OUT_OF_HOST_MEMORY, "no memory for names");
  for (const KernelText &kernel : program->build->kernels)
    sprintf(names + strlen(names), "%s%s", *names ? ";" : "", kernel.name);
  cl_int result = answer.text(names);
  free(names);
  return result;
}

static cl_int program_info(Program *program, cl_enum what, const Answer &answer) {
  Held held(program->lock);
  switch (what) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return answer.value(references_of(program));
  case CL_PROGRAM_CONTEXT:
    return answer.value(program->context);
  case CL_PROGRAM_NUM_DEVICES:
    return answer.value(static_cast<cl_uint>(program->devices().count));
  case CL_PROGRAM_DEVICES:
    return answer.bytes(program->devices().items, program->devices().count * sizeof(cl_device_id));
  case CL_PROGRAM_SOURCE:
    return program->source.data ? answer.bytes(program->source.data, program->source.bytes + 1) : answer.text("");
  case CL_PROGRAM_BINARY_SIZES:
    return binary_sizes(program, answer);
  case CL_PROGRAM_BINARIES:
    return binaries_of(program, answer);
  case CL_PROGRAM_NUM_KERNELS:
    REQUIRE(program->build, CL_INVALID_PROGRAM_EXECUTABLE, "the program isn't built");
    return answer.value(program->build->kernels.count);
  case CL_PROGRAM_KERNEL_NAMES:
    REQUIRE(program->build, CL_INVALID_PROGRAM_EXECUTABLE, "the program isn't built");
    return kernel_names(program, answer);
  case CL_PROGRAM_IL:
    return program->il.data ? answer.bytes(program->il.data, program->il.bytes) : answer.nothing();
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return answer.value<cl_bool>(CL_FALSE);
  default:
    return fail(CL_INVALID_VALUE, "programs have no property 0x%x", what);
  }
}

// The log of a build, and of the kernels of it that were compiled since.
static cl_int build_log(const Program *program, Build *build, const Answer &answer) {
  const char *log = program->log ? program->log : "";
  if (!build)
    return answer.text(log);
  Held held(build->log_lock);
  if (!build->later_log)
    return answer.text(log);
  size_t before = strlen(log), after = strlen(build->later_log);
  char *both = static_cast<char *>(malloc(before + after + 1));
  REQUIRE(both, CL_OUT_OF_HOST_MEMORY, "no memory for a build log");
  memcpy(both, log, before);
  memcpy(both + before, build->later_log, after + 1);
  cl_int result = answer.text(both);
  free(both);
  return result;
}

static cl_int build_info(Program *program, const Device *device, cl_enum what, const Answer &answer) {
  Held held(program->lock);
  bool is_for_others = is_made_without(program, device);
  switch (what) {
  case CL_PROGRAM_BUILD_STATUS:
    return answer.value(is_for_others ? static_cast<cl_int>(CL_BUILD_NONE) : program->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return answer.text(program->options ? program->options : "");
  case CL_PROGRAM_BUILD_LOG:
    return build_log(program, is_for_others ? nullptr : program->build, answer);
  case CL_PROGRAM_BINARY_TYPE:
    return answer.value(is_for_others ? static_cast<cl_enum>(CL_PROGRAM_BINARY_TYPE_NONE) : program->type);
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return answer.value<size_t>(program->build && !is_for_others ? program->build->global_bytes : 0);
  default:
    return fail(CL_INVALID_VALUE, "builds have no property 0x%x", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                           const size_t *lengths, cl_int *code) {
  return made<Program>(code, [&](Program *&program) -> cl_int {
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    Code source = {};
    REQUIRE_SUCCESS(joined(count, strings, lengths, source.data, source.bytes));
    cl_int result = create_program(context, program);
    if (result == CL_SUCCESS)
      program->source = source;
    else
      free(source.data);
    return result;
  });
}

LW_CL cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                           const size_t *lengths, const unsigned char **binaries, cl_int *statuses,
                                           cl_int *code) {
  return made<Program>(code, [&](Program *&program) -> cl_int {
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    REQUIRE(count && devices && lengths && binaries, CL_INVALID_VALUE, "a binary for %u devices", count);
    REQUIRE_SUCCESS(require_devices(context, count, devices));
    REQUIRE_SUCCESS(read_binaries(context, count, lengths, binaries, statuses, program));
    bool has_room = true;
    for (cl_uint i = 0; i < count; ++i)
      has_room &= program->devices_of_binaries.has(devices[i]) || program->devices_of_binaries.add(devices[i]);
    if (has_room)
      return CL_SUCCESS;
    release(program, CL_INVALID_PROGRAM);
    return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a list of devices");
  });
}

LW_CL cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count, const cl_device_id *devices,
                                                   const char *names, cl_int *code) {
  return made<Program>(code, [&](Program *&) -> cl_int {
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    REQUIRE(count && devices && names, CL_INVALID_VALUE, "no devices or no names");
    REQUIRE_SUCCESS(require_devices(context, count, devices));
    return fail(CL_INVALID_VALUE, "there is no built-in kernel %s", names);
  });
}

LW_CL cl_int clRetainProgram(cl_program program) { return retain(program, CL_INVALID_PROGRAM); }
LW_CL cl_int clReleaseProgram(cl_program program) { return release(program, CL_INVALID_PROGRAM); }

LW_CL cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                            void (*notify)(cl_program, void *), void *data) {
  REQUIRE_SUCCESS(require_program(program));
  REQUIRE_SUCCESS(require_devices(program, count, devices));
  REQUIRE(notify || !data, CL_INVALID_VALUE, "data for a callback, and no callback");
  List<Device *> all = program->devices(), some = {const_cast<Device **>(devices), count, count};
  cl_int result = build_program(program, count ? some : all, options);
  if (notify && (result == CL_SUCCESS || result == CL_BUILD_PROGRAM_FAILURE || result == CL_INVALID_BUILD_OPTIONS)) {
    notify(program, data);
    return CL_SUCCESS;
  }
  return result;
}

LW_CL cl_int clGetProgramInfo(cl_program program, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_program(program));
  return program_info(program, what, {room, place, size});
}

LW_CL cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_enum what, size_t room, void *place,
                                   size_t *size) {
  REQUIRE_SUCCESS(require_program(program));
  REQUIRE(program->devices().has(device), CL_INVALID_DEVICE, "%p is no device of the program",
          static_cast<const void *>(device));
  return build_info(program, device, what, {room, place, size});
}
