// SPDX-License-Identifier: Apache-2.0
// The compile service: a child process, one of a process, that compiles a kernel's IR again while the program runs
// (cuda/service). It is asked through a pair of sockets, which nobody else has.
//
// The program can't tell that it is there (core/detached.c). It has few of the program's variables, and ends when the
// program does, or after some seconds without a request.
//
// While it works it says each second that it does. One that is stopped, or lost in a loop that no thread leaves, says
// nothing: it is ended, and another one is asked, once. So no caller waits for long for an answer that won't come.
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The interpreter that Lanewise is installed for, and the digest of these sources: runtime/build.py defines both.
#ifndef LW_PYTHON
#define LW_PYTHON ""
#define LW_BUILD ""
#endif

enum {
  MOST_VARIABLES_KEPT = 24,
  MOST_ANSWER_BYTES = 1 << 26,
};
static const int ANSWER_MS = 600000; // that an answer may take, of a service that works
#ifndef LW_SILENCE_MS
#define LW_SILENCE_MS 20000 // after which a service is taken to be stopped; the start of Python takes a part of it
#endif
static const uint32_t AT_WORK = 0; // the number of frames that say that the service works

// A descriptor and the file that it is of: the program may have closed it, and opened another file by its number.
struct own_descriptor {
  int number; // -1: none
  dev_t device;
  ino_t file;
};

static struct {
  pthread_mutex_t lock;           // one thread asks at a time
  struct own_descriptor socket;   // none: nobody listens
  struct own_descriptor process;  // of the service, to end it; none if the system has no such
  uint32_t last_request;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = {.number = -1}, .process = {.number = -1}};

static const char *const KEPT_VARIABLES[] = {
    "HOME", "USER", "PATH", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME",
    "LANEWISE_CACHE_DIR", "LANEWISE_CACHE", "LANEWISE_LOG", "LANEWISE_MAPPING", "LANEWISE_CHECK_LIMIT",
    "LANEWISE_CHECK_SUPPRESS", "LANEWISE_CHECK_REPORT",
};

// Variables that decide on the code that a service makes. All services of a process have the values that were there at
// the first request, so that no answer is kept as one for others (kept_answers.c).
enum deciding { CPU, CLANG, NUM_DECIDING };
static const char *const DECIDING_VARIABLES[NUM_DECIDING] = {"LANEWISE_CPU", "LANEWISE_CLANG"};
_Static_assert(sizeof KEPT_VARIABLES / sizeof *KEPT_VARIABLES + NUM_DECIDING < MOST_VARIABLES_KEPT,
               "room for all of them");

static struct {
  pthread_once_t once;
  char *values[NUM_DECIDING]; // null: not set
} deciding = {.once = PTHREAD_ONCE_INIT};

static void read_deciding(void) {
  for (size_t i = 0; i < NUM_DECIDING; ++i) {
    const char *value = getenv(DECIDING_VARIABLES[i]);
    deciding.values[i] = value != NULL ? strdup(value) : NULL;
  }
}

static const char *deciding_value(enum deciding variable) {
  pthread_once(&deciding.once, read_deciding);
  return deciding.values[variable];
}

// "NAME=VALUE" of a variable that decides on code; null if it isn't set. The caller frees it.
static char *deciding_variable(enum deciding variable) {
  const char *name = DECIDING_VARIABLES[variable], *value = deciding_value(variable);
  size_t room = value != NULL ? strlen(name) + strlen(value) + 2 : 0;
  char *made = value != NULL ? malloc(room) : NULL;
  if (made != NULL)
    snprintf(made, room, "%s=%s", name, value);
  return made;
}

extern char **environ;

