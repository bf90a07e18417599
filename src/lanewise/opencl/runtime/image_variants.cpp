// SPDX-License-Identifier: Apache-2.0
// Code of kernels with images. Code for any format takes long to compile and tells formats apart when it runs, so a kernel
// gets code for the formats and samplers of its launches; after many combinations, one for any. Likewise most launches are
// usual: their arrays don't overlap, and their grids are not large. Code for others is made when one comes. So is code for
// ranges that aren't plain, and all code of large programs: of dozens of kernels most runs launch few.
#include "image_variants.h"
#include "launch.h"
#include "program.h"

#include <stddef.h>

namespace lw_opencl {

enum : size_t { MOST_VARIANTS = 8 }; // of a kernel: they take as long to compile as the one for any images

// From the first field of a description that depends on the format alone; frontend/opencl/known_images.py knows it, too.
static const size_t FIRST_KNOWN = offsetof(lw_texture, bytes);
static_assert(FIRST_KNOWN == 52 && sizeof(lw_texture) == 112, "as known_images.py has it");

static bool is_kind(const Argument &argument, const char *kind) { return strcmp(argument.kind, kind) == 0; }

// Text that grows; it is null where memory is short.
struct Text {
  char *data;
  size_t length, room;

  void add(const char *more) {
    size_t bytes = strlen(more);
    if (length + bytes + 1 > room) {
      room = 2 * (length + bytes + 1);
      char *larger = static_cast<char *>(realloc(data, room));
      if (!larger)
        free(data);
      data = larger;
      length = data ? length : 0;
      room = data ? room : 0;
    }
    if (data)
      memcpy(data + length, more, bytes + 1);
    length += data ? bytes : 0;
  }
};

static void add_image(Text &text, size_t number, const lw_texture *image) {
  char line[32 + 2 * sizeof(lw_texture)];
  int length = snprintf(line, sizeof line, "image %zu ", number);
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(image);
  for (size_t i = FIRST_KNOWN; i < sizeof(lw_texture); ++i)
    length += snprintf(line + length, sizeof line - static_cast<size_t>(length), "%02x", bytes[i]);
  snprintf(line + length, sizeof line - static_cast<size_t>(length), "\n");
  text.add(line);
}

// What the compile service is told of a kernel, and, unless `any`, of its images (cuda/service/known_images.py).
static char *told(const KernelText *kernel, const char *arguments, bool any) {
  Text text = {};
  text.add("kernel ");
  text.add(kernel->symbol);
  text.add("\n");
  for (size_t i = 0; !any && text.data && i < kernel->arguments.count; ++i) {
    const Argument &argument = kernel->arguments[i];
    uint64_t value;
    if (is_kind(argument, "image")) {
      memcpy(&value, arguments + argument.offset, sizeof value);
      add_image(text, i, reinterpret_cast<const lw_texture *>(value));
    } else if (is_kind(argument, "sampler")) {
      char line[64];
      memcpy(&value, arguments + argument.offset, sizeof value);
      snprintf(line, sizeof line, "sampler %zu %llu\n", i, static_cast<unsigned long long>(value));
      text.add(line);
    }
  }
  return text.data;
}

// With the lock held: the variant that was told so, or null; and how many the kernel has.
static const Variant *variant_told(const Build *build, uint32_t form, const char *told, size_t &count) {
  const Variant *found = nullptr;
  size_t head = strcspn(told, "\n") + 1;
  count = 0;
  for (const Variant &each : build->variants) {
    if (each.form != form || strncmp(each.told, told, head) != 0)
      continue;
    ++count;
    if (strcmp(each.told + head, told + head) == 0)
      found = &each;
  }
  return found;
}

// ---- Kernels that can't be compiled --------------------------------------------------------------------------

enum : size_t { MOST_LATER_LOG = 1 << 16 };

static thread_local char *reason; // that the context hasn't been told; or null

static void forget_reason() {
  free(reason);
  reason = nullptr;
}

// With the lock held. What the compiler says goes into the build log, and is kept for the context's callback.
static cl_int no_code(Build *build, const KernelText *text, const char *why) {
  forget_reason();
  Text told = {};
  told.add("lanewise: kernel ");
  told.add(text->name);
  told.add(" can't be compiled: ");
  told.add(why);
  reason = told.data;
  REQUIRE(reason, CL_OUT_OF_HOST_MEMORY, "no memory for the compiler's messages");
  const char *line = reason + strlen("lanewise: ");
  Held held(build->log_lock);
  size_t before = build->later_log ? strlen(build->later_log) : 0, more = strlen(line);
  char *larger = before < MOST_LATER_LOG ? static_cast<char *>(realloc(build->later_log, before + more + 2)) : nullptr;
  if (larger) {
    memcpy(larger + before, line, more);
    memcpy(larger + before + more, "\n", 2);
    build->later_log = larger;
  }
  return fail(CL_OUT_OF_RESOURCES, "%s", line);
}

void tell_no_code(const Context *context) {
  char *text = reason;
  reason = nullptr; // the callback may launch a kernel
  if (text)
    tell_context(context, text);
  free(text);
}

// ---- Code of single kernels ----------------------------------------------------------------------------------

static cl_int open_variant(Build *build, const KernelText *text, uint32_t form, char *told, const Variant *&made) {
  Variant opened = {form, told, {}};
  char *description = nullptr;
  lw_text program = {build->code.data, build->code.bytes};
  int32_t result = lw_opencl_open(program, build->code.is_ir, build->options, form, told, &opened.code.image,
                                  &opened.code.library, &description, nullptr);
  cl_int code = result == LW_SUCCESS ? CL_SUCCESS
                                     : no_code(build, text, description && *description ? description : lw_explanation());
  free(description);
  if (code == CL_SUCCESS && share_variables(build, form, opened.code.image) != LW_SUCCESS) {
    code = no_code(build, text, lw_explanation());
    lw_library_close(opened.code.image, opened.code.library);
  }
  if (code == CL_SUCCESS && !build->variants.add(opened)) {
    lw_library_close(opened.code.image, opened.code.library);
    code = fail(CL_OUT_OF_HOST_MEMORY, "no memory for a kernel's code");
  }
  made = code == CL_SUCCESS ? &build->variants[build->variants.count - 1] : nullptr;
  return code;
}

cl_int find_variant(Build *build, const KernelText *text, const char *arguments, uint32_t form,
                    const lw_kernel_image *&code) {
  Held held(build->lock);
  forget_reason();
  char *wanted = told(text, arguments, !text->is_later);
  REQUIRE(wanted, CL_OUT_OF_HOST_MEMORY, "no memory for a kernel's code");
  size_t count;
  const Variant *found = variant_told(build, form, wanted, count);
  if (!found && count >= MOST_VARIANTS) {
    free(wanted);
    wanted = told(text, arguments, true);
    REQUIRE(wanted, CL_OUT_OF_HOST_MEMORY, "no memory for a kernel's code");
    found = variant_told(build, form, wanted, count);
  }
  cl_int result = CL_SUCCESS;
  bool is_new = !found;
  if (is_new)
    result = open_variant(build, text, form, wanted, found);
  if (!is_new || result != CL_SUCCESS)
    free(wanted);
  REQUIRE_SUCCESS(result);
  code = lw_image_kernel(found->code.image, text->symbol);
  return code && !code->refusal ? CL_SUCCESS : no_code(build, text, code ? code->refusal : "no code");
}

cl_int find_own(Kernel *kernel, const char *arguments, uint32_t form, const lw_kernel_image *&code) {
  if (form & LW_OPENCL_GPU) {
    code = kernel_in_form(kernel->build, kernel->text, form);
    return CL_SUCCESS;
  }
  if (kernel->text->takes_images || form & LW_OPENCL_ANY_LAUNCH)
    return find_variant(kernel->build, kernel->text, arguments, form, code);
  const lw_kernel_image **own = &kernel->own[form];
  code = __atomic_load_n(own, __ATOMIC_ACQUIRE);
  if (!code) {
    REQUIRE_SUCCESS(find_variant(kernel->build, kernel->text, arguments, form, code));
    __atomic_store_n(own, code, __ATOMIC_RELEASE);
  }
  return CL_SUCCESS;
}

void release_variants(Build *build) {
  for (const Variant &each : build->variants) {
    lw_library_close(each.code.image, each.code.library);
    free(each.told);
  }
  build->variants.release();
}

} // namespace lw_opencl
