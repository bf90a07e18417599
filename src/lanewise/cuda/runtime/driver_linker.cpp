// SPDX-License-Identifier: Apache-2.0
// The linker of the driver API. Its image is the text of its modules of PTX, with a line in front of each that names it:
// the compile service links them when the image is loaded (cuda/service/ptx_library.py).
#include "api.h"
#include "driver.h"
#include "jit_log.h"

namespace lw_cudart {

struct LinkState {
  uint32_t state; // of the handle
  char *text;     // null: nothing was added
  size_t length;
  JitLog log;
};
static Handles<LinkState, 4096> link_states;
#define REQUIRE_LINK_STATE(name, handle)                                                                               \
  LinkState *name = link_states.find(handle);                                                                          \
  REQUIRE(name, cudaErrorInvalidValue, "linker %p does not exist (any more)", (void *)handle)

LW_API CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(state);
    JitLog log;
    REQUIRE_SUCCESS(open_log(&log, count, options, values));
    LinkState *made = link_states.create();
    REQUIRE(made, cudaErrorMemoryAllocation, "there are too many linkers");
    made->log = log;
    *state = reinterpret_cast<CUlinkState>(made);
    return cudaSuccess;
  });
}

static cudaError_t check_input(CUjitInputType type) {
  REQUIRE(type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY, cudaErrorNotSupported,
          "an input of type %d can't be linked: the CPU takes PTX", type);
  return cudaSuccess;
}

static void append(LinkState *state, const char *text, size_t length) {
  memcpy(state->text + state->length, text, length);
  state->length += length;
  state->text[state->length] = 0;
}

static size_t length_before(const char *text, size_t most, char end) {
  size_t length = 0;
  while (length < most && text[length] != end)
    ++length;
  return length;
}

static cudaError_t add(LinkState *state, const char *name, const char *text, size_t length) {
  static const char before_name[] = "// lanewise module: ";
  name = name && name[0] ? name : "ptx";
  length = length_before(text, length, 0);
  size_t name_length = length_before(name, strlen(name), '\n');
  char *longer = static_cast<char *>(
      realloc(state->text, state->length + sizeof before_name + name_length + length + 3)); // 2 ends of lines, NUL
  REQUIRE(longer, cudaErrorMemoryAllocation, "no memory for %zu bytes", length);
  state->text = longer;
  append(state, before_name, sizeof before_name - 1);
  append(state, name, name_length);
  append(state, "\n", 1);
  append(state, text, length);
  append(state, "\n", 1);
  return cudaSuccess;
}

LW_API CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name,
                              unsigned int, CUjit_option *, void **) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_SUCCESS(check_input(type));
    REQUIRE_POINTER(data);
    return add(state, name, static_cast<const char *>(data), bytes);
  });
}

LW_API CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned int, CUjit_option *,
                              void **) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_SUCCESS(check_input(type));
    REQUIRE_POINTER(path);
    char *text;
    REQUIRE_SUCCESS(read_file(path, &text));
    cudaError_t error = add(state, path, text, strlen(text));
    free(text);
    return error;
  });
}

LW_API CUresult cuLinkComplete(CUlinkState handle, void **module, size_t *bytes) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_POINTER(module);
    REQUIRE(state->text, cudaErrorInvalidValue, "nothing was added to the linker");
    *module = state->text;
    if (bytes)
      *bytes = state->length + 1; // with the NUL
    write_log(state->log, cudaSuccess);
    return cudaSuccess;
  });
}

LW_API CUresult cuLinkDestroy(CUlinkState handle) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    free(state->text);
    link_states.destroy(state);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
