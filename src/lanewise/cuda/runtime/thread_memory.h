// SPDX-License-Identifier: Apache-2.0
// Memory that each thread has for itself, without thread-local variables: a library that a program loads later has little
// room for these.
#ifndef LANEWISE_CUDART_THREAD_MEMORY_H
#define LANEWISE_CUDART_THREAD_MEMORY_H

#include <pthread.h>

namespace lw_cudart {

// A `T` of each thread's own, all zeros at first, freed when the thread ends.
template <class T> struct ThreadMemory {
  Lock lock;
  int ready;
  pthread_key_t key;
  T spare; // all threads' where there is no memory

  T *get() {
    if (__builtin_expect(!__atomic_load_n(&ready, __ATOMIC_ACQUIRE), 0)) {
      Held held(lock);
      if (!ready) {
        pthread_key_create(&key, free);
        __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
      }
    }
    T *own = static_cast<T *>(pthread_getspecific(key));
    if (__builtin_expect(own != nullptr, 1))
      return own;
    own = static_cast<T *>(calloc(1, sizeof(T)));
    if (!own)
      return &spare;
    pthread_setspecific(key, own);
    return own;
  }
};

} // namespace lw_cudart

#endif
