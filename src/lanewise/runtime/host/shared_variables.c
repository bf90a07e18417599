// SPDX-License-Identifier: Apache-2.0
// Variables that several images share: the code of a program may come in parts, as launches need it.
#include "host.h"

// The owner's variable in place of one of an image; null if it has none.
static const lw_variable_image *shared_with(const lw_image *owner, const lw_variable_image *variable) {
  const lw_variable_image *found = lw_image_variable(owner, variable->symbol);
  return found != NULL && found->bytes == variable->bytes ? found : NULL;
}

int32_t lw_variables_share(const lw_image *image, const lw_image *owner) {
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    const lw_variable_image *variable = &image->variables[i];
    // Constants that not all code has, such as tables of built-in functions, have one value everywhere.
    if (shared_with(owner, variable) == NULL && !(variable->flags & LW_VARIABLE_CONSTANT))
      return explain(LW_INVALID, "variable %s is not in all code of the program", variable->name);
  }
  for (uint32_t i = 0; i < image->num_references; ++i) {
    const lw_reference *each = &image->references[i];
    const lw_variable_image *variable = &image->variables[each->variable];
    // Addresses within the variable stay as far from its begin as they are.
    const lw_variable_image *found = shared_with(owner, variable);
    if (found != NULL)
      *(char **)each->place += (char *)found->address - (char *)variable->address;
  }
  for (uint32_t i = 0; i < image->num_variables; ++i) {
    lw_variable_image *variable = &image->variables[i];
    const lw_variable_image *found = shared_with(owner, variable);
    if (found == NULL)
      continue;
    if (variable->bytes > 0 && !(variable->flags & LW_VARIABLE_SHARED))
      forget(variable->address, is_of_kind, LW_VARIABLE_MEMORY);
    variable->address = found->address;
    variable->flags |= LW_VARIABLE_SHARED;
  }
  return LW_SUCCESS;
}
