// SPDX-License-Identifier: Apache-2.0
// Launches: checked when they are added, and run.
//
// Limits are CUDA's for compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications").
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_THREADS_OF_BLOCK = 1024,
  MAX_BLOCK_Z = 64,
  MAX_GRID_YZ = 65535,
  MAX_WORK_ITEMS = 8192, // of OpenCL's launches
  MAX_SHARED_BYTES = 227 << 10,
};
static const uint64_t SMALL_GRID_ITEMS = (uint64_t)1 << 31;

static atomic_int host_pointers_allowed;
static lw_failure_hook _Atomic failure_hook;
static lw_failure_hook _Atomic stray_hook;

void lw_allow_host_pointers(int32_t allow) { atomic_store(&host_pointers_allowed, allow); }

void lw_set_failure_hook(lw_failure_hook hook) { atomic_store(&failure_hook, hook); }

void lw_set_stray_hook(lw_failure_hook hook) { atomic_store(&stray_hook, hook); }

static int32_t check_geometry(const lw_kernel_launch *launch) {
  const uint32_t *grid = launch->grid, *block = launch->block;
  const char *name = launch->kernel->name;
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  bool is_opencl = launch->flags & LW_OPENCL_LIMITS;
  uint32_t most_threads = is_opencl ? MAX_WORK_ITEMS : MAX_THREADS_OF_BLOCK;
  uint32_t most_z = is_opencl ? MAX_WORK_ITEMS : MAX_BLOCK_Z;
  uint32_t most_yz = is_opencl ? INT32_MAX : MAX_GRID_YZ;
  if (threads == 0 || block[0] > most_threads || block[1] > most_threads || block[2] > most_z || threads > most_threads)
    return explain(LW_BAD_GEOMETRY, "kernel %s: a block of (%u, %u, %u); it has 1 to %d threads, at most %d along z",
                   name, block[0], block[1], block[2], most_threads, most_z);
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0 || grid[0] > INT32_MAX || grid[1] > most_yz || grid[2] > most_yz)
    return explain(LW_BAD_GEOMETRY, "kernel %s: a grid of (%u, %u, %u); it has 1 to (2147483647, %u, %u) blocks", name,
                   grid[0], grid[1], grid[2], most_yz, most_yz);
  uint32_t most = launch->kernel->max_threads;
  if (most != 0 && threads > most)
    return explain(LW_BAD_GEOMETRY, "kernel %s: a block of %llu threads; its __launch_bounds__ allow %u", name,
                   (unsigned long long)threads, most);
  if ((uint64_t)launch->dynamic_shared + launch->kernel->shared_bytes > MAX_SHARED_BYTES)
    return explain(LW_BAD_GEOMETRY, "kernel %s: %u bytes of static and %u of dynamic shared memory; a block has %d",
                   name, launch->kernel->shared_bytes, launch->dynamic_shared, MAX_SHARED_BYTES);
  return LW_SUCCESS;
}

static const char *pointer_in(const lw_kernel_launch *launch, const lw_parameter *parameter) {
  const char *pointer;
  memcpy(&pointer, (const char *)launch->args + parameter->offset, sizeof pointer);
  return pointer;
}

enum { MOST_POINTERS = 64 }; // that are compared: kernels with more run code that assumes nothing of them

// The allocation of each pointer argument, by the number of its parameter; null where there is none.
struct pointers {
  const void *allocation[MOST_POINTERS];
};

static int32_t check_pointers(const lw_kernel_launch *launch, struct pointers *found) {
  const lw_kernel_image *kernel = launch->kernel;
  bool allowed = atomic_load_explicit(&host_pointers_allowed, memory_order_relaxed) != 0;
  bool checks_freed = wants_checks();
  pthread_rwlock_rdlock(&allocations.lock);
  int32_t result = LW_SUCCESS;
  for (uint32_t i = 0; i < kernel->num_parameters; ++i) {
    const lw_parameter *parameter = &kernel->parameters[i];
    if (i < MOST_POINTERS)
      found->allocation[i] = NULL;
    if (parameter->kind != LW_POINTER)
      continue;
    const char *pointer = pointer_in(launch, parameter);
    const lw_allocation *allocation = pointer != NULL ? allocation_at(pointer) : NULL;
    // One past the end is a pointer, too: an empty range at the end of an array.
    if (pointer != NULL && allocation == NULL)
      allocation = allocation_at(pointer - 1);
    bool is_told = checks_freed && was_freed(pointer); // access by access
    if (pointer != NULL && allocation == NULL && !allowed && !is_told && result == LW_SUCCESS)
      result = explain(LW_BAD_POINTER, "kernel %s: argument %u%s%s, %p, is in %s", kernel->name, i + 1,
                       *parameter->name != '\0' ? ", " : "", parameter->name, (const void *)pointer,
                       was_freed(pointer) ? "memory that has been freed" : "no memory of the device");
    if (i < MOST_POINTERS)
      found->allocation[i] = allocation != NULL ? allocation->address : NULL;
  }
  pthread_rwlock_unlock(&allocations.lock);
  return result;
}

