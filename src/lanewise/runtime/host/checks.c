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
static const uint64_t MOST_KEPT_FREED_BYTES = 256 << 20;
static const uint64_t UNKNOWN_SIZE = (uint64_t)1 << 62; // of memory that is in no allocation

// A kernel that is checked, or that can't be.
struct checked_kernel {
  const lw_image *image; // null once it is removed, until it is loaded again, and so is the next
  const lw_kernel_image *kernel;
  uint64_t ir_hash[2], ir_bytes;
  char *symbol;
  uint32_t num_places, num_pointers;
  bool doubles, is_refused, is_counted; // among those that could not be checked
  uint32_t *pointers; // numbers of parameters
  bool *are_local;
  unsigned char *told; // by place; that of `like`, if it has one
  uint32_t faults;     // places that were
  struct checked_code *codes;
  const struct checked_kernel *like; // of the same code in another image; null: none was known
  struct checked_kernel *following;
};

struct checked_code {
  struct checked_kernel *of;
  uint32_t block[3];
  lw_code code; // without a function: it could not be loaded
  void **table; // of addresses in the image
  char *names;  // a line for each, with a NUL after it
  uint32_t num_names;
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
  uint32_t host_faults;
  bool failed; // no kernel can be checked
  bool is_of_fork; // memory that is allocated may be the parent's, so leaks aren't told
} checks = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .exit_status = -1};

// ---- The ends of programs, images and processes ------------------------------------------------------------------

static bool is_to_fail(void) {
  bool found = checks.places > 0 || checks.host_faults > 0 || checks.failed;
  return found && checks.exit_status == 0 && checks.exit_code != 0;
}

