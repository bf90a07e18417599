// SPDX-License-Identifier: Apache-2.0
// What gcc's sanitizers are told of stacks that code leaves without returning, and what they do to signals. In other
// builds it is nothing.
#ifndef LANEWISE_SANITIZERS_H
#define LANEWISE_SANITIZERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- AddressSanitizer --------------------------------------------------------------------------------------------

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

// The frames on a stack, from `low` to `high`, are no more. The sanitizer marks what lies between the variables of a
// function when it is called, and clears the marks when it returns. A function that was left by a switch keeps them, and
// what lies there next, on this stack or in other memory, would be taken for out of bounds.
static inline void forget_frames(const void *low, const void *high) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(low, (size_t)((const char *)high - (const char *)low));
#else
  (void)low, (void)high;
#endif
}

// The same for the alternative stack of signal handlers, where the present one will not return.
static inline void forget_handler_frames(void) {
#ifdef __SANITIZE_ADDRESS__
  stack_t present;
  if (sigaltstack(NULL, &present) == 0)
    forget_frames(present.ss_sp, (char *)present.ss_sp + present.ss_size);
#endif
}

// ---- ThreadSanitizer ---------------------------------------------------------------------------------------------

// It handles signals with all of them blocked, and keeps all but those of faults back until the thread calls the C
// library, which generated code may never do.
#ifdef __SANITIZE_THREAD__
#include <link.h>
#include <unistd.h>

enum { PROMPT_SIGNAL = SIGTRAP, HANDLERS_BLOCK_SIGNALS = 1 };

extern void __tsan_init(void);

// Where the sanitizer may hold a lock: in its own code, and in the C library's, which it calls.
static struct {
  uintptr_t low, high;
} locking_code[2];

static int find_locking_code_in(struct dl_phdr_info *object, size_t bytes, void *unused) {
  const uintptr_t sought[2] = {(uintptr_t)__tsan_init, (uintptr_t)getpid};
  (void)bytes, (void)unused;
  for (int index = 0; index < object->dlpi_phnum; ++index) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    uintptr_t low = object->dlpi_addr + segment->p_vaddr;
    for (int which = 0; which < 2; ++which)
      if (segment->p_type == PT_LOAD && sought[which] - low < segment->p_memsz) {
        locking_code[which].low = low;
        locking_code[which].high = low + segment->p_memsz;
      }
  }
  return 0;
}

// To be called before may_hold_lock.
static void find_locking_code(void) { dl_iterate_phdr(find_locking_code_in, NULL); }

// Whether the sanitizer may hold a lock in a thread that is interrupted at `instruction`.
static bool may_hold_lock(uintptr_t instruction) {
  bool inside = false;
  for (int which = 0; which < 2; ++which)
    inside |= instruction >= locking_code[which].low && instruction < locking_code[which].high;
  return inside;
}
#else
// Ignored by default, and used by hardly anyone.
enum { PROMPT_SIGNAL = SIGURG, HANDLERS_BLOCK_SIGNALS = 0 };

static inline void find_locking_code(void) {}

static inline bool may_hold_lock(uintptr_t instruction) {
  (void)instruction;
  return false;
}
#endif

#endif
