// SPDX-License-Identifier: Apache-2.0
#include "api.h"

#include <time.h>

namespace lw_cudart {

enum { MOST_ROWS = 1024 };

struct ProfileRow {
  const char *name;
  ProfileKind kind;
  uint64_t calls, total, least, most, bytes;
};

struct Pending {
  lw_event *start, *end;
  ProfileKind kind;
  const char *name;
  uint64_t bytes;
};

static ProfileRow profile_rows[MOST_ROWS];
static size_t num_rows;
static Lock rows_lock, pending_lock;
static List<Pending> pending;

bool profiling() {
  static int state; // 0 unknown, 1 off, 2 on
  int known = __atomic_load_n(&state, __ATOMIC_RELAXED);
  if (__builtin_expect(known == 1, 1))
    return false;
  if (!known) {
    bool on = wants("LANEWISE_PROFILE");
    __atomic_store_n(&state, on ? 2 : 1, __ATOMIC_RELAXED);
    return on;
  }
  return true;
}

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

void profile_add(ProfileKind kind, const char *name, uint64_t nanoseconds, uint64_t bytes) {
  Held held(rows_lock);
  size_t i = 0;
  while (i < num_rows && (profile_rows[i].kind != kind || strcmp(profile_rows[i].name, name) != 0))
    ++i;
  if (i == MOST_ROWS)
    return;
  ProfileRow &row = profile_rows[i];
  if (i == num_rows) {
    row = {name, kind, 0, 0, nanoseconds, 0, 0};
    ++num_rows;
  }
  ++row.calls;
  row.total += nanoseconds;
  row.bytes += bytes;
  if (nanoseconds < row.least)
    row.least = nanoseconds;
  if (nanoseconds > row.most)
    row.most = nanoseconds;
}

TimedWork::TimedWork(lw_queue *queue, ProfileKind kind, const char *name, uint64_t bytes)
    : queue(queue), start(nullptr), kind(kind), name(name), bytes(bytes) {
  if (lw_event_create(0, &start) == LW_SUCCESS)
    lw_event_record(start, queue);
}

TimedWork::~TimedWork() {
  lw_event *end;
  if (!start || lw_event_create(0, &end) != LW_SUCCESS)
    return;
  lw_event_record(end, queue);
  bool many;
  {
    Held held(pending_lock);
    pending.add({start, end, kind, name, bytes});
    many = pending.count > 4096;
  }
  if (many)
    profile_collect();
}

void profile_collect() {
  Held held(pending_lock);
  size_t left = 0;
  for (Pending &work : pending) {
    float milliseconds;
    int32_t result = lw_event_elapsed(&milliseconds, work.start, work.end);
    if (result == LW_NOT_READY) {
      pending[left++] = work;
      continue;
    }
    if (result == LW_SUCCESS)
      profile_add(work.kind, work.name, static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6), work.bytes);
    lw_event_destroy(work.start);
    lw_event_destroy(work.end);
  }
  pending.count = left;
}

static void print_time(uint64_t nanoseconds) {
  double value = static_cast<double>(nanoseconds);
  if (value < 1e3)
    fprintf(stderr, " %8.0f ns", value);
  else if (value < 1e6)
    fprintf(stderr, " %8.3f us", value / 1e3);
  else if (value < 1e9)
    fprintf(stderr, " %8.3f ms", value / 1e6);
  else
    fprintf(stderr, " %8.3f s ", value / 1e9);
}

static int longest_first(const void *left, const void *right) {
  uint64_t a = static_cast<const ProfileRow *>(left)->total, b = static_cast<const ProfileRow *>(right)->total;
  return a < b ? 1 : a > b ? -1 : 0;
}

static void print_rows(const char *title, bool calls) {
  uint64_t total = 0;
  for (size_t i = 0; i < num_rows; ++i)
    if ((profile_rows[i].kind == PROFILE_CALL) == calls)
      total += profile_rows[i].total;
  if (!total)
    return;
  fprintf(stderr, "lanewise: %s\n  Time(%%)        Time     Calls         Avg         Min         Max  Name\n", title);
  for (size_t i = 0; i < num_rows; ++i) {
    const ProfileRow &row = profile_rows[i];
    if ((row.kind == PROFILE_CALL) != calls)
      continue;
    fprintf(stderr, "  %6.2f%%", 100.0 * static_cast<double>(row.total) / static_cast<double>(total));
    print_time(row.total);
    fprintf(stderr, " %9llu", static_cast<unsigned long long>(row.calls));
    print_time(row.total / row.calls);
    print_time(row.least);
    print_time(row.most);
    fprintf(stderr, "  %s", row.name);
    if (row.bytes && row.total)
      fprintf(stderr, " (%.2f GB/s)", static_cast<double>(row.bytes) / static_cast<double>(row.total));
    fprintf(stderr, "\n");
  }
}

__attribute__((destructor)) static void print_profile() {
  if (!profiling())
    return;
  profile_collect();
  qsort(profile_rows, num_rows, sizeof *profile_rows, longest_first);
  print_rows("GPU activities", false);
  print_rows("API calls", true);
}

} // namespace lw_cudart
