// SPDX-License-Identifier: Apache-2.0
// Programs in SPIR-V, and the values of their specialization constants, which are written into a copy of the module.
//
// Source: The OpenCL Specification 3.0, 5.8.1 and 5.8.4; SPIR-V Specification 1.6, 2.3 and 3.56.7.
#include "program.h"

namespace lw_opencl {

enum : uint32_t {
  SPIRV_MAGIC = 0x07230203,
  SPIRV_HEADER_WORDS = 5,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_DECORATE = 71,
  DECORATION_SPEC_ID = 1,
};

static uint32_t *words_of(const Code &code) { return reinterpret_cast<uint32_t *>(code.data); }

// A module's instruction.
struct SpirvWords {
  uint32_t *words;
  uint32_t count;
  uint32_t opcode() const { return words[0] & 0xFFFF; }
};

// Calls visit(SpirvWords) for each instruction until it returns true, or until the module ends or is damaged.
template <class Visit> static bool any_instruction(const Code &code, const Visit &visit) {
  uint32_t *words = words_of(code);
  size_t count = code.bytes / sizeof(uint32_t);
  for (size_t at = SPIRV_HEADER_WORDS; at < count;) {
    uint32_t length = words[at] >> 16;
    if (!length || length > count - at)
      return false;
    if (visit(SpirvWords{words + at, length}))
      return true;
    at += length;
  }
  return false;
}

// Whether a module begins with the words of one, in either order of bytes.
static bool is_spirv(const void *data, size_t bytes) {
  uint32_t magic;
  if (bytes < SPIRV_HEADER_WORDS * sizeof magic || bytes % sizeof magic)
    return false;
  memcpy(&magic, data, sizeof magic);
  return magic == SPIRV_MAGIC || __builtin_bswap32(magic) == SPIRV_MAGIC;
}

// A copy of a module in this machine's order of bytes.
static Code in_own_order(const Code &il) {
  Code copy = {copy_of(il.data, il.bytes), il.bytes, true};
  if (copy.data && words_of(copy)[0] != SPIRV_MAGIC)
    for (size_t i = 0; i < copy.bytes / sizeof(uint32_t); ++i)
      words_of(copy)[i] = __builtin_bswap32(words_of(copy)[i]);
  return copy;
}

static cl_int create_from_il(Context *context, const void *data, size_t bytes, Program *&made) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE(data && bytes, CL_INVALID_VALUE, "no intermediate language");
  REQUIRE(is_spirv(data, bytes), CL_INVALID_VALUE, "%zu bytes that are no SPIR-V", bytes);
  REQUIRE_SUCCESS(create_program(context, made));
  made->il = {copy_of(static_cast<const char *>(data), bytes), bytes, true};
  if (made->il.data)
    made->specialized = in_own_order(made->il);
  if (made->specialized.data)
    return CL_SUCCESS;
  release(made, CL_INVALID_PROGRAM);
  made = nullptr;
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for SPIR-V of %zu bytes", bytes);
}

// The bytes of a number's type, 0 for another type.
static size_t bytes_of_type(const Code &code, uint32_t type) {
  size_t bytes = 0;
  any_instruction(code, [&](const SpirvWords &each) {
    bool is_number = each.opcode() == OP_TYPE_INT || each.opcode() == OP_TYPE_FLOAT;
    if (is_number && each.count > 2 && each.words[1] == type)
      bytes = each.words[2] / 8;
    return bytes != 0;
  });
  return bytes;
}

// Writes a value into the instruction that defines a constant.
static cl_int write_constant(const Code &code, const SpirvWords &constant, size_t bytes, const void *value) {
  if (constant.opcode() != OP_SPEC_CONSTANT) {
    REQUIRE(bytes == 1, CL_INVALID_VALUE, "a value of %zu bytes for a truth value, which has 1", bytes);
    bool is_true = *static_cast<const unsigned char *>(value) != 0;
    constant.words[0] = constant.count << 16 | (is_true ? OP_SPEC_CONSTANT_TRUE : OP_SPEC_CONSTANT_FALSE);
    return CL_SUCCESS;
  }
  size_t wanted = bytes_of_type(code, constant.words[1]);
  REQUIRE(bytes == wanted && (constant.count - 3) * sizeof(uint32_t) >= wanted, CL_INVALID_VALUE,
          "a value of %zu bytes for a constant of %zu", bytes, wanted);
  memset(constant.words + 3, 0, (constant.count - 3) * sizeof(uint32_t));
  memcpy(constant.words + 3, value, bytes);
  return CL_SUCCESS;
}

static bool is_specialization(const SpirvWords &each, uint32_t constant) {
  bool is_one = each.opcode() >= OP_SPEC_CONSTANT_TRUE && each.opcode() <= OP_SPEC_CONSTANT;
  return is_one && each.count >= 3 && each.words[2] == constant;
}

static cl_int specialize(Program *program, cl_uint id, size_t bytes, const void *value) {
  Held held(program->lock);
  const Code &code = program->specialized;
  REQUIRE(code.data, CL_INVALID_PROGRAM, "the program is none of SPIR-V");
  REQUIRE(bytes && value, CL_INVALID_VALUE, "no value for the constant %u", id);
  cl_int result = CL_INVALID_SPEC_ID;
  any_instruction(code, [&](const SpirvWords &each) {
    bool names_it = each.opcode() == OP_DECORATE && each.count == 4 && each.words[2] == DECORATION_SPEC_ID &&
                    each.words[3] == id;
    return names_it && any_instruction(code, [&](const SpirvWords &constant) {
             bool is_it = is_specialization(constant, each.words[1]);
             if (is_it)
               result = write_constant(code, constant, bytes, value);
             return is_it;
           });
  });
  return result == CL_INVALID_SPEC_ID ? fail(result, "the program has no specialization constant %u", id) : result;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_program clCreateProgramWithIL(cl_context context, const void *data, size_t bytes, cl_int *code) {
  return made<Program>(code,
                       [&](Program *&program) -> cl_int { return create_from_il(context, data, bytes, program); });
}

LW_CL cl_program clCreateProgramWithILKHR(cl_context context, const void *data, size_t bytes, cl_int *code) {
  return clCreateProgramWithIL(context, data, bytes, code);
}

LW_CL cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t bytes, const void *value) {
  REQUIRE_SUCCESS(require_program(program));
  return specialize(program, id, bytes, value);
}
