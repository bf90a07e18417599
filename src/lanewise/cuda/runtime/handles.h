// SPDX-License-Identifier: Apache-2.0
// Handles that programs hold: pointers into one range of addresses for each type, so that a foreign or destroyed one is
// recognised without being followed.
#ifndef LANEWISE_CUDART_HANDLES_H
#define LANEWISE_CUDART_HANDLES_H

#include <sys/mman.h>

namespace lw_cudart {

// `T` is plain, and begins with `uint32_t state`, which is not 0 as long as the handle lives.
template <class T, size_t Most = (size_t)1 << 20> struct Handles {
  Lock lock;
  T *first;
  size_t used;
  // Those that were destroyed, in a ring: the oldest is used again, after some others.
  List<uint32_t> free;
  size_t oldest;

  T *create() {
    Held held(lock);
    if (!first) {
      void *range =
          mmap(nullptr, Most * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range == MAP_FAILED)
        return nullptr;
      __atomic_store_n(&first, static_cast<T *>(range), __ATOMIC_RELEASE);
    }
    T *made;
    if (free.count - oldest > 256 || used == Most) {
      if (free.count == oldest)
        return nullptr;
      made = first + free[oldest++];
      if (oldest > 4096) {
        memmove(free.items, free.items + oldest, (free.count - oldest) * sizeof(uint32_t));
        free.count -= oldest;
        oldest = 0;
      }
    } else {
      made = first + used++;
    }
    memset(static_cast<void *>(made), 0, sizeof(T));
    __atomic_store_n(&made->state, 1, __ATOMIC_RELEASE);
    return made;
  }

  // The object that `handle` is; null if there is none, or none any more.
  template <class Handle> T *find(Handle handle) {
    T *start = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)start;
    if (!start || offset >= Most * sizeof(T) || offset % sizeof(T))
      return nullptr;
    T *found = start + offset / sizeof(T);
    return __atomic_load_n(&found->state, __ATOMIC_ACQUIRE) ? found : nullptr;
  }

  void destroy(T *object) {
    Held held(lock);
    __atomic_store_n(&object->state, 0, __ATOMIC_RELEASE);
    free.add(static_cast<uint32_t>(object - first));
  }

  // Calls `visit` with each living object.
  template <class Visit> void each(Visit visit) {
    for (size_t i = 0; first && i < used; ++i)
      if (first[i].state)
        visit(first + i);
  }
};

} // namespace lw_cudart

#endif
