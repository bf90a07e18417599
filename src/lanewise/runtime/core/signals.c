// SPDX-License-Identifier: Apache-2.0
// Signals: faults of generated code end its launch instead of the process, and a poke takes a thread out of it.
//
// Handlers act only on a thread that is inside generated code; all else goes to the handlers that were there before.
// A poke is handled with no signal blocked, so that a switch out of it has no mask to restore, and on the stack of the
// runner, which may be gone on with later. A fault is handled on the thread's alternative stack, for the other may be
// full, and with pokes blocked: one that came before the fault is written down would end its launch without a word.
#include "core.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// A poke that comes late does no harm.
#define POKE PROMPT_SIGNAL

enum { HANDLER_STACK_BYTES = 64 << 10 };

static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction former[65];

static _Thread_local bool thread_is_ready __attribute__((tls_model("initial-exec")));
static _Thread_local int thread_id __attribute__((tls_model("initial-exec")));
static pthread_key_t handler_stack; // for its destructor

// Does what would have happened without us.
static void pass_on(int number, siginfo_t *info, void *context) {
  struct sigaction *before = &former[number];
  if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(number, info, context);
  } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
    before->sa_handler(number);
  } else if (number != POKE) {
    // The instruction faults again; a signal that somebody sent must be sent again.
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (info->si_code <= 0)
      raise(number);
  }
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.sp;
#endif
}

static uintptr_t instruction_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

// What is likely the address that a function returns to which has no frame yet, such as the C library's memcpy, or one
// at an address that is no code; 0 where there is none. The address sanitizer takes it for another frame's.
__attribute__((no_sanitize("address"))) static uintptr_t return_address(const ucontext_t *context,
                                                                        const struct stack *stack) {
#if defined(__x86_64__)
  uintptr_t pointer = stack_pointer(context);
  bool on_stack = pointer >= (uintptr_t)stack->low && pointer + sizeof(uintptr_t) <= (uintptr_t)stack->top;
  return on_stack ? *(const uintptr_t *)pointer : 0;
#elif defined(__aarch64__)
  (void)stack;
  return (uintptr_t)context->uc_mcontext.regs[30];
#endif
}

// Whether this process sent the signal to one of its own threads.
static bool is_own(const siginfo_t *info) { return info->si_code == SI_TKILL && info->si_pid == getpid(); }

static enum lw_access access_of(const siginfo_t *info, const ucontext_t *context) {
  if (info->si_code <= 0)
    return LW_UNKNOWN_ADDRESS;
  if (info->si_signo == SIGSEGV && info->si_code == SI_KERNEL)
    return LW_NO_ADDRESS;
#if defined(__x86_64__)
  enum { PAGE_FAULT = 14, WRITES = 2, FETCHES = 16 };
  long long error = context->uc_mcontext.gregs[REG_ERR];
  if (context->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT)
    return error & FETCHES ? LW_EXECUTE : error & WRITES ? LW_WRITE : LW_READ;
#endif
  bool fetched = info->si_signo == SIGSEGV && instruction_pointer(context) == (uintptr_t)info->si_addr;
  return fetched ? LW_EXECUTE : LW_SOME_ACCESS;
}

// Whether an access to `address` faulted because the stack is full: it is in the guard, or the stack pointer has left
// the stack, or is so near to its end that the system could not deliver a poke, and says that as a fault without an
// address.
static bool is_overflow(const struct stack *stack, uintptr_t address, uintptr_t pointer) {
  enum { LARGEST_SIGNAL_FRAME = 16 << 10 };
  uintptr_t guard = (uintptr_t)stack->guard, low = (uintptr_t)stack->low;
  return (address >= guard && address < low) || pointer < low ||
         (address == 0 && pointer < low + LARGEST_SIGNAL_FRAME);
}

// Lets in the signals that the handler of `context` has blocked.
static void let_signals_in(const ucontext_t *context) { pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, NULL); }

static void on_fault(int number, siginfo_t *info, void *context) {
  struct runner *runner = current;
  // Generated code sends no signals: one of our own was a fault that a handler in front of this one has passed on.
  bool faulted = info->si_code > 0 || is_own(info);
  if (!faulted || runner == NULL || (runner->held && !runner->probing)) {
    pass_on(number, info, context);
    return;
  }
  bool first_hand = info->si_code > 0;
  if (first_hand && number == SIGSEGV && access_of(info, context) == LW_READ && tolerate_read(info->si_addr))
    return;
  uintptr_t address = first_hand ? (uintptr_t)info->si_addr : 0;
  bool overflow = first_hand && number == SIGSEGV && is_overflow(stack_of(runner), address, stack_pointer(context));
  if (slot_fail(runner->slot, overflow ? LW_STACK_OVERFLOW : LW_FAULT)) {
    lw_status *status = &runner->slot->status;
    status->signal = (uint32_t)number;
    status->address = address;
    status->access = access_of(info, context);
    if (first_hand) {
      status->instruction = instruction_pointer(context);
      status->caller = return_address(context, stack_of(runner));
    }
    set_position(status, runner);
  }
  runner->held = 1; // a poke that has waited is let in, and leaves the thread where it is
  let_signals_in(context);
  forget_handler_frames();
  runner_quit(runner, STOPPED);
}

static void on_poke(int number, siginfo_t *info, void *context) {
  int error = errno;
  struct runner *runner = current;
  if (runner == NULL || !is_own(info)) {
    pass_on(number, info, context); // perhaps to another copy of this library, whose poke it is
  } else if (!runner->held && !may_hold_lock(instruction_pointer(context))) {
    if (HANDLERS_BLOCK_SIGNALS)
      let_signals_in(context);
    runner->instruction = instruction_pointer(context);
    if (runner_stops(runner)) {
      runner_tell_place(runner);
      runner_quit(runner, STOPPED);
    }
    if (runner->slot->crew.memory != NULL || now_ns() >= runner->deadline) {
      runner_leave(runner, AWAY);
      if (runner_stops(runner))
        runner_quit(runner, STOPPED);
    }
    runner->instruction = 0;
  }
  errno = error;
}

static void poke(int thread) { syscall(SYS_tgkill, getpid(), thread, POKE); }

static void drop_handler_stack(void *memory) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  munmap(memory, HANDLER_STACK_BYTES);
}

static void install_handlers(void) {
  find_locking_code();
  pthread_key_create(&handler_stack, drop_handler_stack);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART, .sa_sigaction = on_poke};
  sigaction(POKE, &action, &former[POKE]);
  action = (struct sigaction){.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK, .sa_sigaction = on_fault};
  sigaddset(&action.sa_mask, POKE);
  for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; ++i)
    sigaction(FAULTS[i], &action, &former[FAULTS[i]]);
}

static void our_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, POKE);
  for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; ++i)
    sigaddset(set, FAULTS[i]);
}

// Makes the calling thread one on which generated code may run.
static void prepare_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handlers);
  sigset_t ours;
  our_signals(&ours);
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
  stack_t present;
  if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
    void *memory = mmap(NULL, HANDLER_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
      sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = HANDLER_STACK_BYTES}, NULL);
      pthread_setspecific(handler_stack, memory);
    }
  }
  thread_id = (int)syscall(SYS_gettid);
  thread_is_ready = true;
}
