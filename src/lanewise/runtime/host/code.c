// SPDX-License-Identifier: Apache-2.0
// What a kernel's code says of itself.
#include "host.h"

enum { ARENA_UNIT = 128 }; // to which the arena is rounded up
static const uint64_t MAX_ARENA_BYTES = 1 << 30;

static uint64_t arena_bytes(const lw_code *code, const uint32_t block[3], uint32_t dynamic_shared) {
  uint64_t bytes = code->arena_bytes + code->item_bytes * block[0] * block[1] * block[2];
  return (bytes + ARENA_UNIT - 1) / ARENA_UNIT * ARENA_UNIT + dynamic_shared;
}

static bool is_for_any_size(const lw_code *code) { return code->block[0] == 0; }

// Whether launches are to try another code beside this one.
static bool asks_for_trial(const lw_code *code) { return code->flags & (LW_CODE_TRY_LOOP | LW_CODE_TRY_LANES); }
