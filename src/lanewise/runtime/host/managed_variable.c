// SPDX-License-Identifier: Apache-2.0
// Managed variables: host code and kernels use the same memory. It is the host's, since host code names it directly,
// while kernels find all variables by tables of addresses.
#include "host.h"

#include <string.h>

int32_t lw_variable_move(const lw_image *image, const char *symbol, void *address) {
  lw_variable_image *variable = (lw_variable_image *)lw_image_variable(image, symbol);
  if (variable == NULL || !(variable->flags & LW_VARIABLE_MANAGED))
    return explain(LW_INVALID, "%s is no managed variable", symbol);
  uint32_t number = (uint32_t)(variable - image->variables);
  ptrdiff_t distance = (char *)address - (char *)variable->address;
  memcpy(address, variable->address, variable->bytes);
  pthread_mutex_lock(&images.lock);
  char *initial = NULL;
  for (size_t i = 0; i < images.count; ++i)
    if (images.all[i].image == image)
      initial = images.all[i].initial;
  for (uint32_t i = 0; i < image->num_references; ++i) {
    char **place = image->references[i].place, *kept = kept_place(image, initial, place);
    if (image->references[i].variable != number)
      continue;
    *place += distance;
    if (kept != NULL)
      memcpy(kept, place, sizeof *place);
  }
  pthread_mutex_unlock(&images.lock);
  forget(variable->address, is_of_kind, LW_VARIABLE_MEMORY);
  variable->address = address;
  return remember(address, variable->bytes, LW_VARIABLE_MEMORY, variable->flags);
}
