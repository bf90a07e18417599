// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and prefetch (6.12.10) of ELEMENT. The work-items of a group share the copying, at once; so the
// copy is complete for all when each has come to the barrier in wait_group_events, and events need to carry nothing.
#include "types.h"

OVERLOAD size_t get_local_id(uint dimension);
OVERLOAD size_t get_local_size(uint dimension);

// Which one among the work-items of the group this is, and how many they are.
PRIVATE size_t own_number(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
PRIVATE size_t group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define COPY(t, to, from)                                                                                      \
  OVERLOAD event_t async_work_group_copy(to t *into, const from t *source, size_t count, event_t event) {      \
    for (size_t i = own_number(), all = group_size(); i < count; i += all)                                     \
      into[i] = source[i];                                                                                     \
    return event;                                                                                              \
  }
#define COPIES(t)                                                                                              \
  COPY(t, local, global)                                                                                       \
  COPY(t, global, local)                                                                                       \
  OVERLOAD event_t async_work_group_strided_copy(local t *into, const global t *source, size_t count,          \
                                                 size_t stride, event_t event) {                               \
    for (size_t i = own_number(), all = group_size(); i < count; i += all)                                     \
      into[i] = source[i * stride];                                                                            \
    return event;                                                                                              \
  }                                                                                                            \
  OVERLOAD event_t async_work_group_strided_copy(global t *into, const local t *source, size_t count,          \
                                                 size_t stride, event_t event) {                               \
    for (size_t i = own_number(), all = group_size(); i < count; i += all)                                     \
      into[i * stride] = source[i];                                                                            \
    return event;                                                                                              \
  }                                                                                                            \
  OVERLOAD void prefetch(const global t *place, size_t count) {}
WIDTHS(COPIES, ELEMENT)
