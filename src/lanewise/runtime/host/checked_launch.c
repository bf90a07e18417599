// SPDX-License-Identifier: Apache-2.0
// Launches of code with checks: the parameters that are added, and what is told afterwards.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An argument that points to memory: its value, the size of the array and the bytes of this before it.
struct pointed {
  uint64_t address, bytes, before;
};

// What a launch with checks has besides.
struct checked_launch {
  char *args; // with the parameters that are added
  uint64_t args_bytes;
  struct pointed *pointed;
  struct lw_checked_place *report;
};

static struct pointed pointed_by(const struct launch_work *work, uint32_t number, bool is_local) {
  uint64_t given = work->extents != NULL ? work->extents[number] : 0;
  uint64_t value;
  memcpy(&value, work->args + work->kernel->parameters[number].offset, sizeof value);
  if (is_local || value == 0 || given != 0)
    return (struct pointed){value, given, 0};
  const char *address = (const char *)(uintptr_t)value;
  const lw_allocation *found = allocation_at(address);
  if (found == NULL)
    found = allocation_at(address - 1); // one past the end
  if (found == NULL && was_freed(address))
    return (struct pointed){value, 0, 0};
  if (found == NULL)
    return (struct pointed){value, UNKNOWN_SIZE, UNKNOWN_SIZE / 2};
  return (struct pointed){value, found->bytes, (uint64_t)(address - (const char *)found->address)};
}

static void end_checked(struct checked_launch *launch) {
  free(launch->args);
  free(launch->pointed);
  free(launch->report);
}

// Prepares a launch; false where memory is short.
static bool begin_checked(const struct launch_work *work, struct checked_launch *made) {
  const struct checked_kernel *kernel = work->checked->of;
  size_t own = (work->kernel->args_bytes + 7) / 8 * 8, count = kernel->num_pointers;
  made->args_bytes = own + (2 * count + 2) * sizeof(uint64_t);
  made->args = calloc(1, made->args_bytes);
  made->pointed = calloc(count + 1, sizeof *made->pointed);
  made->report = calloc(kernel->num_places + 1, sizeof *made->report);
  if (made->args == NULL || made->pointed == NULL || made->report == NULL) {
    end_checked(made);
    return false;
  }
  memcpy(made->args, work->args, work->kernel->args_bytes);
  uint64_t *added = (uint64_t *)(made->args + own);
  pthread_rwlock_rdlock(&allocations.lock);
  for (size_t i = 0; i < count; ++i) {
    made->pointed[i] = pointed_by(work, kernel->pointers[i], kernel->are_local[i]);
    added[i] = made->pointed[i].bytes;
    added[count + i] = made->pointed[i].before;
  }
  pthread_rwlock_unlock(&allocations.lock);
  added[2 * count] = work->dynamic_shared;
  added[2 * count + 1] = (uintptr_t)made->report;
  return true;
}

// The places that were not told before; their number. Under the lock.
static uint32_t new_places(struct checked_kernel *kernel, const struct checked_launch *launch, uint64_t *places) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kernel->num_places; ++i)
    if (launch->report[i].count > 0 && !kernel->told[i]) {
      kernel->told[i] = 1;
      places[count++] = i;
    }
  return count;
}

// How many faults may be described now. Under the lock.
static long room_for_faults(void) {
  if (checks.limit < 0)
    return CHECKS_TOLD_AT_ONCE;
  return checks.limit > (long)checks.described ? checks.limit - (long)checks.described : 0;
}

// A request for the text of faults, as cuda/service/request.py reads it. The caller frees it.
static char *faults_request(const struct launch_work *work, const struct checked_launch *launch, const uint64_t *places,
                            uint32_t count, char **head, size_t *bytes) {
  const struct checked_kernel *kernel = work->checked->of;
  uint64_t ir_bytes = kernel->image->ir_bytes;
  size_t record = sizeof *places + sizeof *launch->report, pointed = kernel->num_pointers * sizeof *launch->pointed;
  *bytes = sizeof ir_bytes + ir_bytes + pointed + count * record;
  char *folder = folder_of_program(), *data = malloc(*bytes);
  size_t room = strlen(kernel->symbol) + strlen(LW_BUILD) + strlen(checks.parts) + 512 +
                (folder != NULL ? strlen(folder) : 0);
  *head = malloc(room);
  if (data == NULL || *head == NULL || folder == NULL) {
    free(folder);
    free(data);
    free(*head);
    return NULL;
  }
  const uint32_t *grid = work->grid, *block = work->block;
  snprintf(*head, room,
           "build %s\nfaults %s\nchecks %s\nterms %s\ngrid %u %u %u\nblock %u %u %u\ndynamic %u\nroom %ld\nfolder %s\n\n",
           LW_BUILD, kernel->symbol, checks.parts, work->flags & LW_OPENCL_LIMITS ? "opencl" : "cuda", grid[0], grid[1],
           grid[2], block[0], block[1], block[2], work->dynamic_shared, room_for_faults(), folder);
  free(folder);
  char *at = data;
  memcpy(at, &ir_bytes, sizeof ir_bytes);
  memcpy(at += sizeof ir_bytes, kernel->image->ir, ir_bytes);
  memcpy(at += ir_bytes, launch->pointed, pointed);
  at += pointed;
  for (uint32_t i = 0; i < count; ++i) {
    memcpy(at, &places[i], sizeof places[i]);
    memcpy(at + sizeof places[i], &launch->report[places[i]], sizeof *launch->report);
    at += record;
  }
  return data;
}

// Tells of the places that a launch has found at fault.
static void tell_faults(const struct launch_work *work, const struct checked_launch *launch) {
  struct checked_kernel *kernel = work->checked->of;
  uint64_t *places = malloc((kernel->num_places + 1) * sizeof *places);
  if (places == NULL)
    return;
  pthread_mutex_lock(&checks.lock);
  uint32_t count = kernel->image != NULL ? new_places(kernel, launch, places) : 0;
  if (count > 0) {
    char *head = NULL, *answer = NULL;
    size_t bytes;
    char *data = faults_request(work, launch, places, count, &head, &bytes);
    if (data != NULL)
      answer = ask_service(head, data, bytes);
    char *text = answer, *line = next_line(&text);
    unsigned told = count;
    if (line != NULL && sscanf(line, "told %u", &told) == 1)
      fputs(text, stderr);
    else
      fprintf(stderr, "lanewise check: kernel %s: %u place%s at fault, which can't be shown: %s\n", work->kernel->name,
              count, count == 1 ? "" : "s", line != NULL ? line : "the compile service doesn't answer");
    checks.kernels_at_fault += kernel->faults == 0 && told > 0;
    kernel->faults += told;
    checks.places += told;
    checks.described += told;
    if (data != NULL)
      free(head);
    free(data);
    free(answer);
  }
  pthread_mutex_unlock(&checks.lock);
  free(places);
}
