// SPDX-License-Identifier: Apache-2.0
// A lock for a few instructions, usable before any constructor has run and in the child of a fork.
#ifndef LANEWISE_CUDART_LOCKS_H
#define LANEWISE_CUDART_LOCKS_H

#include <sched.h>

namespace lw_cudart {

struct Lock {
  int taken;

  void take() {
    for (int tries = 0; __atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE); ++tries)
      if (tries > 100)
        sched_yield();
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
