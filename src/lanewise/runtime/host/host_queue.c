// SPDX-License-Identifier: Apache-2.0
// Queues as the host sees them: made, given work, waited for.
#include "driver.h"
#include "host.h"

#include <stdlib.h>
#include <string.h>

static void forget_work(void) {
  pthread_rwlock_init(&allocations.lock, NULL);
  pthread_mutex_init(&images.lock, NULL);
  pthread_mutex_init(&printed.lock, NULL);
  pthread_mutex_init(&printed.writing, NULL);
  pthread_mutex_init(&launch_log.lock, NULL);
  pthread_mutex_init(&gpu_modules.lock, NULL);
  printed.data = NULL; // perhaps half changed, and the parent's to write
  printed.size = printed.capacity = 0;
  leave_tiers_of_parent();
  leave_checks_of_parent();
  forget_queues();
}

static void lock_for_fork(void) {
  pthread_mutex_lock(&images.lock);
  pthread_rwlock_wrlock(&allocations.lock);
  lock_order();
  lock_tiers();
}
static void unlock_after_fork(void) {
  unlock_tiers();
  unlock_order();
  pthread_rwlock_unlock(&allocations.lock);
  pthread_mutex_unlock(&images.lock);
}
static void register_handlers(void) { __register_atfork(lock_for_fork, unlock_after_fork, forget_work, NULL); }
static void follow_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
}

static int32_t make_queue(uint32_t flags, int32_t priority, void *stream, lw_queue **queue) {
  follow_forks();
  struct lw_queue *made = *queue = queue_make(flags & (LW_NON_BLOCKING | LW_ON_GPU | LW_WAITED_FOR));
  if (made == NULL)
    return explain(LW_NO_MEMORY, "no memory for a queue");
  made->priority = priority;
  made->stream = stream;
  return LW_SUCCESS;
}

int32_t lw_queue_create(uint32_t flags, int32_t priority, lw_queue **queue) {
  void *stream = NULL;
  *queue = NULL;
  int32_t result = gpu.on || flags & LW_ON_GPU ? gpu_make_stream(flags, priority, &stream) : LW_SUCCESS;
  if (result == LW_SUCCESS)
    result = make_queue(flags, priority, stream, queue);
  if (result != LW_SUCCESS && stream != NULL)
    gpu_destroy_stream(stream);
  return result;
}

static bool is_gpus_queue(const lw_queue *queue) { return gpu.on || queue->flags & LW_ON_GPU; }

void lw_queue_destroy(lw_queue *queue) {
  if (is_gpus_queue(queue))
    gpu_destroy_stream(queue->stream);
  lock_order();
  if (queue->capture != NULL)
    quit_capture(queue);
  queue->destroyed = true;
  bool has_thread = queue->has_thread;
  if (has_thread)
    rouse(queue);
  else
    unlink_queue(queue);
  unlock_order();
  queue_release(queue);
}

static lw_queue *default_queue;
static void make_default_queue(void) {
  if (make_queue(0, 0, DRIVER_LEGACY_STREAM, &default_queue) == LW_SUCCESS)
    order.origin = default_queue;
}

lw_queue *lw_default_queue(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_default_queue);
  return default_queue;
}

uint32_t lw_queue_flags_of(const lw_queue *queue) { return queue->flags; }
int32_t lw_queue_priority(const lw_queue *queue) { return queue->priority; }

// Adds work, which it takes over, or records it if the queue is captured.
static int32_t add_work(struct lw_queue *queue, struct work *work) {
  pool_of_all(); // not under the lock: it may wait for a fork, and that for the lock
  lock_order();
  if (queue->capture != NULL) {
    int32_t result = capture_add(queue, work);
    unlock_order();
    return result;
  }
  bool has_thread = !(queue->flags & LW_WAITED_FOR);
  int32_t result = has_thread && !start_queue(queue) ? explain(LW_NO_THREAD, "the system can't start a thread")
                   : !append_work(queue, work)       ? LW_NO_MEMORY
                                                     : LW_SUCCESS;
  unlock_order();
  if (result != LW_SUCCESS)
    work_free(work);
  else if (has_thread)
    rouse(queue);
  return result;
}

int32_t lw_queue_launch(lw_queue *queue, const lw_kernel_launch *launch) {
  if (is_gpus_queue(queue)) {
    refuse_checks_on_gpu();
    return gpu_launch(queue, launch);
  }
  struct work *work;
  int32_t result = make_launch(launch, &work);
  return result == LW_SUCCESS ? add_work(queue, work) : result;
}

int32_t lw_queue_copy(lw_queue *queue, void *target, lw_pitch target_pitch, const void *source, lw_pitch source_pitch,
                      lw_box box) {
  if (is_gpus_queue(queue))
    return gpu_copy(queue, target, target_pitch, source, source_pitch, box);
  struct work *work;
  int32_t result = make_copy(target, target_pitch, source, source_pitch, box, &work);
  return result == LW_SUCCESS ? add_work(queue, work) : result;
}

