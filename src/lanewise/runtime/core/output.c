// SPDX-License-Identifier: Apache-2.0
// The output of one launch, collected until the host takes it.
#include "core.h"

#include <stdlib.h>
#include <string.h>

static const size_t OUTPUT_LIMIT = (size_t)64 << 20;
static const char OUTPUT_CUT[] = "\n[lanewise: output beyond 64 MiB was dropped]\n";

// Grows *data to hold `needed` bytes, keeping `size` of them. False where memory is short.
static bool grow(char **data, size_t *capacity, size_t needed) {
  if (needed <= *capacity)
    return true;
  size_t larger = *capacity * 2 > needed ? *capacity * 2 : needed;
  char *moved = realloc(*data, larger);
  if (moved == NULL)
    return false;
  *data = moved;
  *capacity = larger;
  return true;
}

// Appends one record, or drops it, and all later ones, when the limit is reached or memory is short.
static void output_append(struct output *output, const char *record, size_t size) {
  pthread_mutex_lock(&output->lock);
  if (!output->cut) {
    size_t note = sizeof OUTPUT_CUT - 1;
    bool fits = output->size + size <= OUTPUT_LIMIT;
    if (!fits) {
      record = OUTPUT_CUT;
      size = note;
    }
    bool room = grow(&output->data, &output->capacity, output->size + size);
    output->cut = !fits || !room;
    if (room) {
      memcpy(output->data + output->size, record, size);
      output->size += size;
    }
  }
  pthread_mutex_unlock(&output->lock);
}

static void output_clear(struct output *output) {
  free(output->data);
  output->data = NULL;
  output->size = output->capacity = 0;
  output->cut = false;
}