// Launches that still run are awaited, since what they find is told when they end. A call of exit() by one of its
// handlers changes the status, and the C library goes on with the handlers that are left.
static void keep_exit_status(int status, void *unused) {
  (void)unused;
  checks.exit_status = status;
  lw_synchronize();
  if (is_to_fail()) {
    checks.exit_status = checks.exit_code;
    exit(checks.exit_code);
  }
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// Blanks around names of checks, which don't count.
static const char blanks[] = " \t\r\n\v\f";

// Whether a check is among those that are wanted: as config.py has it, names are separated by commas.
static bool has_part(const char *name) {
  size_t length = strlen(name);
  const char *at = checks.parts;
  while (at != NULL) {
    at += strspn(at, blanks);
    bool same = strncmp(at, name, length) == 0;
    const char *end = at + (same ? length + strspn(at + length, blanks) : 0);
    if (same && (*end == ',' || *end == '\0'))
      return true;
    at = strchr(at, ',');
    at = at != NULL ? at + 1 : NULL;
  }
  return false;
}

// No kernel can be checked, or a setting can't be; said once.
static void fail_checks(const char *reason) {
  fprintf(stderr, "lanewise: %s\n", reason);
  checks.failed = true;
}

// A fault that is at no place of a source.
struct host_fault {
  const char *rule, *kind, *kernel, *access;
  uint64_t bytes, times;
};

static char *suppression_of(const struct host_fault *fault); // check_suppressions.c
static void report_fault(const struct host_fault *fault, const char *what, const char *suppressed); // check_report.c

// Tells of a fault, unless it is suppressed. Under the lock.
static void tell_host_fault(const struct host_fault *fault, const char *what) {
  char *suppression = suppression_of(fault);
  if (suppression == NULL) {
    fprintf(stderr, "lanewise check: %s\n", what);
    ++checks.host_faults;
  }
  report_fault(fault, what, suppression != NULL ? suppression : "");
  free(suppression);
}

static void add_leak(const char *one, const char *of, uint64_t count, uint64_t bytes) {
  char text[256];
  if (count == 0)
    return;
  snprintf(text, sizeof text, "leak: %llu %s%s of %s, %llu bytes, never freed", (unsigned long long)count, one,
           plural(count), of, (unsigned long long)bytes);
  struct host_fault leak = {.rule = "leak", .kind = "leak", .kernel = "", .access = "", .bytes = bytes, .times = count};
  tell_host_fault(&leak, text);
}

// Tells what was allocated and is not freed.
static void tell_leaks(void) {
  static const char *const names[] = {[LW_DEVICE_MEMORY] = "device memory", [LW_HOST_MEMORY] = "host memory",
                                      [LW_MANAGED_MEMORY] = "managed memory"};
  uint64_t counts[LW_GPU_MEMORY + 1] = {0}, bytes[LW_GPU_MEMORY + 1] = {0};
  pthread_rwlock_rdlock(&allocations.lock);
  for (size_t i = 0; i < allocations.count; ++i) {
    const lw_allocation *each = &allocations.all[i];
    counts[each->kind] += is_allocated(each->kind) && (each->flags & LW_ADOPTED) == 0;
    bytes[each->kind] += each->bytes;
  }
  pthread_rwlock_unlock(&allocations.lock);
  for (uint32_t kind = LW_DEVICE_MEMORY; kind <= LW_MANAGED_MEMORY; ++kind)
    add_leak("allocation", names[kind], counts[kind], bytes[kind]);
  add_leak("block", "malloc() in kernels", atomic_load(&heap_blocks), atomic_load(&heap_bytes));
}

__attribute__((destructor(101))) static void conclude_checks(void) {
  if (!checks.wanted)
    return;
  pthread_mutex_lock(&checks.lock);
  if (has_part("leaks") && checks.exit_status >= 0 && !checks.is_of_fork)
    tell_leaks();
  uint32_t places = checks.places, kernels = checks.kernels_at_fault, not_checked = checks.not_checked;
  bool fails = is_to_fail();
  pthread_mutex_unlock(&checks.lock);
  if (places > 0)
    fprintf(stderr, "lanewise check: %u place%s at fault in %u kernel%s\n", places, plural(places), kernels,
            plural(kernels));
  if (not_checked > 0)
    fprintf(stderr, "lanewise check: %u kernel%s could not be checked\n", not_checked, plural(not_checked));
  if (fails) { // by what was found since exit(), such as leaks
    fflush(NULL);
    _exit(checks.exit_code);
  }
}

// Whether a text names checks: as config.py has it, blanks around it don't count.
static bool names_checks(const char *text) {
  text += strspn(text, blanks);
  return *text != '\0' && (*text != '0' || text[1 + strspn(text + 1, blanks)] != '\0');
}

static void read_checks_wanted(void) {
  const char *text = getenv("LANEWISE_CHECK"), *code = getenv("LANEWISE_CHECK_EXIT_CODE");
  const char *limit = getenv("LANEWISE_CHECK_LIMIT");
  checks.parts = text;
  checks.wanted = text != NULL && names_checks(text);
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

// Tells of a fault that the checks of memory find.
static void find_host_fault(const struct host_fault *fault, const char *what) {
  if (!wants_checks() || !(has_part("1") || has_part("memory")))
    return;
  pthread_mutex_lock(&checks.lock);
  tell_host_fault(fault, what);
  pthread_mutex_unlock(&checks.lock);
}

void lw_check_found(const char *rule, const char *what) {
  struct host_fault fault = {.rule = rule, .kind = rule, .kernel = "", .access = "", .times = 1};
  find_host_fault(&fault, what);
}

// Memory that was freed lately, the oldest first, so that no other array comes to lie there.
static struct {
  pthread_mutex_t lock;
  void *memory[FREED_KNOWN];
  uint64_t bytes[FREED_KNOWN], total;
  size_t first, count;
} kept_freed = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Gives memory back later; false for more than is kept at all.
static bool keep_freed(void *memory, uint64_t bytes) {
  if (bytes > MOST_KEPT_FREED_BYTES)
    return false;
  pthread_mutex_lock(&kept_freed.lock);
  while (kept_freed.count == FREED_KNOWN || (kept_freed.count > 0 && kept_freed.total + bytes > MOST_KEPT_FREED_BYTES)) {
    lw_free(kept_freed.memory[kept_freed.first]);
    kept_freed.total -= kept_freed.bytes[kept_freed.first];
    kept_freed.first = (kept_freed.first + 1) % FREED_KNOWN;
    --kept_freed.count;
  }
  size_t place = (kept_freed.first + kept_freed.count++) % FREED_KNOWN;
  kept_freed.memory[place] = memory;
  kept_freed.bytes[place] = bytes;
  guarded_keep_freed(memory);
  kept_freed.total += bytes;
  pthread_mutex_unlock(&kept_freed.lock);
  return true;
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
  pthread_mutex_init(&kept_freed.lock, NULL);
  checks.is_of_fork = true;
  checks.places = checks.kernels_at_fault = checks.not_checked = checks.host_faults = 0;
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following) {
    each->faults = 0;
    if (each->told != NULL)
      memset(each->told, 0, each->num_places);
  }
}
