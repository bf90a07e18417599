// SPDX-License-Identifier: Apache-2.0
// Forks of the process. The child has the parent's objects, and none of its other threads: commands that these were
// running have failed there, and the others run when something waits for them.
#include "fork.h"
#include "scheduler.h"

namespace lw_opencl {

template <class Action> static void each_pool_lock(Action act) {
  act(pool<Context>.lock);
  act(pool<Device>.lock);
  act(pool<Queue>.lock);
  act(pool<Memory>.lock);
  act(pool<Program>.lock);
  act(pool<Kernel>.lock);
  act(pool<Event>.lock);
  act(pool<Sampler>.lock);
}

static void lock_all() {
  lock_scheduler();
  each_pool_lock([](pthread_mutex_t &lock) { pthread_mutex_lock(&lock); });
}

static void unlock_all() {
  each_pool_lock([](pthread_mutex_t &lock) { pthread_mutex_unlock(&lock); });
  unlock_scheduler();
}

// Threads that are gone may have held an object's lock.
template <class T> static void free_locks() {
  for (size_t i = 0; pool<T>.first && i < pool<T>.used; ++i)
    if (pool<T>.first[i].uses)
      pthread_mutex_init(&pool<T>.first[i].lock, nullptr);
}

static void start_anew() {
  each_pool_lock([](pthread_mutex_t &lock) { pthread_mutex_init(&lock, nullptr); });
  free_locks<Context>();
  free_locks<Memory>();
  free_locks<Program>();
  free_locks<Kernel>();
  forget_queues();
  forget_shared_memory_lock();
  forget_workers();
}

static void register_handlers() { pthread_atfork(lock_all, unlock_all, start_anew); }

void follow_forks() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
}

} // namespace lw_opencl
