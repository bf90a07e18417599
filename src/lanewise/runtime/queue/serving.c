// SPDX-License-Identifier: Apache-2.0
// Served queues: given work, served, asked.
#include "queue.h"
#include "served.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t IDLE_NS = 20000000; // after which the owner hears of what has ended

// glibc keeps pthread_atfork itself in a static library.
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);

static void follow_forks(void) { __register_atfork(lock_order, unlock_order, forget_queues, NULL); }

lw_queue *lw_served_create(uint32_t flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, follow_forks);
  return queue_make((flags & LW_NON_BLOCKING) | (flags & LW_SERVED_ORIGIN ? QUEUE_ORIGIN : 0));
}

void lw_served_close(lw_queue *queue) {
  lock_order();
  queue->destroyed = true;
  unlock_order();
  rouse(queue);
}

void lw_served_release(lw_queue *queue) {
  lock_order();
  unlink_queue(queue);
  unlock_order();
  queue_release(queue);
}

// ---- Work --------------------------------------------------------------------------------------------------------

static void free_payload(struct work *work) {
  if (work->kind == WORK_NOTHING && work->mark != NULL)
    mark_release(work->mark);
}

// Adds work, which it takes over; its number, or 0.
static uint64_t post(struct lw_queue *queue, struct work *work) {
  if (work == NULL)
    return 0;
  lock_order();
  uint64_t number = append_work(queue, work) ? work->number : 0;
  unlock_order();
  if (number != 0)
    rouse(queue);
  else
    work_free(work);
  return number;
}

static struct work *make_external(uint64_t token) {
  struct work *work = work_make(WORK_EXTERNAL, 0);
  if (work != NULL)
    work->token = token;
  return work;
}

static struct work *make_request(uint64_t token, const lw_core *core, const lw_request *request, const void *args) {
  struct work *work = work_make(WORK_REQUEST, request->args_bytes);
  if (work == NULL)
    return NULL;
  work->token = token;
  work->request = (struct request_work){core, *request, memcpy(work + 1, args, request->args_bytes)};
  return work;
}

uint64_t lw_served_post(lw_queue *queue, uint64_t token) { return post(queue, make_external(token)); }

uint64_t lw_served_post_request(lw_queue *queue, uint64_t token, const lw_core *core, const lw_request *request,
                                const void *args) {
  return post(queue, make_request(token, core, request, args));
}

uint64_t lw_served_wait(lw_queue *queue, lw_mark *mark, int32_t order_only) {
  struct work *work = work_make(WORK_NOTHING, 0);
  if (work == NULL)
    return 0;
  if (!order_only) {
    atomic_fetch_add(&mark->users, 1);
    work->mark = mark;
  }
  struct lw_queue *other = mark->place.queue;
  if (other != NULL && other != queue && !work_after(work, other, mark->place.number, true)) {
    work_free(work);
    return 0;
  }
  return post(queue, work);
}

// The work of a step, after the places of others; their numbers are not known yet.
static struct work *make_step(lw_queue *const *queues, const lw_step *steps, const lw_step *step) {
  struct work *work = step->core != NULL ? make_request(step->token, step->core, step->request, step->args)
                                         : make_external(step->token);
  for (uint32_t i = 0; work != NULL && i < step->num_after; ++i)
    if (!work_after(work, queues[steps[step->after[i]].lane], 0, false)) {
      work_free(work);
      return NULL;
    }
  return work;
}

uint64_t lw_served_post_steps(lw_queue *const *queues, const lw_step *steps, uint64_t count, uint64_t *numbers) {
  uint64_t posted = 0;
  for (; posted < count; ++posted) {
    const lw_step *step = &steps[posted];
    struct work *work = make_step(queues, steps, step);
    if (work == NULL)
      break;
    for (uint32_t i = 0; i < step->num_after; ++i)
      work->after[i].number = numbers[step->after[i]];
    numbers[posted] = post(queues[step->lane], work);
    if (numbers[posted] == 0)
      break;
  }
  return posted;
}

// ---- Serving -----------------------------------------------------------------------------------------------------

void lw_served_attach(lw_queue *queue) {
  lock_order();
  queue->has_thread = true;
  unlock_order();
}

// Where memory is short, a fault that all share.
static struct fault *fault_make(uint64_t token) {
  static struct fault no_memory = {.users = 1, .token = UINT64_MAX}; // nobody gives up its first user
  struct fault *fault = malloc(sizeof *fault);
  if (fault == NULL)
    return fault_keep(&no_memory);
  *fault = (struct fault){.users = 1, .token = token};
  return fault;
}

// The first work has failed, with a failure that the owner calls `token`. Under the lock.
static void fail_first(struct lw_queue *queue, uint64_t token) {
  clear_failure(queue);
  queue->failure = (struct failure){
      .result = LW_WORK_FAILED, .number = queue->first->number, .fault = fault_make(token)};
}

// A mark is reached by dropped work, too, so that nobody waits for ever. Under the lock.
static void reach(struct lw_queue *queue, struct mark *mark) {
  mark->fault = fault_keep(queue->failure.fault);
  atomic_store(&mark->reached_ns, now_ns());
}

