// SPDX-License-Identifier: Apache-2.0
// The summary that LANEWISE_PROFILE=1 writes when the program ends: kernels, copies, and calls of the API.
#ifndef LANEWISE_CUDART_PROFILE_H
#define LANEWISE_CUDART_PROFILE_H

namespace lw_cudart {

bool profiling();
uint64_t now(); // ns

enum ProfileKind { PROFILE_KERNEL, PROFILE_COPY, PROFILE_CALL };
void profile_add(ProfileKind kind, const char *name, uint64_t nanoseconds, uint64_t bytes);

// Times a call of the API.
struct Timed {
  const char *name;
  uint64_t start;
  explicit Timed(const char *name) : name(name), start(profiling() ? now() : 0) {}
  ~Timed() {
    if (__builtin_expect(start != 0, 0))
      profile_add(PROFILE_CALL, name, now() - start, 0);
  }
};

// Times work of a queue, from what comes before it to its end. `name` stays valid.
struct TimedWork {
  lw_queue *queue;
  lw_event *start;
  ProfileKind kind;
  const char *name;
  uint64_t bytes;
  TimedWork(lw_queue *queue, ProfileKind kind, const char *name, uint64_t bytes);
  ~TimedWork();
};

// Takes the times of all work that is done.
void profile_collect();

} // namespace lw_cudart

#endif