int32_t lw_queue_fill(lw_queue *queue, void *target, lw_pitch pitch, uint32_t value, uint32_t value_bytes, lw_box box) {
  if (is_gpus_queue(queue))
    return gpu_fill(queue, target, pitch, value, value_bytes, box);
  struct work *work;
  int32_t result = make_fill(target, pitch, value, value_bytes, box, &work);
  return result == LW_SUCCESS ? add_work(queue, work) : result;
}

int32_t lw_queue_call(lw_queue *queue, lw_host_function function, void (*dropped)(void *data), void *data) {
  if (is_gpus_queue(queue))
    return gpu_call(queue, function, data);
  struct work *work;
  int32_t result = make_call(function, dropped, data, &work);
  return result == LW_SUCCESS ? add_work(queue, work) : result;
}

int32_t lw_graph_launch(const lw_graph *graph, lw_queue *queue) {
  struct work *work = work_make(WORK_GRAPH, 0);
  if (work == NULL)
    return LW_NO_MEMORY;
  work->graph = (struct lw_graph *)graph;
  atomic_fetch_add(&work->graph->users, 1);
  return add_work(queue, work);
}

int32_t lw_queue_failure(lw_queue *queue, lw_status *status, const char **kernel, int32_t *returned) {
  lock_order();
  const struct failure *failure = &queue->failure;
  int32_t result = failure->result;
  if (status != NULL && failure->status != NULL)
    *status = *failure->status;
  if (kernel != NULL)
    *kernel = failure->kernel;
  if (returned != NULL)
    *returned = failure->returned;
  unlock_order();
  return result;
}

void lw_queue_clear_failure(lw_queue *queue) {
  lock_order();
  clear_failure(queue);
  unlock_order();
}

// The failure of a queue, explained, if there is one.
static int32_t failure_of(struct lw_queue *queue) {
  const char *kernel;
  int32_t returned, result = lw_queue_failure(queue, NULL, &kernel, &returned);
  if (result == LW_LAUNCH_FAILED)
    explain(result, "kernel %s failed", kernel);
  else if (result == LW_WORK_FAILED)
    explain(result, "a function in the queue returned %d", returned);
  return result;
}

static int32_t refuse_wait(const struct lw_queue *queue) {
  if (in_function)
    return explain(LW_NOT_PERMITTED, "a function in a queue can't wait for queues");
  return queue != NULL && queue->capture != NULL ? explain(LW_INVALID, "the queue is captured") : LW_SUCCESS;
}

int32_t lw_queue_synchronize(lw_queue *queue) {
  if (is_gpus_queue(queue))
    return gpu_synchronize_queue(queue);
  lock_order();
  int32_t result = refuse_wait(queue);
  uint64_t number = queue->added;
  queue_keep(queue); // another thread may destroy it meanwhile
  unlock_order();
  if (result == LW_SUCCESS) {
    await_queue(queue, number);
    result = failure_of(queue);
  }
  queue_release(queue);
  return result;
}

// The present ends of all queues, which are kept; null where memory is short.
static struct place *ends_of_queues(size_t *count) {
  lock_order();
  *count = 0;
  for (struct lw_queue *queue = order.queues; queue != NULL; queue = queue->following)
    ++*count;
  struct place *ends = malloc((*count + 1) * sizeof *ends), *end = ends;
  for (struct lw_queue *queue = order.queues; ends != NULL && queue != NULL; queue = queue->following) {
    queue_keep(queue);
    *end++ = (struct place){.queue = queue, .number = queue->added};
  }
  unlock_order();
  return ends;
}

int32_t lw_synchronize(void) {
  if (gpu.on)
    return gpu_synchronize();
  int32_t result = refuse_wait(NULL);
  if (result != LW_SUCCESS)
    return result;
  size_t count;
  struct place *ends = ends_of_queues(&count);
  if (ends == NULL)
    return explain(LW_NO_MEMORY, "no memory for a list of queues");
  for (size_t i = 0; i < count; ++i) {
    await_queue(ends[i].queue, ends[i].number);
    int32_t failed = failure_of(ends[i].queue);
    result = result == LW_SUCCESS ? failed : result;
    queue_release(ends[i].queue);
  }
  free(ends);
  return result;
}

int32_t lw_is_idle(void) {
  lock_order();
  bool idle = !gpu.on;
  for (struct lw_queue *queue = order.queues; idle && queue != NULL; queue = queue->following)
    idle = atomic_load(&queue->done) >= queue->added;
  unlock_order();
  return idle;
}

int32_t lw_queue_query(lw_queue *queue) {
  if (is_gpus_queue(queue))
    return gpu_query(queue);
  lock_order();
  int32_t refusal = refuse_wait(queue);
  bool done = atomic_load(&queue->done) >= queue->added;
  unlock_order();
  if (refusal != LW_SUCCESS)
    return refusal;
  int32_t failed = failure_of(queue);
  return failed != LW_SUCCESS ? failed : done ? LW_SUCCESS : explain(LW_NOT_READY, "the queue has work");
}
