// SPDX-License-Identifier: Apache-2.0
// Objects that programs hold, how they are counted, and what the functions of the interface have in common.
#ifndef LANEWISE_OPENCL_OBJECTS_H
#define LANEWISE_OPENCL_OBJECTS_H

#include "../../runtime/host/lanewise.h"
#include "../../runtime/host/list.h"
#include "api.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LW_CL extern "C" __attribute__((visibility("default")))

namespace lw_opencl {

// Says to who set LANEWISE_LOG why a call failed; returns `code`.
cl_int fail(cl_int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define REQUIRE(condition, code, ...)                                                                                  \
  do {                                                                                                                 \
    if (__builtin_expect(!(condition), 0))                                                                             \
      return fail(code, __VA_ARGS__);                                                                                  \
  } while (0)
#define REQUIRE_SUCCESS(...)                                                                                           \
  do {                                                                                                                 \
    cl_int result_of_step = (__VA_ARGS__);                                                                             \
    if (__builtin_expect(result_of_step != CL_SUCCESS, 0))                                                             \
      return result_of_step;                                                                                           \
  } while (0)

struct Held {
  pthread_mutex_t &lock;
  explicit Held(pthread_mutex_t &lock) : lock(lock) { pthread_mutex_lock(&lock); }
  ~Held() { pthread_mutex_unlock(&lock); }
};

using lw_host::List;

// What every object begins with. The loader of cl_khr_icd finds the functions of its platform by the first word.
struct Object {
  const void *dispatch;
  void *loader_data; // of loaders since cl_khr_icd 2.0, the same in all objects of the platform
  uint32_t references; // that the program holds; 0: it is gone for the program
  uint32_t uses;       // by the platform itself, and one more as long as the program holds any
  uint32_t next;       // of one that is gone: the number of the one that went after it
};
extern const void *const dispatch_table;
extern void *loader_data;

// All objects of a type, in one range of addresses, so that a foreign or released handle is recognised without being
// followed. `T` is plain, begins as Object does, and has `void finish()`.
template <class T> struct Pool {
  static const size_t MOST = (size_t)1 << 20;
  static const size_t KEPT = 1024; // that stay unused after their release
  pthread_mutex_t lock;
  T *first;
  size_t used;
  size_t released; // how many are gone; a list from the oldest to the newest
  uint32_t oldest, newest;

  T *create() {
    Held held(lock);
    if (!first) {
      int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
      void *range = mmap(nullptr, MOST * sizeof(T), PROT_READ | PROT_WRITE, kind, -1, 0);
      if (range == MAP_FAILED)
        return nullptr;
      __atomic_store_n(&first, static_cast<T *>(range), __ATOMIC_RELEASE);
    }
    if (used == MOST && !released)
      return nullptr;
    T *made;
    if (released > KEPT || used == MOST) {
      made = first + oldest;
      oldest = made->next;
      --released;
    } else {
      made = first + used++;
    }
    memset(static_cast<void *>(made), 0, sizeof(T));
    made->dispatch = dispatch_table;
    made->loader_data = loader_data;
    made->uses = 1;
    __atomic_store_n(&made->references, 1, __ATOMIC_RELEASE);
    return made;
  }

  // The object, if the program holds it; else null.
  T *find(const T *handle) {
    T *start = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)start;
    if (!start || offset >= MOST * sizeof(T) || offset % sizeof(T))
      return nullptr;
    T *found = start + offset / sizeof(T);
    return __atomic_load_n(&found->references, __ATOMIC_ACQUIRE) ? found : nullptr;
  }

  void destroy(T *object) {
    Held held(lock);
    uint32_t number = static_cast<uint32_t>(object - first);
    (released++ ? first[newest].next : oldest) = number;
    newest = number;
  }
};
template <class T> Pool<T> pool = {PTHREAD_MUTEX_INITIALIZER, nullptr, 0, 0, 0, 0};

template <class T> T *created() { return pool<T>.create(); }

// Whether the program holds it.
template <class T> bool lives(const T *handle) { return pool<T>.find(handle) != nullptr; }

template <class T> T *use(T *object) {
  __atomic_fetch_add(&object->uses, 1, __ATOMIC_RELAXED);
  return object;
}
template <class T> void drop(T *object) {
  if (__atomic_sub_fetch(&object->uses, 1, __ATOMIC_ACQ_REL) == 0) {
    object->finish();
    pool<T>.destroy(object);
  }
}

template <class T> cl_int retain(T *handle, cl_int invalid) {
  REQUIRE(lives(handle), invalid, "no such object: %p", static_cast<const void *>(handle));
  __atomic_fetch_add(&handle->references, 1, __ATOMIC_RELAXED);
  return CL_SUCCESS;
}
template <class T> cl_int release(T *handle, cl_int invalid) {
  REQUIRE(lives(handle), invalid, "no such object: %p", static_cast<const void *>(handle));
  if (__atomic_sub_fetch(&handle->references, 1, __ATOMIC_ACQ_REL) == 0)
    drop(handle);
  return CL_SUCCESS;
}
template <class T> cl_uint references_of(const T *object) {
  return __atomic_load_n(&object->references, __ATOMIC_RELAXED);
}

// The result of a function that creates an object: `body` gives a code, and the object where that is CL_SUCCESS.
template <class T, class Body> T *made(cl_int *code, Body body) {
  T *object = nullptr;
  cl_int result = body(object);
  if (code)
    *code = result;
  return result == CL_SUCCESS ? object : nullptr;
}

// The place that a query's value goes to: as large as `room`, and `size` gets the value's.
struct Answer {
  size_t room;
  void *place;
  size_t *size;

  cl_int bytes(const void *value, size_t count) const {
    REQUIRE(!place || room >= count, CL_INVALID_VALUE, "a value of %zu bytes doesn't fit in %zu", count, room);
    if (place && count)
      memcpy(place, value, count);
    if (size)
      *size = count;
    return CL_SUCCESS;
  }
  template <class T> cl_int value(const T &value) const { return bytes(&value, sizeof value); }
  cl_int text(const char *text) const { return bytes(text, strlen(text) + 1); }
  cl_int nothing() const { return bytes(nullptr, 0); }
};

inline uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

} // namespace lw_opencl

#endif
