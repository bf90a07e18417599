// SPDX-License-Identifier: Apache-2.0
// The value of ELEMENT of one work-item for all of its work-group (OpenCL C 3.0, 6.15.16).
#include "types.h"

#define COLLECTIVE __attribute__((overloadable, convergent))

// Memory of the work-group, of which each collective function leaves nothing behind. The linked program defines it
// (kernels.py).
local ulong *__lw_collective(void);

OVERLOAD size_t get_local_id(uint dimension);

PRIVATE bool is_at(uint dimension, size_t id) { return get_local_id(dimension) == id; }

__attribute__((overloadable, convergent, always_inline)) static inline ELEMENT of_one(ELEMENT x, bool is_source) {
  local ELEMENT *place = (local ELEMENT *)__lw_collective();
  if (is_source)
    *place = x;
  __syncthreads();
  ELEMENT found = *place;
  __syncthreads();
  return found;
}

COLLECTIVE ELEMENT work_group_broadcast(ELEMENT x, size_t id) { return of_one(x, is_at(0, id)); }

COLLECTIVE ELEMENT work_group_broadcast(ELEMENT x, size_t id_x, size_t id_y) {
  return of_one(x, is_at(0, id_x) && is_at(1, id_y));
}

COLLECTIVE ELEMENT work_group_broadcast(ELEMENT x, size_t id_x, size_t id_y, size_t id_z) {
  return of_one(x, is_at(0, id_x) && is_at(1, id_y) && is_at(2, id_z));
}
