// SPDX-License-Identifier: Apache-2.0
// Initial values of variables, kept from the time when their image is added, for the program's next beginning: the reset
// of a device loads modules anew.
#include "host.h"

#include <stdlib.h>
#include <string.h>

static uint64_t kept_bytes(const lw_variable_image *variable) {
  return variable->flags & LW_VARIABLE_ZERO ? 0 : variable->bytes;
}

// The values of an image's variables, one after the other, but for those that are zero: null, with `result`, if memory is
// short, or if there are none.
static char *keep_initial_values(const lw_image *image, int32_t *result) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < image->num_variables; ++i)
    bytes += kept_bytes(&image->variables[i]);
  char *values = bytes > 0 ? malloc(bytes) : NULL, *at = values;
  *result = bytes > 0 && values == NULL ? explain(LW_NO_MEMORY, "no memory for the initial values of variables")
                                        : LW_SUCCESS;
  for (uint32_t i = 0; values != NULL && i < image->num_variables; ++i) {
    uint64_t kept = kept_bytes(&image->variables[i]);
    memcpy(at, image->variables[i].address, kept);
    at += kept;
  }
  return values;
}

static void restore_initial_values(const lw_image *image, const char *values, bool managed) {
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    const lw_variable_image *variable = &image->variables[i];
    uint64_t kept = kept_bytes(variable);
    if (((variable->flags & LW_VARIABLE_MANAGED) != 0) == managed) {
      if (kept > 0)
        memcpy(variable->address, values, kept);
      else
        memset(variable->address, 0, variable->bytes);
    }
    values += kept;
  }
}

// Where the initial value of what is at `place`, in a variable, is kept; null if it isn't.
static char *kept_place(const lw_image *image, char *values, const void *place) {
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    const lw_variable_image *variable = &image->variables[i];
    uint64_t kept = kept_bytes(variable), offset = (uint64_t)((const char *)place - (const char *)variable->address);
    if (offset < kept)
      return values + offset;
    values += kept;
  }
  return NULL;
}
