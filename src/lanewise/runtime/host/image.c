// SPDX-License-Identifier: Apache-2.0
// The images of a process: the kernels and variables of its executable and libraries.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  const lw_image **all;
  size_t count, capacity;
} images = {.lock = PTHREAD_MUTEX_INITIALIZER};

int32_t lw_image_add(const lw_image *image) {
  if (image->version != LW_IMAGE_VERSION)
    return explain(LW_INVALID, "%s was built by another version of Lanewise: build it again", image->source);
  pthread_mutex_lock(&images.lock);
  bool room = images.count < images.capacity;
  if (!room) {
    size_t capacity = images.capacity > 0 ? 2 * images.capacity : 16;
    const lw_image **all = realloc(images.all, capacity * sizeof *all);
    if (all != NULL) {
      images.all = all;
      images.capacity = capacity;
      room = true;
    }
  }
  if (room)
    images.all[images.count++] = image;
  pthread_mutex_unlock(&images.lock);
  if (!room)
    return LW_NO_MEMORY;
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    const lw_variable_image *each = &image->variables[i];
    if (each->bytes > 0)
      lw_memory_register(each->address, each->bytes, LW_VARIABLE_MEMORY, each->flags);
  }
  return LW_SUCCESS;
}

void lw_image_remove(const lw_image *image) {
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count; ++i)
    if (images.all[i] == image) {
      images.all[i] = images.all[--images.count];
      break;
    }
  pthread_mutex_unlock(&images.lock);
  for (uint32_t i = 0; i < image->num_variables; ++i)
    lw_memory_unregister(image->variables[i].address);
}

const lw_image *lw_image_find(const uint8_t id[LW_IMAGE_ID_BYTES]) {
  const lw_image *found = NULL;
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count && found == NULL; ++i)
    if (memcmp(images.all[i]->id, id, LW_IMAGE_ID_BYTES) == 0)
      found = images.all[i];
  pthread_mutex_unlock(&images.lock);
  return found;
}

const lw_kernel_image *lw_image_kernel(const lw_image *image, const char *symbol) {
  for (uint32_t i = 0; i < image->num_kernels; ++i)
    if (strcmp(image->kernels[i].symbol, symbol) == 0)
      return &image->kernels[i];
  return NULL;
}

const lw_variable_image *lw_image_variable(const lw_image *image, const char *symbol) {
  for (uint32_t i = 0; i < image->num_variables; ++i)
    if (strcmp(image->variables[i].symbol, symbol) == 0)
      return &image->variables[i];
  return NULL;
}
