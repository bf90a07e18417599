// SPDX-License-Identifier: Apache-2.0
// Kernels: their arguments, and what they are asked.
#include "devices.h"
#include "images.h"
#include "kernel.h"
#include "memory.h"
#include "program.h"
#include "scheduler.h"

namespace lw_opencl {

enum : size_t { WIDTH = 64 };

static cl_int require_kernel(const Kernel *kernel) {
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  return CL_SUCCESS;
}

cl_int find_device(const Kernel *kernel, const Device *named, const Device *&found) {
  const List<Device *> &devices = kernel->program->devices();
  found = named || devices.count != 1 ? named : devices[0];
  REQUIRE(found && devices.has(const_cast<Device *>(found)), CL_INVALID_DEVICE, "%p is no device of the kernel",
          static_cast<const void *>(named));
  return CL_SUCCESS;
}

static const KernelText *kernel_named(const Build *build, const char *name) {
  for (const KernelText &each : build->kernels)
    if (strcmp(each.name, name) == 0)
      return &each;
  return nullptr;
}

static bool allocate_arguments(Kernel *kernel) {
  size_t count = kernel->text->arguments.count, bytes = 8;
  for (const Argument &each : kernel->text->arguments)
    bytes = bytes < each.offset + each.bytes ? each.offset + each.bytes : bytes;
  kernel->packed_bytes = bytes;
  kernel->packed = static_cast<char *>(calloc(1, bytes));
  kernel->is_set = static_cast<bool *>(calloc(count + 1, sizeof(bool)));
  kernel->is_host_pointer = static_cast<bool *>(calloc(count + 1, sizeof(bool)));
  kernel->memories = static_cast<Memory **>(calloc(count + 1, sizeof(Memory *)));
  kernel->local_bytes = static_cast<size_t *>(calloc(count + 1, sizeof(size_t)));
  return kernel->packed && kernel->is_set && kernel->is_host_pointer && kernel->memories && kernel->local_bytes;
}

// A kernel of a build that the caller holds.
static cl_int create_kernel(Program *program, Build *build, const KernelText *text, Kernel *&made) {
  const lw_kernel_image *images[LW_OPENCL_FORMS] = {};
  bool has_code = text->is_later;
  for (uint32_t form = 0; form < LW_OPENCL_FORMS; ++form)
    if (!(form & LW_OPENCL_GENERAL) && build->forms[form].image) {
      images[form] = lw_image_kernel(build->forms[form].image, text->symbol);
      has_code |= images[form] != nullptr;
    }
  REQUIRE(has_code, CL_INVALID_KERNEL_DEFINITION, "kernel %s has no code", text->name);
  made = created<Kernel>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many kernels");
  made->program = use(program);
  made->build = use_build(build);
  made->text = text;
  memcpy(made->images, images, sizeof images);
  pthread_mutex_init(&made->lock, nullptr);
  __atomic_fetch_add(&program->num_kernels, 1, __ATOMIC_ACQ_REL);
  if (allocate_arguments(made))
    return CL_SUCCESS;
  release(made, CL_INVALID_KERNEL);
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a kernel's arguments");
}

void Kernel::finish() {
  __atomic_fetch_sub(&program->num_kernels, 1, __ATOMIC_ACQ_REL);
  for (Memory *each : kept)
    drop(each);
  kept.release();
  free(packed);
  free(is_set);
  free(is_host_pointer);
  free(memories);
  free(local_bytes);
  drop_build(build);
  drop(program);
}

// The program's build, held; null if there is none.
static Build *build_of(Program *program) {
  Held held(program->lock);
  return program->build ? use_build(program->build) : nullptr;
}

static cl_int create_named(Program *program, const char *name, Kernel *&made) {
  REQUIRE(lives(program), CL_INVALID_PROGRAM, "%p is no program", static_cast<const void *>(program));
  REQUIRE(name, CL_INVALID_VALUE, "no name");
  Build *build = build_of(program);
  REQUIRE(build, CL_INVALID_PROGRAM_EXECUTABLE, "the program isn't built");
  const KernelText *text = kernel_named(build, name);
  cl_int result = text ? create_kernel(program, build, text, made)
                       : fail(CL_INVALID_KERNEL_NAME, "the program has no kernel %s", name);
  drop_build(build);
  return result;
}

size_t most_items(const Kernel *kernel, const Device *device) {
  size_t most = device->kind->most_work_items, bound = kernel->text->most_items;
  const lw_kernel_image *image = kernel->images[form_for(device)];
  uint32_t threads;
  if (device->kind->has_driver && image && lw_gpu_most_threads(image, &threads) == LW_SUCCESS && threads < most)
    most = threads;
  return bound && bound < most ? bound : most;
}

// ---- Arguments -----------------------------------------------------------------------------------------------

static bool is_word(const char *word, const char *expected) { return strcmp(word, expected) == 0; }

// A copy that keeps what it has been given drops nothing by itself: its user may hold locks.
static cl_int keep_memory(Kernel *kernel, cl_uint number, Memory *memory) {
  if (kernel->keeps_memories && memory) {
    REQUIRE(kernel->kept.add(memory), CL_OUT_OF_HOST_MEMORY, "no memory for an argument");
    use(memory);
  }
  kernel->memories[number] = memory;
  return CL_SUCCESS;
}

// That a memory object, which is or isn't of the right kind, is of the kernel's context.
static cl_int require_own_memory(const Kernel *kernel, cl_int is_of_kind, const Memory *memory) {
  REQUIRE_SUCCESS(is_of_kind);
  REQUIRE(memory->context == kernel->program->context, CL_INVALID_CONTEXT, "the memory object is of another context");
  return CL_SUCCESS;
}

static cl_int set_memory(Kernel *kernel, cl_uint number, size_t bytes, const void *value) {
  REQUIRE(bytes == sizeof(cl_mem), CL_INVALID_ARG_SIZE, "argument %u is a memory object, of %zu bytes, not %zu", number,
          sizeof(cl_mem), bytes);
  Memory *memory = value ? *static_cast<Memory *const *>(value) : nullptr;
  if (memory)
    REQUIRE_SUCCESS(require_own_memory(kernel, require_buffer(memory), memory));
  char *data = memory ? memory->data : nullptr;
  REQUIRE_SUCCESS(keep_memory(kernel, number, memory));
  memcpy(kernel->packed + kernel->text->arguments[number].offset, &data, sizeof data);
  return CL_SUCCESS;
}

static uint32_t geometry_of(const char *type) {
  return strstr(type, "image3d")         ? LW_3D
         : strstr(type, "image2d_array") ? LW_2D_LAYERED
         : strstr(type, "image2d")       ? LW_2D
         : strstr(type, "image1d_array") ? LW_1D_LAYERED
                                         : LW_1D;
}

static cl_int set_image(Kernel *kernel, cl_uint number, size_t bytes, const void *value) {
  const Argument &argument = kernel->text->arguments[number];
  REQUIRE(bytes == sizeof(cl_mem), CL_INVALID_ARG_SIZE, "argument %u is an image, of %zu bytes, not %zu", number,
          sizeof(cl_mem), bytes);
  REQUIRE(value, CL_INVALID_ARG_VALUE, "argument %u, %s, has no value", number, argument.name);
  Memory *image = *static_cast<Memory *const *>(value);
  REQUIRE_SUCCESS(require_own_memory(kernel, require_image(image), image));
  const lw_texture &description = image->picture->description;
  bool is_depth = image->picture->format.image_channel_order == CL_DEPTH;
  bool is_buffer = image->picture->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  REQUIRE(geometry_of(argument.type) == (description.element >> LW_GEOMETRY_SHIFT & 7) &&
              is_depth == (strstr(argument.type, "_depth") != nullptr) &&
              is_buffer == (strstr(argument.type, "_buffer") != nullptr),
          CL_INVALID_ARG_VALUE, "argument %u, %s, is of type %s: the image is of another", number, argument.name,
          argument.type);
  bool reads = !is_word(argument.access, "write_only"), writes = !is_word(argument.access, "read_only");
  REQUIRE(!reads || !(image->flags & CL_MEM_WRITE_ONLY), CL_INVALID_ARG_VALUE,
          "argument %u, %s, is read: the image is write-only", number, argument.name);
  REQUIRE(!writes || !(image->flags & CL_MEM_READ_ONLY), CL_INVALID_ARG_VALUE,
          "argument %u, %s, is written: the image is read-only", number, argument.name);
  const lw_texture *place = &description;
  REQUIRE_SUCCESS(keep_memory(kernel, number, image));
  memcpy(kernel->packed + argument.offset, &place, sizeof place);
  return CL_SUCCESS;
}

static cl_int set_sampler(Kernel *kernel, cl_uint number, size_t bytes, const void *value) {
  const Argument &argument = kernel->text->arguments[number];
  REQUIRE(bytes == sizeof(cl_sampler), CL_INVALID_ARG_SIZE, "argument %u is a sampler, of %zu bytes, not %zu", number,
          sizeof(cl_sampler), bytes);
  REQUIRE(value, CL_INVALID_SAMPLER, "argument %u, %s, has no value", number, argument.name);
  Sampler *sampler = *static_cast<Sampler *const *>(value);
  REQUIRE(lives(sampler), CL_INVALID_SAMPLER, "argument %u: %p is no sampler", number,
          static_cast<const void *>(sampler));
  REQUIRE(sampler->context == kernel->program->context, CL_INVALID_CONTEXT, "the sampler is of another context");
  uint64_t bits = sampler->bits();
  memcpy(kernel->packed + argument.offset, &bits, sizeof bits);
  return CL_SUCCESS;
}

// The argument is a pointer that kernels use as it is; null where it can't be.
cl_int set_pointer(Kernel *kernel, cl_uint number, const void *value) {
  Held held(kernel->lock);
  const List<Argument> &arguments = kernel->text->arguments;
  REQUIRE(number < arguments.count, CL_INVALID_ARG_INDEX, "kernel %s has %zu arguments, not %u", kernel->text->name,
          arguments.count, number + 1);
  REQUIRE(some_has_svm(kernel->program->context->devices), CL_INVALID_OPERATION, "no device has shared virtual memory");
  REQUIRE(is_word(arguments[number].kind, "pointer"), CL_INVALID_ARG_VALUE, "argument %u, %s, is no pointer", number,
          arguments[number].name);
  kernel->memories[number] = nullptr;
  memcpy(kernel->packed + arguments[number].offset, &value, sizeof value);
  kernel->is_set[number] = true;
  kernel->is_host_pointer[number] = value != nullptr;
  return CL_SUCCESS;
}

cl_int set_argument(Kernel *kernel, cl_uint number, size_t bytes, const void *value) {
  Held held(kernel->lock);
  const List<Argument> &arguments = kernel->text->arguments;
  REQUIRE(number < arguments.count, CL_INVALID_ARG_INDEX, "kernel %s has %zu arguments, not %u", kernel->text->name,
          arguments.count, number + 1);
  const Argument &argument = arguments[number];
  if (is_word(argument.kind, "pointer")) {
    REQUIRE_SUCCESS(set_memory(kernel, number, bytes, value));
  } else if (is_word(argument.kind, "image")) {
    REQUIRE_SUCCESS(set_image(kernel, number, bytes, value));
  } else if (is_word(argument.kind, "sampler")) {
    REQUIRE_SUCCESS(set_sampler(kernel, number, bytes, value));
  } else if (is_word(argument.kind, "local")) {
    REQUIRE(!value, CL_INVALID_ARG_VALUE, "argument %u, %s, is local memory: its value is null", number, argument.name);
    REQUIRE(bytes, CL_INVALID_ARG_SIZE, "argument %u, %s, is local memory of 0 bytes", number, argument.name);
    kernel->local_bytes[number] = bytes;
  } else {
    REQUIRE(value, CL_INVALID_ARG_VALUE, "argument %u, %s, has no value", number, argument.name);
    REQUIRE(bytes == argument.bytes, CL_INVALID_ARG_SIZE, "argument %u, %s %s, has %u bytes, not %zu", number,
            argument.type, argument.name, argument.bytes, bytes);
    memcpy(kernel->packed + argument.offset, value, bytes);
  }
  kernel->is_set[number] = true;
  kernel->is_host_pointer[number] = false;
  return CL_SUCCESS;
}

// ---- Queries -------------------------------------------------------------------------------------------------

static cl_bitfield type_qualifiers(const Argument &argument) {
  cl_bitfield found = 0;
  found |= strstr(argument.qualifiers, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0;
  found |= strstr(argument.qualifiers, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0;
  found |= strstr(argument.qualifiers, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0;
  return found;
}

static cl_enum address_of(const Argument &argument) {
  return is_word(argument.address, "global")     ? CL_KERNEL_ARG_ADDRESS_GLOBAL
         : is_word(argument.address, "local")    ? CL_KERNEL_ARG_ADDRESS_LOCAL
         : is_word(argument.address, "constant") ? CL_KERNEL_ARG_ADDRESS_CONSTANT
                                                 : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_enum access_to(const Argument &argument) {
  return is_word(argument.access, "read_only")    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
         : is_word(argument.access, "write_only") ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
         : is_word(argument.access, "read_write") ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                                  : CL_KERNEL_ARG_ACCESS_NONE;
}

// Whether a text starts with a word, which is skipped then.
static bool skip(const char *&text, const char *word) {
  bool starts = strncmp(text, word, strlen(word)) == 0;
  text += starts ? strlen(word) : 0;
  return starts;
}

// The type's name without qualifiers, which have a query of their own, and without spaces before the star; uint for
// unsigned int, and the like.
static cl_int type_name(const Argument &argument, const Answer &answer) {
  char name[256];
  size_t length = 0;
  const char *start = argument.type;
  skip(start, "const ");
  skip(start, "volatile ");
  if (skip(start, "unsigned "))
    name[length++] = 'u';
  for (const char *at = start; *at && length + 1 < sizeof name; ++at)
    if (!(*at == ' ' && at[1] == '*'))
      name[length++] = *at;
  name[length] = '\0';
  return answer.text(name);
}

static cl_int argument_info(const Argument &argument, cl_enum what, const Answer &answer) {
  switch (what) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
    return answer.value(address_of(argument));
  case CL_KERNEL_ARG_ACCESS_QUALIFIER:
    return answer.value(access_to(argument));
  case CL_KERNEL_ARG_TYPE_NAME:
    return type_name(argument, answer);
  case CL_KERNEL_ARG_TYPE_QUALIFIER:
    return answer.value(type_qualifiers(argument));
  case CL_KERNEL_ARG_NAME:
    return answer.text(argument.name);
  default:
    return fail(CL_INVALID_VALUE, "arguments have no property 0x%x", what);
  }
}

static cl_int kernel_info(Kernel *kernel, cl_enum what, const Answer &answer) {
  switch (what) {
  case CL_KERNEL_FUNCTION_NAME:
    return answer.text(kernel->text->name);
  case CL_KERNEL_NUM_ARGS:
    return answer.value(static_cast<cl_uint>(kernel->text->arguments.count));
  case CL_KERNEL_REFERENCE_COUNT:
    return answer.value(references_of(kernel));
  case CL_KERNEL_CONTEXT:
    return answer.value(kernel->program->context);
  case CL_KERNEL_PROGRAM:
    return answer.value(kernel->program);
  case CL_KERNEL_ATTRIBUTES:
    return answer.text(kernel->program->source.data ? kernel->text->attributes : "");
  default:
    return fail(CL_INVALID_VALUE, "kernels have no property 0x%x", what);
  }
}

static cl_ulong local_memory_of(Kernel *kernel) {
  Held held(kernel->lock);
  cl_ulong bytes = kernel->text->local_bytes;
  for (size_t i = 0; i < kernel->text->arguments.count; ++i)
    bytes += kernel->local_bytes[i];
  return bytes;
}

static cl_int work_group_info(Kernel *kernel, const Device *device, cl_enum what, const Answer &answer) {
  const KernelText *text = kernel->text;
  switch (what) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return answer.value(most_items(kernel, device));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
    size_t sizes[3] = {text->local[0], text->local[1], text->local[2]};
    return answer.value(sizes);
  }
  case CL_KERNEL_LOCAL_MEM_SIZE:
    return answer.value(local_memory_of(kernel));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return answer.value<size_t>(WIDTH);
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return answer.value<cl_ulong>(0);
  case CL_KERNEL_GLOBAL_WORK_SIZE:
    return fail(CL_INVALID_VALUE, "only built-in kernels have a greatest global size");
  default:
    return fail(CL_INVALID_VALUE, "kernels have no property 0x%x of a device", what);
  }
}

static cl_int clone_kernel(Kernel *source, Kernel *&made) {
  REQUIRE_SUCCESS(create_kernel(source->program, source->build, source->text, made));
  Held held(source->lock);
  size_t count = source->text->arguments.count;
  memcpy(made->packed, source->packed, source->packed_bytes);
  memcpy(made->is_set, source->is_set, count * sizeof(bool));
  memcpy(made->is_host_pointer, source->is_host_pointer, count * sizeof(bool));
  memcpy(made->memories, source->memories, count * sizeof(Memory *));
  memcpy(made->local_bytes, source->local_bytes, count * sizeof(size_t));
  return CL_SUCCESS;
}

// Has a copy, which nobody else knows yet, keep the memory objects that it has got.
static cl_int keep_memories(const Kernel *source, Kernel *copy) {
  copy->keeps_memories = true;
  for (cl_uint i = 0; i < copy->text->arguments.count; ++i) {
    Memory *memory = copy->memories[i];
    REQUIRE(!memory || source->keeps_memories || lives(memory), CL_INVALID_KERNEL_ARGS,
            "argument %u of kernel %s, %s, has been released", i, copy->text->name, copy->text->arguments[i].name);
    REQUIRE_SUCCESS(keep_memory(copy, i, memory));
  }
  return CL_SUCCESS;
}

cl_int copy_for_command(Kernel *source, Kernel *&made) {
  Kernel *copy = nullptr;
  cl_int result = clone_kernel(source, copy);
  if (result == CL_SUCCESS)
    result = keep_memories(source, copy);
  if (result != CL_SUCCESS && copy)
    release(copy, CL_INVALID_KERNEL);
  made = result == CL_SUCCESS ? copy : nullptr;
  return result;
}

static bool is_argument(const Kernel *kernel, const Memory *memory) {
  for (size_t i = 0; i < kernel->text->arguments.count; ++i)
    if (kernel->memories[i] == memory)
      return true;
  return false;
}

void take_replaced(Kernel *copy, List<Memory *> &dropped) {
  size_t left = 0;
  for (Memory *each : copy->kept)
    if (is_argument(copy, each) || !dropped.add(each))
      copy->kept[left++] = each;
  copy->kept.count = left;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code) {
  return made<Kernel>(code, [&](Kernel *&kernel) -> cl_int { return create_named(program, name, kernel); });
}

LW_CL cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *count) {
  REQUIRE(lives(program), CL_INVALID_PROGRAM, "%p is no program", static_cast<const void *>(program));
  Build *build = build_of(program);
  REQUIRE(build, CL_INVALID_PROGRAM_EXECUTABLE, "the program isn't built");
  cl_int result = CL_SUCCESS;
  if (kernels && room < build->kernels.count)
    result = fail(CL_INVALID_VALUE, "room for %u kernels of %zu", room, build->kernels.count);
  for (size_t i = 0; kernels && result == CL_SUCCESS && i < build->kernels.count; ++i) {
    result = create_kernel(program, build, &build->kernels[i], kernels[i]);
    for (size_t made = 0; result != CL_SUCCESS && made < i; ++made)
      release(kernels[made], CL_INVALID_KERNEL);
  }
  if (count)
    *count = static_cast<cl_uint>(build->kernels.count);
  drop_build(build);
  return result;
}

LW_CL cl_kernel clCloneKernel(cl_kernel source, cl_int *code) {
  return made<Kernel>(code, [&](Kernel *&kernel) -> cl_int {
    REQUIRE_SUCCESS(require_kernel(source));
    return clone_kernel(source, kernel);
  });
}

LW_CL cl_int clRetainKernel(cl_kernel kernel) { return retain(kernel, CL_INVALID_KERNEL); }
LW_CL cl_int clReleaseKernel(cl_kernel kernel) { return release(kernel, CL_INVALID_KERNEL); }

LW_CL cl_int clSetKernelArg(cl_kernel kernel, cl_uint number, size_t bytes, const void *value) {
  REQUIRE_SUCCESS(require_kernel(kernel));
  return set_argument(kernel, number, bytes, value);
}

LW_CL cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint number, const void *value) {
  REQUIRE_SUCCESS(require_kernel(kernel));
  return set_pointer(kernel, number, value);
}

LW_CL cl_int clGetKernelInfo(cl_kernel kernel, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_kernel(kernel));
  return kernel_info(kernel, what, {room, place, size});
}

LW_CL cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint number, cl_enum what, size_t room, void *place,
                                size_t *size) {
  REQUIRE_SUCCESS(require_kernel(kernel));
  REQUIRE(number < kernel->text->arguments.count, CL_INVALID_ARG_INDEX, "kernel %s has %zu arguments, not %u",
          kernel->text->name, kernel->text->arguments.count, number + 1);
  return argument_info(kernel->text->arguments[number], what, {room, place, size});
}

LW_CL cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_enum what, size_t room, void *place,
                                      size_t *size) {
  REQUIRE_SUCCESS(require_kernel(kernel));
  const Device *found;
  REQUIRE_SUCCESS(find_device(kernel, device, found));
  return work_group_info(kernel, found, what, {room, place, size});
}
