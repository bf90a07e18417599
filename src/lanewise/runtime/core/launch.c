// SPDX-License-Identifier: Apache-2.0
// A launch from start to release, as the host sees it.
#include "core.h"

#include <sched.h>
#include <string.h>

static const uint64_t SLICE_NS = 50000000; // after which the host may look after its signals

// A free slot; null where there is none until `deadline`.
static struct slot *acquire(lw_pool *pool, unsigned *index, uint64_t deadline) {
  do {
    for (*index = 0; *index < MAX_LAUNCHES; ++*index) {
      struct slot *slot = &pool->slots[*index];
      uintptr_t nobody = 0;
      if (!atomic_load_explicit(&slot->owner, memory_order_relaxed) &&
          atomic_compare_exchange_strong(&slot->owner, &nobody, (uintptr_t)pthread_self())) {
        unsigned used = atomic_load_explicit(&pool->used, memory_order_relaxed);
        while (used <= *index && !atomic_compare_exchange_weak(&pool->used, &used, *index + 1))
          continue;
        return slot;
      }
    }
    sched_yield();
  } while (now_ns() < deadline);
  return NULL;
}

// Where the slot keeps the last launch of a function, or that of another one which has taken its place. Functions begin at
// multiples of 16 bytes.
static struct past *past_of(struct slot *slot, lw_group_fn function) {
  return &slot->pasts[((uintptr_t)function >> 4 ^ (uintptr_t)function >> 12) % MAX_PASTS];
}

// The time that `total` work-groups of a function are likely to take: that of its last launch, in proportion. UINT64_MAX
// if that isn't known, or was long.
static uint64_t expected_ns(const struct past *past, lw_group_fn function, uint64_t total) {
  if (past->function != function || past->took_ns >= SLICE_NS || past->total == 0 || total > UINT32_MAX)
    return UINT64_MAX;
  return past->took_ns * total / past->total;
}

// Prepares the slot; false where memory is short.
static bool prepare(lw_pool *pool, struct slot *slot, const lw_request *request, const void *args) {
  slot->launch = (lw_launch){
      .services = &core_services,
      .grid = {request->grid[0], request->grid[1], request->grid[2]},
      .block = {request->block[0], request->block[1], request->block[2]},
      .dynamic_shared = request->dynamic_shared,
      .flags = request->flags,
  };
  slot->trial = request->flags & LW_COOPERATIVE ? NULL : request->trial;
  slot->arena_bytes = request->arena_bytes;
  uint64_t seconds_bytes = arena_of_second(slot);
  if (seconds_bytes > slot->arena_bytes)
    slot->arena_bytes = seconds_bytes;
  slot->args_bytes = request->args_bytes;
  uint64_t total = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
  slot->past = past_of(slot, request->function);
  slot->expected_ns = expected_ns(slot->past, request->function, total);
  *slot->past = (struct past){.function = request->function, .total = total, .took_ns = UINT64_MAX};
  slot->most_threads = request->flags >> LW_MOST_THREADS ? request->flags >> LW_MOST_THREADS : UINT32_MAX;
  slot->joinable = total > 1 && threads_of(pool, slot) > 1 &&
                   (request->flags & LW_COOPERATIVE || slot->expected_ns >= JOIN_NS);
  uint64_t now = now_ns();
  if (slot->joinable)
    rhythm_begin(pool, now);
  bool is_soon = now - slot->ended_ns < SPIN_NS || stays_awake(pool, now) || request->flags & LW_COOPERATIVE;
  slot->wakes = slot->expected_ns >= (is_soon ? JOIN_NS : WAKE_NS);
  slot->function = request->function;
  slot->total = total;
  slot->launch.stream_bytes = stream_bytes(total);
  slot->took_ns = 0;
  slot->status.kind = LW_OK;
  atomic_store_explicit(&slot->stop, 0, memory_order_relaxed);
  atomic_store_explicit(&slot->placed, 0, memory_order_relaxed);
  atomic_store(&slot->may_fail, atomic_load(&slot->serial)); // from here on another thread may write the status
  slot->round.began = 0;
  atomic_store_explicit(&slot->round.quiet_since, 0, memory_order_relaxed);
  if (!scratch_reserve(&slot->args, request->args_bytes))
    return false;
  slot->launch.args = memcpy(slot->args.data, args, request->args_bytes);
  if (request->flags & LW_COOPERATIVE)
    return crew_map(slot);
  struct runner *own = &slot->own;
  if (!scratch_reserve(&slot->arena, slot->arena_bytes))
    return false;
  if (own->stack.top == NULL && (own->stack = stack_map()).top == NULL)
    return false;
  own->arena = slot->arena.data;
  return true;
}

static void open_to_others(lw_pool *pool, struct slot *slot) {
  uint32_t threads = threads_of(pool, slot);
  if (slot->total > 1 && threads > 1)
    pool_open(pool, slot, threads);
}

// Works on a plain launch until this thread has nothing left to do, or `deadline`; whether it has nothing.
static bool run_own(lw_pool *pool, struct slot *slot, uint64_t start, uint64_t deadline) {
  struct runner *own = &slot->own;
  if (atomic_load(&slot->stop)) {
    if (own->left == AWAY)
      runner_tell_place(own);
    own->left = STOPPED;
  }
  if (own->left != AWAY)
    return true;
  if (!slot->wakes) {
    slot->wakes = true;
    own->deadline = start + WAKE_NS;
    if (runner_run(own) != AWAY)
      return true;
    open_to_others(pool, slot);
  }
  own->deadline = deadline;
  return runner_run(own) != AWAY;
}

