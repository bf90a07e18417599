// SPDX-License-Identifier: Apache-2.0
// The images of a process: the kernels and variables of its executable and libraries.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct known_image {
  const lw_image *image;
  char *initial; // values of its variables
};

static struct {
  pthread_mutex_t lock;
  struct known_image *all;
  size_t count, capacity;
  atomic_size_t foreign; // images that were made for another processor
} images = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_foreign(const lw_image *image) {
  const char *missing;
  return image->features != NULL && missing_extension(image->features, &missing) != 0;
}

int32_t lw_image_add(const lw_image *image) {
  if (image->version != LW_IMAGE_VERSION)
    return explain(LW_INVALID, "%s was built by another version of Lanewise: build it again", image->source);
  int32_t result;
  char *initial = keep_initial_values(image, &result);
  if (result != LW_SUCCESS)
    return result;
  pthread_mutex_lock(&images.lock);
  bool room = images.count < images.capacity;
  if (!room) {
    size_t capacity = images.capacity > 0 ? 2 * images.capacity : 16;
    struct known_image *all = realloc(images.all, capacity * sizeof *all);
    if (all != NULL) {
      images.all = all;
      images.capacity = capacity;
      room = true;
    }
  }
  if (room) {
    images.all[images.count++] = (struct known_image){image, initial};
    atomic_fetch_add(&images.foreign, is_foreign(image));
  }
  pthread_mutex_unlock(&images.lock);
  if (!room) {
    free(initial);
    return explain(LW_NO_MEMORY, "no memory for the list of images");
  }
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    const lw_variable_image *each = &image->variables[i];
    if (each->bytes > 0)
      remember(each->address, each->bytes, LW_VARIABLE_MEMORY, each->flags);
  }
  return LW_SUCCESS;
}

static void forget_tiers_of(const lw_image *image);
static void forget_checks_of(const lw_image *image);
static void gpu_forget_image(const lw_image *image);

void lw_image_remove(const lw_image *image) {
  pthread_mutex_lock(&images.lock);
  size_t place = 0;
  while (place < images.count && images.all[place].image != image)
    ++place;
  bool found = place < images.count;
  if (found) {
    free(images.all[place].initial);
    images.all[place] = images.all[--images.count];
    atomic_fetch_sub(&images.foreign, is_foreign(image));
  }
  pthread_mutex_unlock(&images.lock);
  if (!found)
    return;
  forget_tiers_of(image);
  forget_checks_of(image);
  gpu_forget_image(image);
  for (uint32_t i = 0; i < image->num_variables; ++i)
    if (!(image->variables[i].flags & LW_VARIABLE_SHARED))
      forget(image->variables[i].address, is_of_kind, LW_VARIABLE_MEMORY);
}

void lw_variables_restore(int32_t managed) {
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count; ++i)
    if (!gpu.on)
      restore_initial_values(images.all[i].image, images.all[i].initial, managed != 0);
    else if (!managed)
      gpu_forget_image(images.all[i].image);
  pthread_mutex_unlock(&images.lock);
}

const lw_image *lw_image_find(const uint8_t id[LW_IMAGE_ID_BYTES]) {
  const lw_image *found = NULL;
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count && found == NULL; ++i)
    if (memcmp(images.all[i].image->id, id, LW_IMAGE_ID_BYTES) == 0)
      found = images.all[i].image;
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

static bool has_kernel(const lw_image *image, const lw_kernel_image *kernel) {
  return kernel >= image->kernels && kernel < image->kernels + image->num_kernels;
}

// The image that a kernel is of; null where there is none (any more).
static const lw_image *image_of_kernel(const lw_kernel_image *kernel) {
  const lw_image *found = NULL;
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count && found == NULL; ++i)
    if (has_kernel(images.all[i].image, kernel))
      found = images.all[i].image;
  pthread_mutex_unlock(&images.lock);
  return found;
}

// LW_NO_KERNEL for a kernel of an image that was made for another processor.
static int32_t check_processor(const lw_kernel_image *kernel) {
  if (atomic_load_explicit(&images.foreign, memory_order_relaxed) == 0)
    return LW_SUCCESS;
  int32_t result = LW_SUCCESS;
  pthread_mutex_lock(&images.lock);
  for (size_t i = 0; i < images.count && result == LW_SUCCESS; ++i) {
    const lw_image *image = images.all[i].image;
    const char *missing;
    bool looks = has_kernel(image, kernel) && image->features != NULL;
    size_t length = looks ? missing_extension(image->features, &missing) : 0;
    if (length != 0)
      result = explain(LW_NO_KERNEL, "kernel %s of %s was compiled for a processor with %.*s, which this one lacks",
                       kernel->name, image->source, (int)length, missing);
  }
  pthread_mutex_unlock(&images.lock);
  return result;
}
