// SPDX-License-Identifier: Apache-2.0
// Memory of arenas and arguments.
#include "core.h"

#include <stdlib.h>

enum { SCRATCH_WORTH_KEEPING = 16 << 20 };

// Makes `scratch` hold at least `bytes`, 128-byte aligned, with a margin before and after; the old contents are lost.
// False where memory is short. A large one is given back as soon as a launch needs less than a quarter of it.
bool scratch_reserve(struct scratch *scratch, size_t bytes) {
  size_t capacity = scratch->capacity;
  bool wasteful = capacity > SCRATCH_WORTH_KEEPING && bytes < capacity / 4;
  if (bytes <= capacity && !wasteful && scratch->data != NULL)
    return true;
  if (scratch->data != NULL)
    free(scratch->data - ARENA_MARGIN);
  *scratch = (struct scratch){0};
  if (bytes > SIZE_MAX / 2)
    return false;
  capacity = (bytes + 4096) & ~(size_t)4095;
  void *data = NULL;
  if (posix_memalign(&data, ARENA_MARGIN, capacity + 2 * ARENA_MARGIN) != 0)
    return false;
  *scratch = (struct scratch){(char *)data + ARENA_MARGIN, capacity};
  return true;
}
