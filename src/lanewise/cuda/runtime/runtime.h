// SPDX-License-Identifier: Apache-2.0
// What the files of libcudart share. cudart.cpp includes all of them, so that one run of the compiler makes one object
// and every function but those of the interface is static. C++ without its library: the host runtime does the work.
//
// Source: CUDA Runtime API 12.8.
#ifndef LANEWISE_CUDART_H
#define LANEWISE_CUDART_H

#include "../../runtime/host/lanewise.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanewise/host_device.h"
#include "lanewise/host_graphs.h"
#include "lanewise/host_launch.h"
#include "lanewise/host_memory.h"
#include "lanewise/host_memory_pools.h"
#include "lanewise/host_streams.h"

#define CUDART extern "C" __attribute__((visibility("default")))

namespace {

// Holds a mutex for a scope.
class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : held(mutex) { pthread_mutex_lock(&held); }
  ~Lock() { pthread_mutex_unlock(&held); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

private:
  pthread_mutex_t &held;
};

// A map from pointers to pointers: open addressing, grown at half its room. Entries are never removed.
class PointerMap {
public:
  void *find(const void *key) const {
    if (room == 0)
      return nullptr;
    for (size_t at = place(key);; at = (at + 1) % room)
      if (entries[at].key == key || entries[at].key == nullptr)
        return entries[at].value;
  }
  bool insert(const void *key, void *value) {
    if (2 * (used + 1) > room && !grow())
      return false;
    size_t at = place(key);
    while (entries[at].key != nullptr && entries[at].key != key)
      at = (at + 1) % room;
    used += entries[at].key == nullptr;
    entries[at] = {key, value};
    return true;
  }

private:
  struct Entry {
    const void *key;
    void *value;
  };
  size_t place(const void *key) const { return (reinterpret_cast<uintptr_t>(key) >> 4) * 0x9e3779b97f4a7c15u % room; }
  bool grow() {
    PointerMap larger;
    larger.room = room > 0 ? 2 * room : 64;
    larger.entries = static_cast<Entry *>(calloc(larger.room, sizeof(Entry)));
    if (larger.entries == nullptr)
      return false;
    for (size_t at = 0; at < room; ++at)
      if (entries[at].key != nullptr)
        larger.insert(entries[at].key, entries[at].value);
    free(entries);
    *this = larger;
    return true;
  }

  Entry *entries = nullptr;
  size_t room = 0, used = 0;
};

} // namespace

#endif
