// SPDX-License-Identifier: Apache-2.0
// Processes that work for this one, and that its program can't tell to be there.
//
// Each is the child of a child that ends at once and that sends no signal, so that no wait() and no handler of SIGCHLD
// sees it, but in a process to which orphans come: process 1, or a subreaper. It has a session of its own, and none of
// the program's descriptors but a socket. It is to end when nobody is at the other end of that.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  DETACHED_END = 3,                // the descriptor of its socket
  DETACHED_STACK_BYTES = 64 << 10, // of a process that is about to be another program
  MOST_SIGNALS = 64,
};

// What the new process needs, made before it starts: it shares this one's memory until it is another program.
struct detached {
  char *const *words, *const *variables;
  int socket;
  bool keep_errors;
  char *stack; // of the process that it is a child of, then its own
  int started; // the process, or -1
};

// Closes all descriptors but 0 to `last`.
static void close_others(int last) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, last + 1, ~0u, 0) == 0)
    return;
#endif
  enum { MOST = 1 << 16 };
  long most = sysconf(_SC_OPEN_MAX);
  for (int each = last + 1; each < (most > 0 && most < MOST ? most : MOST); ++each)
    close(each);
}

// Code of a process that shares this one's memory and never returns: AddressSanitizer would take the memory of its stack
// for one that is out of scope for ever.
#define NEVER_RETURNS __attribute__((no_sanitize("address")))

NEVER_RETURNS static int become_program(void *argument) {
  const struct detached *detached = argument;
  for (int number = 1; number <= MOST_SIGNALS; ++number)
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  int away = fcntl(detached->socket, F_DUPFD, DETACHED_END + 1);
  int errors = fcntl(STDERR_FILENO, F_DUPFD, DETACHED_END + 1);
  int nothing = open("/dev/null", O_RDWR);
  if (away < 0 || nothing < 0 || chdir("/") != 0)
    _exit(127);
  for (int each = 0; each < DETACHED_END; ++each)
    dup2(each == STDERR_FILENO && detached->keep_errors && errors >= 0 ? errors : nothing, each);
  dup2(away, DETACHED_END);
  close_others(DETACHED_END);
  execve(detached->words[0], detached->words, detached->variables);
  _exit(127);
}

NEVER_RETURNS static int become_parent(void *argument) {
  struct detached *detached = argument;
  detached->started =
      clone(become_program, detached->stack + DETACHED_STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, detached);
  _exit(detached->started < 0);
}

// Starts the program words[0] with these words and variables, both ended by null, at one end of a socket: its descriptor
// 3. `keep_errors`: with this process's standard error. Returns its number; -1 if it can't be started.
static int start_detached(char *const *words, char *const *variables, int socket, bool keep_errors) {
  struct detached detached = {.words = words, .variables = variables, .socket = socket, .keep_errors = keep_errors};
  sigset_t all, before;
  sigfillset(&all);
  char *stacks = mmap(NULL, 2 * DETACHED_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stacks == MAP_FAILED)
    return -1;
  detached.stack = stacks;
  char *parents = stacks + DETACHED_STACK_BYTES;
  pthread_sigmask(SIG_SETMASK, &all, &before); // no handler runs in a process that shares this one's memory
  // Without a signal of its end, only a wait for just such children sees the process between.
  int parent = clone(become_parent, parents + DETACHED_STACK_BYTES, CLONE_VM | CLONE_VFORK, &detached), status = 1;
  while (parent > 0 && waitpid(parent, &status, (int)__WCLONE) < 0 && errno == EINTR)
    continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stacks, 2 * DETACHED_STACK_BYTES);
  return parent > 0 && status == 0 ? detached.started : -1;
}

int32_t lw_start_detached(char *const *words, char *const *variables, int32_t socket) {
  return start_detached(words, variables, socket, false);
}
