// SPDX-License-Identifier: Apache-2.0
// Forks of the process. The child has the parent's objects, and none of its other threads: commands that these were
// running have failed there, and the others run when something waits for them.
#include "fork.h"
#include "scheduler.h"

namespace lw_opencl {

template <class Action> static void each_list_lock(Action act) {
  act(pool<Context>.lock);
  act(pool<Device>.lock);
  act(pool<Queue>.lock);
  act(pool<Memory>.lock);
  act(pool<Program>.lock);
  act(pool<Kernel>.lock);
  act(pool<Event>.lock);
  act(pool<Sampler>.lock);
  act(pool<CommandBuffer>.lock);
  act(pool<MutableCommand>.lock);
  act(lock_of_free_queues());
  act(lock_of_shared_memory());
  act(lock_of_unified_memory());
}

static void lock_all() {
  lock_scheduler();
  each_list_lock([](pthread_mutex_t &lock) { pthread_mutex_lock(&lock); });
}

static void unlock_all() {
  each_list_lock([](pthread_mutex_t &lock) { pthread_mutex_unlock(&lock); });
  unlock_scheduler();
}

// Threads that are gone may have held an object's lock.
template <class T> static void free_locks() {
  for (size_t i = 0; pool<T>.first && i < pool<T>.used; ++i)
    if (pool<T>.first[i].uses)
      pthread_mutex_init(&pool<T>.first[i].lock, nullptr);
}

static void end_moves() {
  for (size_t i = 0; pool<Memory>.first && i < pool<Memory>.used; ++i)
    if (pool<Memory>.first[i].uses)
      pthread_mutex_init(&pool<Memory>.first[i].moving, nullptr);
}

static void free_locks_of(Build *build) {
  if (!build)
    return;
  pthread_mutex_init(&build->lock, nullptr);
  pthread_mutex_init(&build->log_lock, nullptr);
}

static void end_executions() {
  for (size_t i = 0; pool<CommandBuffer>.first && i < pool<CommandBuffer>.used; ++i)
    if (pool<CommandBuffer>.first[i].uses)
      pthread_mutex_init(&pool<CommandBuffer>.first[i].running, nullptr);
}

// Of a program, and of a kernel, which may outlive its program's build.
static void free_locks_of_builds() {
  for (size_t i = 0; pool<Program>.first && i < pool<Program>.used; ++i)
    if (pool<Program>.first[i].uses)
      free_locks_of(pool<Program>.first[i].build);
  for (size_t i = 0; pool<Kernel>.first && i < pool<Kernel>.used; ++i)
    if (pool<Kernel>.first[i].uses)
      free_locks_of(pool<Kernel>.first[i].build);
}

static void start_anew() {
  each_list_lock([](pthread_mutex_t &lock) { pthread_mutex_init(&lock, nullptr); });
  free_locks<Context>();
  free_locks<Memory>();
  free_locks<Program>();
  free_locks<Kernel>();
  free_locks<CommandBuffer>();
  end_executions();
  end_moves();
  free_locks_of_builds();
  forget_workers();
}

static void register_handlers() { pthread_atfork(lock_all, unlock_all, start_anew); }

void follow_forks() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
}

} // namespace lw_opencl
