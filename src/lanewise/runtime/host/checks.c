// SPDX-License-Identifier: Apache-2.0
// Checks of whole programs, which LANEWISE_CHECK asks for: kernels run by code that the compile service has woven checks
// into (cuda/service/checked_kernels.py), and what a launch has found is told when it has ended.
//
// A launch goes on after a fault, and so does the program: a wrong read gives zero, a wrong write is dropped. Each place
// in the source is told once. When the program ends as a success though something was found, its exit status becomes
// that of LANEWISE_CHECK_EXIT_CODE, unless this is 0.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  CHECK_EXIT_CODE = 66,       // unless LANEWISE_CHECK_EXIT_CODE says otherwise
  CHECKS_TOLD_AT_ONCE = 10,   // of a launch; others are counted
  MOST_CHECKED_POINTERS = 4096, // more parameters than a kernel can have
  DOUBLED_ALIGNMENT = 16,
};
static const uint64_t UNKNOWN_SIZE = (uint64_t)1 << 62; // of memory that is in no allocation

// A kernel that is checked, or that can't be.
struct checked_kernel {
  const lw_image *image; // null once it is removed, and so is the next
  const lw_kernel_image *kernel;
  char *symbol;
  uint32_t num_places, num_pointers;
  bool doubles, is_refused;
  uint32_t *pointers; // numbers of parameters
  bool *are_local;
  unsigned char *told; // by place
  uint32_t faults;     // places that were
  struct checked_code *codes;
  struct checked_kernel *following;
};

struct checked_code {
  struct checked_kernel *of;
  uint32_t block[3];
  lw_code code;
  struct checked_code *following;
};

static struct {
  pthread_once_t once;
  atomic_bool wanted;
  const char *parts;
  long limit; // of faults that are described; below 0: none
  int exit_code;
  int exit_status; // of the program; -1: it hasn't ended by exit()
  pthread_mutex_t lock;
  struct checked_kernel *kernels;
  uint32_t places, described, kernels_at_fault, not_checked;
  bool failed; // no kernel can be checked
} checks = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .exit_status = -1};

// ---- The ends of programs, images and processes ------------------------------------------------------------------

static void keep_exit_status(int status, void *unused) {
  (void)unused;
  checks.exit_status = status;
}

__attribute__((destructor(101))) static void conclude_checks(void) {
  pthread_mutex_lock(&checks.lock);
  uint32_t places = checks.places, kernels = checks.kernels_at_fault, not_checked = checks.not_checked;
  bool failed = checks.failed;
  pthread_mutex_unlock(&checks.lock);
  if (places > 0)
    fprintf(stderr, "lanewise check: %u place%s at fault in %u kernel%s\n", places, places == 1 ? "" : "s", kernels,
            kernels == 1 ? "" : "s");
  if (not_checked > 0)
    fprintf(stderr, "lanewise check: %u kernel%s could not be checked\n", not_checked, not_checked == 1 ? "" : "s");
  if ((places > 0 || failed) && checks.exit_status == 0 && checks.exit_code != 0) {
    fflush(NULL);
    _exit(checks.exit_code);
  }
}

static void read_checks_wanted(void) {
  const char *text = getenv("LANEWISE_CHECK"), *code = getenv("LANEWISE_CHECK_EXIT_CODE");
  const char *limit = getenv("LANEWISE_CHECK_LIMIT");
  checks.parts = text;
  checks.wanted = text != NULL && *text != '\0' && strcmp(text, "0") != 0;
  if (!checks.wanted)
    return;
  char *end;
  long number = code != NULL ? strtol(code, &end, 10) : CHECK_EXIT_CODE;
  bool is_right = code == NULL || (*code != '\0' && *end == '\0' && number >= 0 && number <= 255);
  if (!is_right)
    fprintf(stderr, "lanewise: LANEWISE_CHECK_EXIT_CODE must be a number from 0 to 255, not '%s'\n", code);
  checks.exit_code = is_right ? (int)number : CHECK_EXIT_CODE;
  checks.limit = limit != NULL && *limit != '\0' ? strtol(limit, NULL, 10) : -1; // the service refuses a wrong one
  on_exit(keep_exit_status, NULL);
}

static bool wants_checks(void) {
  pthread_once(&checks.once, read_checks_wanted);
  return checks.wanted;
}

static void forget_checks_of(const lw_image *image) {
  pthread_mutex_lock(&checks.lock);
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following)
    if (each->image == image) {
      each->image = NULL;
      each->kernel = NULL; // another image may come to lie there
    }
  pthread_mutex_unlock(&checks.lock);
}

// The program's working folder, for a line of a request; the caller frees it. Null where memory is short.
static char *folder_of_program(void) {
  char *folder = getcwd(NULL, 0);
  if (folder != NULL && strchr(folder, '\n') == NULL)
    return folder;
  free(folder);
  return strdup("/");
}

// In the child of a fork, which counts what it finds itself.
static void leave_checks_of_parent(void) {
  pthread_mutex_init(&checks.lock, NULL);
  checks.places = checks.kernels_at_fault = checks.not_checked = 0;
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following) {
    each->faults = 0;
    if (each->told != NULL)
      memset(each->told, 0, each->num_places);
  }
}