static bool are_apart(const lw_kernel_image *kernel, const lw_kernel_launch *launch, const lw_code *code,
                      const struct pointers *found) {
  if (code->num_apart > 0 && kernel->num_parameters > MOST_POINTERS)
    return false;
  for (uint32_t i = 0; i < code->num_apart; ++i) {
    uint32_t number = code->apart[i];
    const lw_parameter *written = &kernel->parameters[number];
    if (written->kind != LW_POINTER || pointer_in(launch, written) == NULL)
      continue;
    for (uint32_t other = 0; other < kernel->num_parameters; ++other) {
      const lw_parameter *parameter = &kernel->parameters[other];
      if (other == number || parameter->kind != LW_POINTER || pointer_in(launch, parameter) == NULL)
        continue;
      if (found->allocation[number] == NULL || found->allocation[other] == NULL ||
          found->allocation[number] == found->allocation[other])
        return false;
    }
  }
  return true;
}

static bool has_small_grid(const lw_kernel_launch *launch) {
  for (int axis = 0; axis < 3; ++axis)
    if ((uint64_t)launch->grid[axis] * launch->block[axis] >= SMALL_GRID_ITEMS)
      return false;
  return launch->grid[1] <= MAX_GRID_YZ && launch->grid[2] <= MAX_GRID_YZ;
}

static bool meets_conditions(const lw_kernel_launch *launch, const lw_code *code, const struct pointers *found) {
  bool fits = code->block[0] == 0 || memcmp(code->block, launch->block, sizeof code->block) == 0;
  return fits && (!(code->flags & LW_CODE_SMALL_GRID) || has_small_grid(launch)) &&
         are_apart(launch->kernel, launch, code, found);
}

// The first code whose conditions the launch meets; null for none.
static const lw_code *code_for(const lw_kernel_launch *launch, const struct pointers *found) {
  const lw_kernel_image *kernel = launch->kernel;
  for (uint32_t i = 0; i < kernel->num_codes; ++i)
    if (meets_conditions(launch, &kernel->codes[i], found))
      return &kernel->codes[i];
  return NULL;
}

