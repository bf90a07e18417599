// SPDX-License-Identifier: Apache-2.0
// Copies and fills of rows in planes.
#include "host.h"

#include <string.h>

static void run_copy(const struct copy_work *work) {
  lw_box box = work->box;
  if (box.rows == 1 && box.planes == 1) {
    memmove(work->target, work->source, box.bytes);
    return;
  }
  for (uint64_t plane = 0; plane < box.planes; ++plane)
    for (uint64_t row = 0; row < box.rows; ++row)
      memcpy(work->target + plane * work->target_pitch.plane + row * work->target_pitch.row,
             work->source + plane * work->source_pitch.plane + row * work->source_pitch.row, box.bytes);
}

static void fill_row(char *row, const struct fill_work *work) {
  if (work->value_bytes == 1) {
    memset(row, (int)work->value, work->box.bytes);
    return;
  }
  for (uint64_t at = 0; at + work->value_bytes <= work->box.bytes; at += work->value_bytes)
    memcpy(row + at, &work->value, work->value_bytes); // the lowest bytes come first
}

static void run_fill(const struct fill_work *work) {
  for (uint64_t plane = 0; plane < work->box.planes; ++plane)
    for (uint64_t row = 0; row < work->box.rows; ++row)
      fill_row(work->target + plane * work->pitch.plane + row * work->pitch.row, work);
}

static bool is_empty(lw_box box) { return box.bytes == 0 || box.rows == 0 || box.planes == 0; }

static int32_t make_copy(void *target, lw_pitch target_pitch, const void *source, lw_pitch source_pitch, lw_box box,
                         struct work **made) {
  if (!is_empty(box) && (target == NULL || source == NULL))
    return explain(LW_INVALID, "a copy to or from a null pointer");
  struct work *work = work_make(WORK_COPY, 0);
  if (work == NULL)
    return LW_NO_MEMORY;
  work->copy = (struct copy_work){target, source, target_pitch, source_pitch, is_empty(box) ? (lw_box){0, 1, 1} : box};
  *made = work;
  return LW_SUCCESS;
}

static int32_t make_fill(void *target, lw_pitch pitch, uint32_t value, uint32_t value_bytes, lw_box box,
                         struct work **made) {
  if (!is_empty(box) && target == NULL)
    return explain(LW_INVALID, "a fill of a null pointer");
  if (value_bytes != 1 && value_bytes != 2 && value_bytes != 4)
    return explain(LW_INVALID, "a fill repeats 1, 2 or 4 bytes, not %u", value_bytes);
  struct work *work = work_make(WORK_FILL, 0);
  if (work == NULL)
    return LW_NO_MEMORY;
  work->fill = (struct fill_work){target, pitch, is_empty(box) ? (lw_box){0, 1, 1} : box, value, value_bytes};
  *made = work;
  return LW_SUCCESS;
}

static int32_t make_call(lw_host_function function, void (*dropped)(void *data), void *data, struct work **made) {
  if (function == NULL)
    return explain(LW_INVALID, "no function to be called");
  struct work *work = work_make(WORK_CALL, 0);
  if (work == NULL)
    return LW_NO_MEMORY;
  work->call = (struct call_work){function, dropped, data};
  *made = work;
  return LW_SUCCESS;
}