static bool is_of(const char *variable, const char *name) {
  size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

static bool is_kept(const char *variable) {
  for (size_t i = 0; i < sizeof KEPT_VARIABLES / sizeof *KEPT_VARIABLES; ++i)
    if (is_of(variable, KEPT_VARIABLES[i]))
      return true;
  return false;
}

// A variable as the service is to have it, which works in another folder. The caller frees it.
static char *variable_for_service(const char *variable) {
  const char *value = strchr(variable, '=') + 1;
  bool is_folder = is_of(variable, "LANEWISE_CACHE_DIR") || is_of(variable, "TMPDIR");
  char *here = is_folder && *value != '\0' && *value != '/' && *value != '~' ? getcwd(NULL, 0) : NULL;
  if (here == NULL)
    return strdup(variable);
  size_t room = strlen(variable) + strlen(here) + 2;
  char *made = malloc(room);
  if (made != NULL)
    snprintf(made, room, "%.*s%s/%s", (int)(value - variable), variable, here, value);
  free(here);
  return made;
}

static void own(struct own_descriptor *own, int number) {
  struct stat now;
  *own = (struct own_descriptor){.number = -1};
  if (number >= 0 && fstat(number, &now) == 0)
    *own = (struct own_descriptor){number, now.st_dev, now.st_ino};
}

static bool is_still_own(const struct own_descriptor *own) {
  struct stat now;
  return own->number >= 0 && fstat(own->number, &now) == 0 && now.st_dev == own->device && now.st_ino == own->file;
}

static void give_up(struct own_descriptor *own) {
  if (is_still_own(own))
    close(own->number);
  own->number = -1;
}

// Whether the process runs with more rights than its user: then no program is started for it.
static bool has_more_rights(void) { return getauxval(AT_SECURE) != 0; }

// A descriptor of a process, which no other gets when it ends; -1 if the system has none.
static int descriptor_of(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

// Starts the service; whether it could be. All signals are blocked in the calling thread.
static bool start_service(void) {
  if (*LW_PYTHON == '\0' || has_more_rights() || access(LW_PYTHON, X_OK) != 0)
    return false;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  char *words[] = {LW_PYTHON, "-I", "-m", "lanewise.cuda.service", NULL}, *variables[MOST_VARIABLES_KEPT] = {NULL};
  size_t count = 0;
  for (enum deciding each = 0; each < NUM_DECIDING; ++each)
    if ((variables[count] = deciding_variable(each)) != NULL)
      ++count;
  for (char **each = environ; each != NULL && *each != NULL && count + 1 < MOST_VARIABLES_KEPT; ++each)
    if (is_kept(*each) && (variables[count] = variable_for_service(*each)) != NULL)
      ++count;
  int started = start_detached(words, variables, ends[1], wants_log());
  while (count > 0)
    free(variables[--count]);
  close(ends[1]);
  if (started < 0) {
    close(ends[0]);
    return false;
  }
  own(&service.socket, ends[0]);
  own(&service.process, descriptor_of(started));
  return true;
}

// Lets the service end, which it does by itself unless it is stopped.
static void leave_service(void) {
  give_up(&service.socket);
  give_up(&service.process);
}

// Ends a service that no longer does anything.
static void end_service(void) {
#ifdef SYS_pidfd_send_signal
  if (is_still_own(&service.process))
    syscall(SYS_pidfd_send_signal, service.process.number, SIGKILL, NULL, 0);
#endif
  leave_service();
}

static uint64_t after_ms(int ms) { return now_ns() + (uint64_t)ms * 1000000; }

// Whether the service takes data, or has some, before a time. False if the program has closed the socket.
static bool service_is_ready(short events, uint64_t until) {
  for (;;) {
    uint64_t now = now_ns();
    struct pollfd ready = {.fd = service.socket.number, .events = events};
    int polled = now < until && is_still_own(&service.socket) ? poll(&ready, 1, (int)((until - now) / 1000000) + 1) : 0;
    if (polled >= 0 || errno != EINTR)
      return polled > 0 && is_still_own(&service.socket);
  }
}

static bool send_all(const void *data, size_t bytes) {
  for (const char *at = data; bytes > 0;) {
    if (!service_is_ready(POLLOUT, after_ms(LW_SILENCE_MS)))
      return false;
    ssize_t sent = send(service.socket.number, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    bytes -= (size_t)sent;
  }
  return true;
}

static bool receive_all(void *data, size_t bytes) {
  for (char *at = data; bytes > 0;) {
    if (!service_is_ready(POLLIN, after_ms(LW_SILENCE_MS)))
      return false;
    ssize_t got = recv(service.socket.number, at, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      return false;
    at += got;
    bytes -= (size_t)got;
  }
  return true;
}

struct frame {
  uint32_t request, bytes;
};

// The frame of an answer, after those that say that the service works, and before a time.
static bool receive_frame(struct frame *answer, uint64_t until) {
  do
    if (now_ns() >= until || !receive_all(answer, sizeof *answer))
      return false;
  while (answer->request == AT_WORK && answer->bytes == 0);
  return true;
}

static char *exchange(const char *head, const void *data, size_t bytes) {
  size_t head_bytes = strlen(head);
  if (++service.last_request == AT_WORK)
    ++service.last_request;
  struct frame frame = {service.last_request, (uint32_t)(head_bytes + bytes)}, answer;
  if (!send_all(&frame, sizeof frame) || !send_all(head, head_bytes) || !send_all(data, bytes) ||
      !receive_frame(&answer, after_ms(ANSWER_MS)) || answer.request != frame.request ||
      answer.bytes > MOST_ANSWER_BYTES)
    return NULL;
  char *text = malloc(answer.bytes + 1);
  if (text != NULL && !receive_all(text, answer.bytes)) {
    free(text);
    return NULL;
  }
  if (text != NULL)
    text[answer.bytes] = '\0';
  return text;
}

static void follow_forks(void); // host_queue.c

// The service's answer to a request: `head`, text, and then `bytes` of data. Null if there is no service, or none that
// answers; the caller frees it.
static char *ask_service(const char *head, const void *data, size_t bytes) {
  follow_forks(); // a child leaves the service to its parent
  pthread_mutex_lock(&service.lock);
  bool is_new = !is_still_own(&service.socket);
  if (is_new)
    leave_service();
  bool runs = !is_new || start_service();
  char *answer = runs ? exchange(head, data, bytes) : NULL;
  if (runs && answer == NULL) {
    end_service();
    if (!is_new && start_service()) // it was idle for too long, or is stopped
      answer = exchange(head, data, bytes);
    if (answer == NULL)
      end_service();
  }
  pthread_mutex_unlock(&service.lock);
  return answer;
}