// Lets the queue fail with the work before the mark, if that has. Under the lock.
static void fail_with_mark(struct lw_queue *queue, const struct mark *mark) {
  if (mark != NULL && mark->fault != NULL && queue->failure.result == LW_SUCCESS)
    queue->failure = (struct failure){
        .result = LW_WORK_FAILED, .number = queue->first->number, .fault = fault_keep(mark->fault)};
}

// Runs machine code; what lw_start returns. The caller has the lock, and has it afterwards.
static int64_t start_request(const struct request_work *work) {
  unlock_order();
  int64_t launch;
  while ((launch = work->core->start(work->core->pool, &work->request, work->args)) < 0)
    continue;
  lock_order();
  return launch;
}

// Does the first work, which is ready, as far as it needs no owner; whether it has ended. Under the lock.
static bool do_served(struct lw_queue *queue, lw_served_work *out) {
  struct work *work = queue->first;
  queue->running = true;
  bool failed = inherit_failure(queue);
  *out = (lw_served_work){work->token, 0};
  if (work->kind == WORK_MARK)
    reach(queue, work->mark);
  else if (work->kind == WORK_NOTHING)
    fail_with_mark(queue, work->mark);
  else if (!failed && work->kind == WORK_EXTERNAL)
    return false;
  else if (!failed && ((out->launch = start_request(&work->request)) != 0 || lw_trial_asks(&work->request.request)))
    return false;
  end_first(queue);
  return true;
}

// Sleeps until there may be work to do; false after IDLE_NS without any, if the owner has something to hear of. The
// caller has the lock, and has it afterwards.
static bool await_work(struct lw_queue *queue) {
  if (queue->first != NULL) {
    if (block(queue))
      await_stir(queue);
    return true;
  }
  bool news = queue->reported < atomic_load(&queue->done);
  unsigned wanted = atomic_load(&queue->wanted);
  uint64_t until = now_ns() + (news ? IDLE_NS : 0);
  unlock_order();
  if (atomic_load(&order.single) || !spin(&queue->wanted, wanted, now_ns() + BRIEFLY_NS)) {
    // Dekker's argument: either who adds work sees this sleeper, or the futex sees that work was added.
    atomic_store(&queue->asleep, 1);
    futex_wait(&queue->wanted, wanted, news ? IDLE_NS : 0);
    atomic_store(&queue->asleep, 0);
  }
  lock_order();
  return !news || queue->first != NULL || now_ns() < until;
}

int32_t lw_served_serve(lw_queue *queue, uint64_t failure, lw_served_work *work) {
  lock_order();
  if (queue->running) {
    if (failure != 0)
      fail_first(queue, failure);
    end_first(queue);
  }
  int32_t result = LW_SERVED_ENDED;
  while (queue->has_thread) {
    if (has_ready_work(queue)) {
      if (do_served(queue, work))
        continue;
      result = LW_SERVED_WORK;
      break;
    }
    if (queue->first == NULL && queue->destroyed)
      break;
    if (!await_work(queue)) {
      queue->reported = atomic_load(&queue->done);
      result = LW_SERVED_IDLE;
      break;
    }
  }
  if (result == LW_SERVED_ENDED)
    queue->has_thread = false;
  unlock_order();
  return result;
}

// ---- State -------------------------------------------------------------------------------------------------------

uint64_t lw_served_added(lw_queue *queue) {
  lock_order();
  uint64_t added = queue->added;
  unlock_order();
  return added;
}

uint64_t lw_served_done(lw_queue *queue) { return atomic_load(&queue->done); }

// Whether the place is reached within about `timeout`.
static bool await_place(const struct place *place, uint64_t timeout) {
  uint64_t until = now_ns() + timeout;
  for (;;) {
    unsigned progress = atomic_load(&order.progress);
    if (is_reached(place))
      return true;
    uint64_t now = now_ns();
    if (now >= until)
      return false;
    await_progress(progress, until - now);
  }
}

int32_t lw_served_await(lw_queue *queue, uint64_t number, uint64_t timeout) {
  return await_place(&(struct place){.queue = queue, .number = number}, timeout);
}

static uint64_t name_of(const struct fault *fault) { return fault != NULL ? fault->token : 0; }

uint64_t lw_served_failure(lw_queue *queue) {
  lock_order();
  uint64_t name = name_of(queue->failure.fault);
  unlock_order();
  return name;
}

void lw_served_clear(lw_queue *queue, uint64_t failure) {
  lock_order();
  if (name_of(queue->failure.fault) == failure)
    clear_failure(queue);
  unlock_order();
}

uint64_t lw_forgotten_failure(void) {
  struct fault *fault = atomic_load(&forgotten_faults);
  // Only owners take faults from the list, one at a time: Python has its lock.
  while (fault != NULL && !atomic_compare_exchange_weak(&forgotten_faults, &fault, fault->following))
    continue;
  uint64_t name = name_of(fault);
  free(fault);
  return name;
}
