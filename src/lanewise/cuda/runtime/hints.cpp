// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "hints.h"

namespace lw_cudart {

struct Hint {
  const char *start, *end;
  HintKind kind;
  int value;
};

static Lock hints_lock;
static List<Hint> hints; // later ones hold

static void drop_within(const char *start, const char *end, int kind) {
  size_t kept = 0;
  for (Hint &each : hints)
    if (each.start < start || each.end > end || (kind >= 0 && each.kind != kind))
      hints[kept++] = each;
  hints.count = kept;
}

void remember_hint(const void *memory, size_t bytes, HintKind kind, int value) {
  const char *start = static_cast<const char *>(memory);
  Held held(hints_lock);
  drop_within(start, start + bytes, kind);
  hints.add({start, start + bytes, kind, value});
}

void forget_hints(const void *memory, size_t bytes) {
  const char *start = static_cast<const char *>(memory);
  Held held(hints_lock);
  drop_within(start, start + bytes, -1);
}

// The value at an address, and how far it reaches.
static int value_at(const char *address, HintKind kind, int otherwise, const char **until) {
  int value = otherwise;
  for (const Hint &each : hints) {
    if (each.kind != kind)
      continue;
    if (each.start > address && each.start < *until)
      *until = each.start;
    if (each.end > address && each.end < *until)
      *until = each.end;
    if (each.start <= address && address < each.end)
      value = each.value;
  }
  return value;
}

int hint_of(const void *memory, size_t bytes, HintKind kind, int otherwise) {
  const char *at = static_cast<const char *>(memory), *end = at + bytes, *until = end;
  Held held(hints_lock);
  int first = value_at(at, kind, otherwise, &until);
  while (until < end) {
    at = until;
    until = end;
    if (value_at(at, kind, otherwise, &until) != first)
      return otherwise;
  }
  return first;
}

} // namespace lw_cudart
