// SPDX-License-Identifier: Apache-2.0
// What LANEWISE_LOG=1 tells of launches: by which code each kernel runs, once for each block size.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOGGED = 256 };

static struct {
  pthread_once_t once;
  bool wanted;
  pthread_mutex_t lock;
  struct logged_launch {
    const lw_code *code;
    uint32_t block[3];
  } all[MOST_LOGGED];
  size_t count;
} launch_log = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static void read_log_wanted(void) {
  const char *text = getenv("LANEWISE_LOG");
  launch_log.wanted = text != NULL && *text != '\0' && strcmp(text, "0") != 0;
}

// True the first time; false, too, when there are too many to keep.
static bool is_new_launch(const lw_code *code, const uint32_t block[3]) {
  bool known = false;
  pthread_mutex_lock(&launch_log.lock);
  for (size_t i = 0; i < launch_log.count && !known; ++i)
    known = launch_log.all[i].code == code && memcmp(launch_log.all[i].block, block, sizeof(uint32_t[3])) == 0;
  bool is_new = !known && launch_log.count < MOST_LOGGED;
  if (is_new) {
    struct logged_launch *added = &launch_log.all[launch_log.count++];
    added->code = code;
    memcpy(added->block, block, sizeof added->block);
  }
  pthread_mutex_unlock(&launch_log.lock);
  return is_new;
}

static bool wants_log(void) {
  pthread_once(&launch_log.once, read_log_wanted);
  return launch_log.wanted;
}

// Whether code is that for launches which don't meet what the kernel's other code assumes.
static bool assumes_nothing(const lw_kernel_image *kernel, const lw_code *code) {
  const lw_code *last = &kernel->codes[kernel->num_codes - 1];
  return code == last && code->num_apart == 0 && !(code->flags & LW_CODE_SMALL_GRID) && code > kernel->codes &&
         (last[-1].num_apart > 0 || last[-1].flags & LW_CODE_SMALL_GRID);
}

static void log_launch(const lw_kernel_launch *launch, const lw_code *code) {
  if (!wants_log() || !is_new_launch(code, launch->block))
    return;
  fprintf(stderr, "lanewise: kernel %s, blocks of (%u, %u, %u): code for %s block size%s\n", launch->kernel->name,
          launch->block[0], launch->block[1], launch->block[2], code->block[0] > 0 ? "this" : "any",
          assumes_nothing(launch->kernel, code) ? ", since arguments share an array or the grid is large" : "");
}
