// SPDX-License-Identifier: Apache-2.0
// Time, pauses and sleep.
#include "core.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// What this thread has computed so far: a time in which it waits for a processor doesn't count.
static uint64_t thread_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// One step of a spinning wait.
static inline void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

// Sleeps while *word is `expected`, for at most `timeout` ns (0: without bound). May wake early.
static void futex_wait(atomic_uint *word, unsigned expected, uint64_t timeout) {
  struct timespec time = {(time_t)(timeout / 1000000000u), (long)(timeout % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout ? &time : NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

// Spins until *word isn't `expected` or the clock has passed `until`; whether it changed.
static bool spin(atomic_uint *word, unsigned expected, uint64_t until) {
  enum { PAUSES = 16 }; // between two looks at the clock
  for (;;) {
    for (int i = 0; i < PAUSES; ++i) {
      if (atomic_load_explicit(word, memory_order_acquire) != expected)
        return true;
      pause_briefly();
    }
    if (now_ns() >= until)
      return false;
  }
}