// A launch that has written to slack has failed, unless it has done so otherwise.
static void report_changed_slack(struct slot *slot) {
  void *changed = check_slack(slot);
  if (changed != NULL && slot_fail(slot, LW_OVERRUN))
    slot->status.address = (uintptr_t)changed;
}

// Works on the launch until it has ended or a slice of time is over; whether it has ended.
static bool advance(lw_pool *pool, struct slot *slot) {
  uint64_t start = now_ns(), deadline = start + SLICE_NS;
  atomic_store(&slot->deadline, deadline);
  if (atomic_load(&watch) != WATCH_AWAKE)
    watch_rouse();
  bool ran = slot->crew.memory != NULL ? run_crew(slot, &slot->turns, deadline) : run_own(pool, slot, start, deadline);
  atomic_store_explicit(&slot->deadline, 0, memory_order_relaxed);
  bool ended = ran && pool_close(pool, slot, deadline);
  slot->ended_ns = now_ns();
  slot->took_ns += slot->ended_ns - start;
  if (slot->joinable)
    rhythm_end(pool, slot->ended_ns, slot->took_ns);
  if (ended) {
    slot->past->took_ns = slot->took_ns;
    report_changed_slack(slot);
    slot_settle(slot);
  }
  return ended;
}

static int64_t number(struct slot *slot, unsigned index) {
  return (int64_t)atomic_load(&slot->serial) * MAX_LAUNCHES + index;
}

// The slot of launch `id`; null where that launch was released.
static struct slot *find(lw_pool *pool, int64_t id) {
  struct slot *slot = &pool->slots[id % MAX_LAUNCHES];
  return atomic_load(&slot->owner) && number(slot, (unsigned)(id % MAX_LAUNCHES)) == id ? slot : NULL;
}

int64_t lw_start(lw_pool *pool, const lw_request *request, const void *args) {
  if (!thread_is_ready)
    prepare_thread();
  unsigned index;
  struct slot *slot = acquire(pool, &index, now_ns() + SLICE_NS);
  if (slot == NULL)
    return -1;
  atomic_store_explicit(&slot->owner_id, thread_id, memory_order_relaxed);
  if (atomic_fetch_add(&slot->serial, 1) == UINT32_MAX)
    atomic_store(&slot->serial, 1); // no launch has the number 0
  if (!prepare(pool, slot, request, args)) {
    slot_fail(slot, LW_OUT_OF_MEMORY);
    slot_settle(slot);
    return number(slot, index);
  }
  uint32_t threads = threads_of(pool, slot);
  share_out(slot, threads);
  if (slot->crew.memory == NULL)
    begin_groups(&slot->own, slot, threads, 0, 0);
  if (slot->joinable)
    open_to_others(pool, slot);
  if (!advance(pool, slot) || slot->status.kind != LW_OK || slot->output.size > 0)
    return number(slot, index);
  crew_unmap(slot);
  atomic_store(&slot->owner, 0);
  return 0;
}

int32_t lw_resume(lw_pool *pool, int64_t id, uint64_t patience) {
  struct slot *slot = find(pool, id);
  if (slot == NULL || advance(pool, slot))
    return 1;
  if (!atomic_load(&slot->stop))
    end_if_stuck(pool, slot, patience);
  return 0;
}

int32_t lw_replace_code(lw_pool *pool, int64_t id, lw_group_fn function, uint64_t arena_bytes) {
  struct slot *slot = find(pool, id);
  if (slot == NULL || slot->crew.memory != NULL || arena_bytes > slot->arena_bytes)
    return 0;
  atomic_store(&slot->function, function);
  return 1;
}

void lw_cancel(lw_pool *pool, int64_t id) {
  if (id != 0) {
    launch_fail(&pool->slots[id % MAX_LAUNCHES], (uint64_t)id / MAX_LAUNCHES, LW_CANCELLED);
    return;
  }
  for (unsigned index = 0; index < MAX_LAUNCHES; ++index)
    slot_fail(&pool->slots[index], LW_CANCELLED);
}

void lw_status_of(lw_pool *pool, int64_t id, lw_status *status) {
  struct slot *slot = find(pool, id);
  *status = slot == NULL                   ? (lw_status){.kind = LW_CANCELLED}
            : slot->status.kind != LW_OK ? slot->status
                                         : (lw_status){.kind = LW_OK}; // an earlier launch may have left the rest
  status->output_bytes = slot != NULL ? slot->output.size : 0;
}

void lw_take_output(lw_pool *pool, int64_t id, char *destination) {
  struct slot *slot = find(pool, id);
  if (slot != NULL && slot->output.size > 0)
    memcpy(destination, slot->output.data, slot->output.size);
}

static void release(struct slot *slot) {
  slot_settle(slot);
  crew_unmap(slot);
  output_clear(&slot->output);
  atomic_store(&slot->owner, 0);
}

void lw_release(lw_pool *pool, int64_t id) {
  struct slot *slot = find(pool, id);
  if (slot != NULL)
    release(slot);
}

void lw_abandon(lw_pool *pool) {
  for (unsigned index = 0; index < MAX_LAUNCHES; ++index) {
    struct slot *slot = &pool->slots[index];
    if (atomic_load(&slot->owner) != (uintptr_t)pthread_self())
      continue;
    slot_fail(slot, LW_CANCELLED);
    pool_close(pool, slot, UINT64_MAX);
    release(slot);
  }
}
