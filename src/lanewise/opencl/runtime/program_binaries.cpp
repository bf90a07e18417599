// SPDX-License-Identifier: Apache-2.0
// Binaries of programs: a source, with the contents of the files that it included, and the options that it was built
// with, or the LLVM IR of a part or of a linked program. One loads on any machine, and what was built there before comes
// from the cache.
#include "program.h"
#include "devices.h"

namespace lw_opencl {

static const char BINARY_MAGIC[16] = "lanewise-cl-bin";
// What a binary begins with. The options follow, and the program.
struct BinaryHead {
  char magic[sizeof BINARY_MAGIC];
  cl_enum type;
  uint32_t is_ir;
  uint64_t options_bytes;
};

// What was built: files and the values of specialization constants may have changed since.
static const Code &code_of(const Program *program) {
  if (program->code.data)
    return program->code;
  if (program->build)
    return program->build->code;
  return program->il.data ? program->specialized : program->source;
}

static const char *options_of(const Program *program) {
  return program->binary_options ? program->binary_options : program->options;
}

static size_t binary_bytes(const Program *program) {
  return program->type ? sizeof(BinaryHead) + strlen(options_of(program)) + code_of(program).bytes : 0;
}

static void write_binary(const Program *program, unsigned char *place) {
  const Code &code = code_of(program);
  BinaryHead head = {{}, program->type, code.is_ir, strlen(options_of(program))};
  memcpy(head.magic, BINARY_MAGIC, sizeof head.magic);
  memcpy(place, &head, sizeof head);
  memcpy(place + sizeof head, options_of(program), head.options_bytes);
  memcpy(place + sizeof head + head.options_bytes, code.data, code.bytes);
}

// Whether it begins as LLVM bitcode does, alone or in a wrapper: SPIR.
static bool is_bitcode(size_t bytes, const unsigned char *binary) {
  return bytes >= 4 && (memcmp(binary, "BC\xC0\xDE", 4) == 0 || memcmp(binary, "\xDE\xC0\x17\x0B", 4) == 0);
}

static cl_int read_bitcode(Context *context, size_t bytes, const unsigned char *binary, Program *&made) {
  REQUIRE_SUCCESS(create_program(context, made));
  made->is_binary = true;
  made->type = CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
  made->binary_options = strdup("");
  made->code = {copy_of(reinterpret_cast<const char *>(binary), bytes), bytes, true};
  if (made->binary_options && made->code.data)
    return CL_SUCCESS;
  release(made, CL_INVALID_PROGRAM);
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a binary of %zu bytes", bytes);
}

static cl_int read_binary(Context *context, size_t bytes, const unsigned char *binary, Program *&made) {
  if (is_bitcode(bytes, binary))
    return read_bitcode(context, bytes, binary, made);
  BinaryHead head;
  REQUIRE(bytes >= sizeof head && memcmp(binary, BINARY_MAGIC, sizeof BINARY_MAGIC) == 0, CL_INVALID_BINARY,
          "%zu bytes that are no binary of this version of Lanewise", bytes);
  memcpy(&head, binary, sizeof head);
  bool is_type = head.type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || head.type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
                 head.type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  REQUIRE(is_type && head.options_bytes <= bytes - sizeof head, CL_INVALID_BINARY, "a binary that has been damaged");
  const char *rest = reinterpret_cast<const char *>(binary) + sizeof head;
  size_t code_bytes = bytes - sizeof head - head.options_bytes;
  REQUIRE_SUCCESS(create_program(context, made));
  made->is_binary = true;
  made->type = head.type;
  made->binary_options = copy_of(rest, head.options_bytes);
  made->code = {copy_of(rest + head.options_bytes, code_bytes), code_bytes, head.is_ir != 0};
  if (made->binary_options && made->code.data)
    return CL_SUCCESS;
  release(made, CL_INVALID_PROGRAM);
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a binary of %zu bytes", bytes);
}

static bool is_same(const size_t *lengths, const unsigned char *const *binaries, cl_uint one, cl_uint other) {
  return lengths[one] == lengths[other] && memcmp(binaries[one], binaries[other], lengths[one]) == 0;
}

cl_int read_binaries(Context *context, cl_uint count, const size_t *lengths, const unsigned char *const *binaries,
                     cl_int *statuses, Program *&made) {
  cl_int result = CL_SUCCESS;
  cl_uint first = 0; // of those that can be read
  for (cl_uint i = 0; i < count; ++i) {
    Program *read = nullptr;
    bool is_there = lengths[i] && binaries[i];
    cl_int status = is_there ? read_binary(context, lengths[i], binaries[i], read) : CL_INVALID_VALUE;
    if (status == CL_SUCCESS && made && !is_same(lengths, binaries, first, i)) {
      release(read, CL_INVALID_PROGRAM);
      status = fail(CL_INVALID_BINARY, "binary %u is another than binary %u: all devices have the same", i, first);
    }
    if (statuses)
      statuses[i] = status;
    if (status == CL_SUCCESS && !made) {
      made = read;
      first = i;
    } else if (status == CL_SUCCESS)
      release(read, CL_INVALID_PROGRAM);
    result = result == CL_SUCCESS ? status : result;
  }
  if (result != CL_SUCCESS && made)
    release(made, CL_INVALID_PROGRAM);
  return result;
}

// ---- Builds --------------------------------------------------------------------------------------------------
//
// A binary stays as it was built. Options that are none of the compiler's are refused all the same; any others than
// those of then change nothing, and the log says so. The options that were given are those that a query tells.

static const char SPACES[] = " \t\n\r";

// The next word of options, or none; `at` is behind it then.
static lw_text next_word(const char *&at) {
  at += strspn(at, SPACES);
  lw_text word = {at, strcspn(at, SPACES)};
  at += word.bytes;
  return word;
}

static bool is_word(const lw_text &word, const char *text) {
  return word.bytes == strlen(text) && memcmp(word.data, text, word.bytes) == 0;
}

static bool have_same_words(const char *one, const char *other) {
  lw_text a, b;
  do {
    a = next_word(one);
    b = next_word(other);
    if (a.bytes != b.bytes || memcmp(a.data, b.data, a.bytes) != 0)
      return false;
  } while (a.bytes);
  return true;
}

// Options without those that say that a binary is SPIR: -x spir, -spir-std=1.2. The caller frees them.
static char *without_spir(const char *options) {
  static const char VERSION_OPTION[] = "-spir-std=";
  char *rest = strdup(options), *end = rest;
  for (lw_text word = next_word(options); rest && word.bytes; word = next_word(options)) {
    const char *after = options;
    if (is_word(word, "-x") && is_word(next_word(after), "spir")) {
      options = after;
      continue;
    }
    if (word.bytes >= strlen(VERSION_OPTION) && memcmp(word.data, VERSION_OPTION, strlen(VERSION_OPTION)) == 0)
      continue;
    if (end != rest)
      *end++ = ' ';
    memcpy(end, word.data, word.bytes);
    end += word.bytes;
  }
  if (rest)
    *end = '\0';
  return rest;
}

// Has the compiler look at options, with an empty source. `log` is what it says of wrong ones.
static bool is_refused(const char *options, char *&log) {
  lw_text source = {"", 0}, made = {};
  int32_t result = lw_opencl_make(LW_OPENCL_COMPILE, options, &source, 1, &made, &log);
  free(const_cast<char *>(made.data));
  return result == LW_BAD_OPTIONS;
}

cl_int build_binary(Program *program, const List<Device *> &devices, const char *options) {
  bool is_linked = program->type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE ||
                   program->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  REQUIRE(is_linked, CL_INVALID_BINARY, "a compiled program or a library is linked, not built");
  bool is_spir = is_bitcode(program->code.bytes, reinterpret_cast<const unsigned char *>(program->code.data));
  const char *own = program->binary_options;
  REQUIRE_SUCCESS(set_options(program, options));
  REQUIRE_SUCCESS(set_devices(program, devices));
  char *others = is_spir ? without_spir(program->options) : strdup(program->options), *log = nullptr;
  REQUIRE(others, CL_OUT_OF_HOST_MEMORY, "no memory for options");
  bool has_others = others[strspn(others, SPACES)] && !have_same_words(others, own);
  bool refused = has_others && is_refused(others, log);
  free(others);
  if (refused) {
    drop_former_build(program);
    program->status = CL_BUILD_ERROR;
    program->log = log;
    return fail(CL_INVALID_BUILD_OPTIONS, "%s", log ? log : "no memory");
  }
  free(log);
  REQUIRE_SUCCESS(build_code(program, program->code, own, devices, CL_BUILD_PROGRAM_FAILURE));
  if (has_others) {
    free(program->log);
    program->log = strdup("warning: the program comes from a binary, which options no longer change\n");
  }
  return CL_SUCCESS;
}

// ---- Queries -------------------------------------------------------------------------------------------------

bool is_made_without(const Program *program, const Device *device) {
  return program->made_for.count && !cover(program->made_for, device);
}

cl_int binary_sizes(const Program *program, const Answer &answer) {
  List<size_t> sizes = {};
  bool has_room = true;
  for (const Device *each : program->devices())
    has_room &= sizes.add(is_made_without(program, each) ? 0 : binary_bytes(program));
  cl_int result = has_room ? answer.bytes(sizes.items, sizes.count * sizeof(size_t))
                           : fail(CL_OUT_OF_HOST_MEMORY, "no memory for sizes");
  sizes.release();
  return result;
}

cl_int binaries_of(const Program *program, const Answer &answer) {
  size_t count = program->devices().count, bytes = count * sizeof(unsigned char *);
  REQUIRE(!answer.place || answer.room >= bytes, CL_INVALID_VALUE, "no room for %zu pointers", count);
  unsigned char *const *targets = static_cast<unsigned char *const *>(answer.place);
  for (size_t i = 0; targets && program->type && i < count; ++i)
    if (targets[i] && !is_made_without(program, program->devices()[i]))
      write_binary(program, targets[i]);
  if (answer.size)
    *answer.size = bytes;
  return CL_SUCCESS;
}

} // namespace lw_opencl
