// SPDX-License-Identifier: Apache-2.0
// The linker of the driver API. What it makes is what modules are loaded from here: PTX. So it takes one input.
#include "api.h"
#include "driver.h"

namespace lw_cudart {

struct LinkState {
  uint32_t state; // of the handle
  char *text;     // null: nothing was added
  size_t bytes;   // with the NUL
};
static Handles<LinkState, 4096> link_states;
#define REQUIRE_LINK_STATE(name, handle)                                                                               \
  LinkState *name = link_states.find(handle);                                                                          \
  REQUIRE(name, cudaErrorInvalidValue, "linker %p does not exist (any more)", (void *)handle)

LW_API CUresult cuLinkCreate(unsigned int, CUjit_option *, void **, CUlinkState *state) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(state);
    LinkState *made = link_states.create();
    REQUIRE(made, cudaErrorMemoryAllocation, "there are too many linkers");
    *state = reinterpret_cast<CUlinkState>(made);
    return cudaSuccess;
  });
}

static cudaError_t check_input(const LinkState *state, CUjitInputType type) {
  REQUIRE(type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY, cudaErrorNotSupported,
          "an input of type %d can't be linked: the CPU takes PTX", type);
  REQUIRE(!state->text, cudaErrorNotSupported, "several modules of PTX can't be linked");
  return cudaSuccess;
}

LW_API CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *,
                              unsigned int, CUjit_option *, void **) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_SUCCESS(check_input(state, type));
    REQUIRE_POINTER(data);
    char *text = static_cast<char *>(malloc(bytes + 1));
    REQUIRE(text, cudaErrorMemoryAllocation, "no memory for %zu bytes", bytes);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    state->text = text;
    state->bytes = bytes + 1;
    return cudaSuccess;
  });
}

LW_API CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned int, CUjit_option *,
                              void **) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_SUCCESS(check_input(state, type));
    REQUIRE_POINTER(path);
    REQUIRE_SUCCESS(read_file(path, &state->text));
    state->bytes = strlen(state->text) + 1;
    return cudaSuccess;
  });
}

LW_API CUresult cuLinkComplete(CUlinkState handle, void **module, size_t *bytes) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_LINK_STATE(state, handle);
    REQUIRE_POINTER(module);
    REQUIRE(state->text, cudaErrorInvalidValue, "nothing was added to the linker");
    *module = state->text;
    if (bytes)
      *bytes = state->bytes;
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
