// SPDX-License-Identifier: Apache-2.0
// Variables that several images share: the code of a program may come in parts, as launches need it.
#include "host.h"

// The owner's variable in place of one of an image; null to leave that as it is: nobody writes to it, or it is of that
// image alone.
static const lw_variable_image *shared_with(const lw_image *owner, const lw_variable_image *variable) {
  bool stays = variable->flags & (LW_VARIABLE_CONSTANT | LW_VARIABLE_SHARED);
  const lw_variable_image *found = stays ? NULL : lw_image_variable(owner, variable->symbol);
  return found != NULL && found->bytes == variable->bytes ? found : NULL;
}

void lw_variables_share(const lw_image *image, const lw_image *owner) {
  for (uint32_t i = 0; i < image->num_references; ++i) {
    const lw_reference *each = &image->references[i];
    const lw_variable_image *found = shared_with(owner, &image->variables[each->variable]);
    if (found != NULL)
      *(void **)each->place = found->address;
  }
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    lw_variable_image *variable = &image->variables[i];
    const lw_variable_image *found = shared_with(owner, variable);
    if (found == NULL)
      continue;
    if (variable->bytes > 0)
      forget(variable->address, is_of_kind, LW_VARIABLE_MEMORY);
    variable->address = found->address;
    variable->flags |= LW_VARIABLE_SHARED;
  }
}
