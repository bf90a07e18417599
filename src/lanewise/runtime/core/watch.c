// SPDX-License-Identifier: Apache-2.0
// The watch: a thread that pokes launching threads whose time in generated code is up, so that the host gets to look
// after its signals and timeouts however long a work-group takes; and all threads of a cooperative launch, so that
// work-groups that spin don't starve those that they wait for.
//
// It sleeps when no launch has been seen running for a second.
#include "core.h"

#include <time.h>

static const long TICK_NS = 10000000;
enum { IDLE_TICKS = 100 };

enum { WATCH_MISSING, WATCH_ASLEEP, WATCH_AWAKE };
static atomic_uint watch; // a futex

static void poke_helpers(lw_pool *pool, struct slot *slot) {
  uint32_t started = atomic_load(&pool->started);
  for (uint32_t index = 1; index <= started; ++index) {
    struct worker *worker = atomic_load(&pool->workers[index]);
    if (worker != NULL && atomic_load(&worker->helping) == (uintptr_t)slot)
      poke(atomic_load(&worker->id));
  }
}

// Whether a launch runs.
static bool watch_all(void) {
  bool busy = false;
  uint64_t now = now_ns();
  for (lw_pool *pool = atomic_load(&all_pools); pool != NULL; pool = pool->following)
    for (unsigned index = 0, used = atomic_load(&pool->used); index < used; ++index) {
      struct slot *slot = &pool->slots[index];
      uint64_t deadline = atomic_load(&slot->deadline);
      if (deadline == 0)
        continue;
      busy = true;
      // It is stored before the deadline; one of a launch that has ended costs a needless poke.
      bool crew = atomic_load_explicit(&slot->crew.memory, memory_order_relaxed) != NULL;
      if (crew)
        poke_helpers(pool, slot);
      if (crew || now >= deadline || atomic_load(&slot->stop))
        poke(atomic_load(&slot->owner_id));
    }
  return busy;
}

static void *watch_main(void *nothing) {
  unsigned idle = 0;
  for (;;) {
    nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
    idle = watch_all() ? 0 : idle + 1;
    if (idle < IDLE_TICKS)
      continue;
    // Dekker's argument: either this thread sees the deadline of a new launch, or that sees it asleep.
    atomic_store(&watch, WATCH_ASLEEP);
    if (watch_all())
      atomic_store(&watch, WATCH_AWAKE);
    while (atomic_load(&watch) == WATCH_ASLEEP)
      futex_wait(&watch, WATCH_ASLEEP, 0);
    idle = 0;
  }
  return nothing;
}

enum { SMALL_STACK_BYTES = 256 << 10 };

// A thread that takes no signals but those in `open`; whether there is one.
static bool start_thread(void *(*body)(void *), void *argument, const sigset_t *open, size_t stack_bytes) {
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int number = 1; open != NULL && number < 65; ++number)
    if (sigismember(open, number) == 1)
      sigdelset(&blocked, number);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  bool started = pthread_create(&thread, &attributes, body, argument) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

// Makes the watch look, if it doesn't. Without one, as where no thread can be had, signals wait for work-groups.
static void watch_rouse(void) {
  unsigned missing = WATCH_MISSING, asleep = WATCH_ASLEEP;
  if (atomic_compare_exchange_strong(&watch, &missing, WATCH_AWAKE)) {
    if (!start_thread(watch_main, NULL, NULL, SMALL_STACK_BYTES))
      atomic_store(&watch, WATCH_MISSING);
  } else if (atomic_compare_exchange_strong(&watch, &asleep, WATCH_AWAKE)) {
    futex_wake(&watch, 1);
  }
}