// Work for a launch, in `made`, if that is as it should be.
static int32_t make_launch(const lw_kernel_launch *launch, struct work **made) {
  const lw_kernel_image *kernel = launch->kernel;
  if (kernel->refusal != NULL)
    return explain(LW_NO_KERNEL, "%s", kernel->refusal);
  int32_t result = check_processor(kernel);
  if (result == LW_SUCCESS)
    result = check_geometry(launch);
  struct pointers found;
  if (result == LW_SUCCESS)
    result = check_pointers(launch, &found);
  if (result != LW_SUCCESS)
    return result;
  const struct checked_code *checked = checked_code_of(launch);
  const lw_code *code = checked != NULL ? &checked->code : code_for(launch, &found);
  if (code == NULL)
    return explain(LW_NO_KERNEL, "kernel %s has no machine code for a block of (%u, %u, %u)", kernel->name,
                   launch->block[0], launch->block[1], launch->block[2]);
  struct tier *tier = checked == NULL ? tier_of(launch, code) : NULL;
  const lw_code *own = tier != NULL ? code_of_tier(tier) : NULL;
  if (own != NULL && meets_conditions(launch, own, &found))
    code = own;
  uint32_t dynamic = launch->dynamic_shared + (checked != NULL ? doubled_bytes(checked, launch->dynamic_shared) : 0);
  uint64_t arena = arena_bytes(code, launch->block, dynamic);
  if (arena > MAX_ARENA_BYTES)
    return explain(LW_BAD_GEOMETRY, "kernel %s: a block needs %llu MiB for its private arrays and shared memory",
                   kernel->name, (unsigned long long)arena >> 20);
  if (launch->flags & LW_COOPERATIVE) {
    uint64_t groups = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (groups > LW_CREW_BYTES / (LW_CREW_STACK_BYTES + arena))
      return explain(LW_BAD_GEOMETRY, "kernel %s: %llu blocks of a cooperative launch are too many at once",
                     kernel->name, (unsigned long long)groups);
  }
  log_launch(launch, code);
  size_t args_bytes = (kernel->args_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
  bool keeps_extents = checked != NULL && launch->extents != NULL;
  size_t extents_bytes = keeps_extents ? kernel->num_parameters * sizeof(uint64_t) : 0;
  struct work *work = work_make(WORK_LAUNCH, args_bytes + extents_bytes);
  if (work == NULL)
    return LW_NO_MEMORY;
  struct launch_work *to = &work->launch;
  to->kernel = kernel;
  to->code = code;
  to->tier = tier;
  to->checked = checked;
  to->extents = NULL;
  memcpy(to->grid, launch->grid, sizeof to->grid);
  memcpy(to->block, launch->block, sizeof to->block);
  to->dynamic_shared = launch->dynamic_shared;
  to->flags = launch->flags;
  to->args = (char *)(work + 1);
  if (kernel->args_bytes > 0)
    memcpy(to->args, launch->args, kernel->args_bytes);
  if (keeps_extents)
    to->extents = memcpy(to->args + args_bytes, launch->extents, extents_bytes);
  *made = work;
  return LW_SUCCESS;
}

// Keeps what the launch has printed.
static void take_printed(lw_pool *pool, int64_t id, uint64_t bytes) {
  if (bytes == 0)
    return;
  pthread_mutex_lock(&printed.lock);
  char *place = room_for_printed(bytes);
  if (place != NULL) {
    lw_take_output(pool, id, place);
    printed.size += bytes;
  }
  pthread_mutex_unlock(&printed.lock);
}

static lw_kernel_launch launch_of(const struct launch_work *work) {
  lw_kernel_launch launch = {.kernel = work->kernel, .args = work->args, .dynamic_shared = work->dynamic_shared,
                             .flags = work->flags};
  memcpy(launch.grid, work->grid, sizeof launch.grid);
  memcpy(launch.block, work->block, sizeof launch.block);
  return launch;
}

static int32_t fail_launch(struct lw_queue *queue, const struct launch_work *work, const lw_status *status,
                           struct failure *failure) {
  failure->kernel = work->kernel->name;
  failure->status = malloc(sizeof *status);
  if (failure->status != NULL)
    *failure->status = *status;
  lw_failure_hook hook = atomic_load(&failure_hook);
  if (hook != NULL) {
    lw_kernel_launch launch = launch_of(work);
    hook(queue, &launch, status);
  }
  return LW_LAUNCH_FAILED;
}

// Says that a launch has accessed memory beside an array, at `address`; null: it has not.
static void report_stray(struct lw_queue *queue, const struct launch_work *work, void *address, uint32_t access) {
  lw_failure_hook hook = atomic_load(&stray_hook);
  if (address == NULL || hook == NULL)
    return;
  lw_kernel_launch launch = {.kernel = work->kernel, .args = work->args};
  lw_status status = {.kind = LW_OK, .address = (uintptr_t)address, .access = access};
  hook(queue, &launch, &status);
  const char *name = access == LW_WRITE ? "write" : "read";
  char text[256];
  snprintf(text, sizeof text, "kernel %s: a %s beside an array, by a pointer that checks don't follow", work->kernel->name,
           name);
  struct host_fault fault = {
      .rule = "out-of-bounds", .kind = "out of bounds", .kernel = work->kernel->name, .access = name, .times = 1};
  find_host_fault(&fault, text);
}

// The place in the source, if a line table tells it: that of the instruction, or of the call that brought it on.
static void add_place(lw_status *status) {
  if (status->known & LW_KNOWS_PLACE)
    return;
  if (source_line(status->instruction, status->file, sizeof status->file, &status->line) ||
      source_line(status->caller - (status->caller != 0), status->file, sizeof status->file, &status->line))
    status->known |= LW_KNOWS_PLACE;
}

// The code of work, or what was made for its block size since: a graph's launches are added once and run often.
static const lw_code *present_code(const struct launch_work *work) {
  const lw_code *own = work->tier != NULL ? code_of_tier(work->tier) : NULL;
  if (own == NULL || own == work->code || work->flags & LW_COOPERATIVE ||
      arena_bytes(own, work->block, work->dynamic_shared) > MAX_ARENA_BYTES)
    return work->code;
  lw_kernel_launch launch = launch_of(work);
  struct pointers found;
  check_pointers(&launch, &found); // which it has passed before
  return meets_conditions(&launch, own, &found) ? own : work->code;
}

// More of an arena than general code needs, for the code that may come in its place while it runs.
static uint64_t room_for_new_code(uint64_t arena) {
  enum { LEAST = 4096 };
  return (arena + arena / 4 + LEAST) / ARENA_UNIT * ARENA_UNIT;
}

// Runs the rest of a launch by the code for its block size, if that is there by now; whether it does. Not if work-groups
// could tell: programs expect that all of a launch round alike.
static bool go_on_by_new_code(lw_pool *pool, int64_t id, const struct launch_work *work) {
  const lw_code *own = present_code(work);
  if (own == work->code || (own->flags ^ work->code->flags) & LW_CODE_FLUSH_DENORMALS || own->flags & LW_CODE_INEXACT)
    return false;
  return lw_replace_code(pool, id, own->function, arena_bytes(own, work->block, work->dynamic_shared));
}

static int32_t run_launch(struct lw_queue *queue, const struct launch_work *work, struct failure *failure) {
  lw_pool *pool = pool_of_all();
  lw_status status = {.kind = LW_OUT_OF_MEMORY};
  if (pool == NULL)
    return fail_launch(queue, work, &status, failure);
  const lw_code *code = present_code(work);
  struct checked_launch checked;
  if (work->checked != NULL && !begin_checked(work, &checked))
    return fail_launch(queue, work, &status, failure);
  uint32_t dynamic = work->dynamic_shared + (work->checked != NULL ? doubled_bytes(work->checked, work->dynamic_shared) : 0);
  const char *args = work->checked != NULL ? checked.args : work->args;
  lw_request request = {
      .function = code->function,
      .arena_bytes = arena_bytes(code, work->block, dynamic),
      .args_bytes = work->checked != NULL ? checked.args_bytes : work->kernel->args_bytes,
      .dynamic_shared = work->dynamic_shared,
      .flags = (work->flags & (LW_COOPERATIVE | LW_ALONG_Y | ~0u << LW_MOST_THREADS)) | (code->flags & LW_CODE_FLUSH_DENORMALS ? LW_FLUSH_DENORMALS : 0),
      .trial = trial_of(work->tier, code),
  };
  memcpy(request.grid, work->grid, sizeof request.grid);
  memcpy(request.block, work->block, sizeof request.block);
  int64_t id;
  struct tier *tier = is_for_any_size(code) ? work->tier : NULL;
  if (tier != NULL)
    request.arena_bytes = room_for_new_code(request.arena_bytes);
  uint64_t began = tier != NULL ? now_ns() : 0;
  while ((id = lw_start(pool, &request, args)) < 0)
    continue;
  while (id > 0 && !lw_resume(pool, id, shared.patience)) {
    if (request.trial != NULL)
      look_at_trial(work->tier);
    if (tier == NULL)
      continue;
    uint64_t now = now_ns();
    spend_in_tier(tier, now - began);
    began = now;
    if (go_on_by_new_code(pool, id, work)) {
      log_change(tier);
      tier = NULL;
    }
  }
  if (request.trial != NULL)
    look_at_trial(work->tier);
  if (work->checked != NULL) {
    tell_faults(work, &checked);
    end_checked(&checked);
  }
  if (id == 0) {
    if (tier != NULL)
      spend_in_tier(tier, now_ns() - began);
    report_stray(queue, work, lw_tolerated_read(), LW_READ);
    return LW_SUCCESS;
  }
  if (tier != NULL)
    spend_in_tier(tier, now_ns() - began);
  lw_status_of(pool, id, &status);
  take_printed(pool, id, status.output_bytes);
  lw_release(pool, id);
  report_stray(queue, work, lw_tolerated_read(), LW_READ);
  if (status.kind == LW_OVERRUN && atomic_load(&strays_tolerated)) {
    report_stray(queue, work, (void *)(uintptr_t)status.address, LW_WRITE);
    return LW_SUCCESS;
  }
  if (status.kind == LW_OK)
    return LW_SUCCESS;
  add_place(&status);
  return fail_launch(queue, work, &status, failure);
}
