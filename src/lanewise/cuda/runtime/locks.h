// SPDX-License-Identifier: Apache-2.0
// A lock for a few instructions, usable before any constructor has run and in the child of a fork.
#ifndef LANEWISE_CUDART_LOCKS_H
#define LANEWISE_CUDART_LOCKS_H

#include <sched.h>

namespace lw_cudart {

// How often the process and those that it comes from have forked; counted in fork.cpp.
inline int forks;

// In the child of a fork, a lock that another thread of the parent held is free: that thread isn't there to give it.
struct Lock {
  int taken; // 0, or the count of forks at the time, and 1

  void take() {
    int ours = forks + 1;
    for (int tries = 0;; ++tries) {
      int holder = __atomic_load_n(&taken, __ATOMIC_RELAXED);
      if (holder != ours && __atomic_compare_exchange_n(&taken, &holder, ours, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
      if (tries > 100)
        sched_yield();
    }
  }
  void give() { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }
};

// Holds a lock until the end of its scope.
struct Held {
  Lock &lock;
  explicit Held(Lock &lock) : lock(lock) { lock.take(); }
  ~Held() { lock.give(); }
};

} // namespace lw_cudart

#endif
