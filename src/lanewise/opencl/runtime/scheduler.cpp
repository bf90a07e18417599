// SPDX-License-Identifier: Apache-2.0
// The scheduler of commands. A command is ready when all that it waits for is complete; then any thread may run it.
//
// A thread that waits runs ready commands itself, those of its own queue first, so that to enqueue and to wait costs no
// change of threads. Workers, which start when they are first needed, run the rest: they are woken by clFlush, when
// commands pile up, and when a thread that is about to run a command leaves other ready ones behind.
//
// Launches on a GPU that follow each other in a queue in order are a chain: one thread adds them to a stream of the
// driver, and then waits for one after the other.
#include "scheduler.h"
#include "fork.h"
#include "gpu_commands.h"

#include <signal.h>

namespace lw_opencl {

enum { MOST_WORKERS = 4, MANY_UNFLUSHED = 32, MOST_OF_CHAIN = 64 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work, change;
  Event *first, *last; // ready, in the order in which they became so
  size_t ready;
  unsigned workers, idle, waiting;
} scheduler = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, nullptr, nullptr, 0, 0, 0, 0};

// The commands that this thread runs: one may wait for others, which it runs meanwhile.
struct Running {
  Event *const *events; // as many as `count`; null: it is complete
  const size_t &count;
  const Running *outer;
};
static thread_local const Running *running_here;

static bool runs_here(const Event *event) {
  for (const Running *each = running_here; each; each = each->outer)
    for (size_t i = 0; i < each->count; ++i)
      if (each->events[i] == event)
        return true;
  return false;
}

static void *serve(void *);

// ---- Under the lock ------------------------------------------------------------------------------------------

static void wake_worker() {
  if (scheduler.idle) {
    pthread_cond_signal(&scheduler.work);
    return;
  }
  pthread_t thread;
  pthread_attr_t attributes;
  if (scheduler.workers == MOST_WORKERS || pthread_attr_init(&attributes))
    return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, before; // signals of the program are for its own threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  scheduler.workers += pthread_create(&thread, &attributes, serve, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

static void make_ready(Event *event) {
  event->next_ready = nullptr;
  (scheduler.last ? scheduler.last->next_ready : scheduler.first) = event;
  scheduler.last = event;
  ++scheduler.ready;
  if (scheduler.waiting)
    pthread_cond_broadcast(&scheduler.change);
}

// The first ready command, of `queue` if it has one; null: none is ready.
static Event *take_ready(const Queue *queue) {
  Event *before = nullptr, *found = scheduler.first;
  for (Event *previous = nullptr, *each = found; queue && each; previous = each, each = each->next_ready)
    if (each->queue == queue) {
      before = previous;
      found = each;
      break;
    }
  if (!found)
    return nullptr;
  (before ? before->next_ready : scheduler.first) = found->next_ready;
  if (scheduler.last == found)
    scheduler.last = before;
  --scheduler.ready;
  return found;
}

static void set_status(Event *event, cl_int status) { __atomic_store_n(&event->status, status, __ATOMIC_RELEASE); }

// Callbacks that are due at a status, taken away from the event.
static List<EventCallback> due_callbacks(Event *event, cl_int status) {
  List<EventCallback> due = {};
  size_t kept = 0;
  for (EventCallback &each : event->callbacks)
    if (status > each.at || !due.add(each))
      event->callbacks[kept++] = each;
  event->callbacks.count = kept;
  return due;
}

static void leave_queue(Event *event) {
  Queue *queue = event->queue;
  (event->before ? event->before->after : queue->first) = event->after;
  (event->after ? event->after->before : queue->last) = event->before;
  if (queue->barrier == event)
    queue->barrier = nullptr;
}

// Makes an event complete, with CL_COMPLETE or an error.
static void complete(Event *event, cl_int status) {
  set_status(event, status);
  if (event->queue)
    leave_queue(event);
  for (const Follower &each : event->followers) {
    each.event->wait_failed |= status < 0 && each.fails_with;
    if (--each.event->waits_for == 0 && !each.event->is_started)
      make_ready(each.event);
    drop(each.event);
  }
  event->followers.count = 0;
  if (scheduler.waiting)
    pthread_cond_broadcast(&scheduler.change);
}

// Has a command wait for an earlier one, if there is one that isn't complete. False where memory is short.
static bool wait_behind(Event *event, Event *earlier, bool fails_with) {
  cl_int status = earlier ? status_of(earlier) : CL_COMPLETE;
  if (status <= 0) {
    event->wait_failed |= status < 0 && fails_with;
    return true;
  }
  if (!earlier->followers.add({event, fails_with}))
    return false;
  use(event);
  ++event->waits_for;
  return true;
}

// ---- Running a command ---------------------------------------------------------------------------------------

static void call_back(Event *event, cl_int status, const List<EventCallback> &due) {
  for (const EventCallback &each : due)
    each.notify(event, status < 0 ? status : each.at, each.data);
}

// Tells callbacks of a status that the event has reached. The lock is held before and after, not in between.
static void tell(Event *event, cl_int status) {
  List<EventCallback> due = due_callbacks(event, status);
  if (due.count) {
    pthread_mutex_unlock(&scheduler.lock);
    call_back(event, status, due);
    pthread_mutex_lock(&scheduler.lock);
  }
  due.release();
}

// Ends a command that has run. The lock is held after, not before.
static void conclude(Event *event, cl_int status) {
  if (event->work)
    event->work->release(event->work);
  event->work = nullptr;
  pthread_mutex_lock(&scheduler.lock);
  List<EventCallback> due = due_callbacks(event, status);
  complete(event, status);
  pthread_mutex_unlock(&scheduler.lock);
  call_back(event, status, due);
  due.release();
  drop(event);
  pthread_mutex_lock(&scheduler.lock);
}

struct Chain {
  Event *events[MOST_OF_CHAIN];
  Timed timed[MOST_OF_CHAIN];
  cl_int codes[MOST_OF_CHAIN];
  size_t count;
};

// The command behind the last one of a chain, if it waits for that one alone, and may be started. None behind `until`:
// the thread waits for that event, and would have to wait for the next command, too.
static Event *next_of(const Chain &chain, const Event *until) {
  const Event *last = chain.events[chain.count - 1];
  bool is_wanted = !until || (until != last && until->queue == last->queue);
  Event *next = last->after;
  bool follows = next && next->waits_for == 1 && !next->wait_failed && goes_to_stream(next);
  return is_wanted && follows && chain.count < MOST_OF_CHAIN ? next : nullptr;
}

// Marks the oldest command of a chain as the one that runs. The lock is held before and after.
static void begin_to_run(Event *event) {
  set_status(event, CL_RUNNING);
  if (event->callbacks.count)
    tell(event, CL_RUNNING);
}

// Adds a command to a chain, and to a stream; whether another one may follow. The lock is held before and after.
static bool start(Chain &chain, Event *event, lw_queue *stream) {
  size_t place = chain.count;
  event->is_started = true;
  chain.events[place] = event;
  ++chain.count;
  if (place == 0)
    begin_to_run(event);
  pthread_mutex_unlock(&scheduler.lock);
  chain.codes[place] = start_on_stream(event, stream, chain.timed[place]);
  pthread_mutex_lock(&scheduler.lock);
  return chain.codes[place] == CL_SUCCESS;
}

// Runs a command that is ready and goes to a stream, with those behind it. The lock is as in `run`.
static void run_chain(Event *event, const Event *until) {
  Chain chain = {};
  Running running = {chain.events, chain.count, running_here};
  running_here = &running;
  if (scheduler.ready)
    wake_worker();
  pthread_mutex_unlock(&scheduler.lock);
  lw_queue *stream = take_queue(true);
  pthread_mutex_lock(&scheduler.lock);
  bool goes_on = start(chain, event, stream);
  for (size_t done = 0; done < chain.count;) {
    Event *next = goes_on ? next_of(chain, until) : nullptr;
    if (next) {
      goes_on = start(chain, next, stream);
      continue;
    }
    Event *oldest = chain.events[done];
    pthread_mutex_unlock(&scheduler.lock);
    cl_int status = chain.codes[done];
    if (status == CL_SUCCESS)
      status = finish_on_stream(oldest, chain.timed[done], chain.timed[0]);
    conclude(oldest, status);
    chain.events[done++] = nullptr;
    if (done < chain.count)
      begin_to_run(chain.events[done]);
  }
  running_here = running.outer;
  pthread_mutex_unlock(&scheduler.lock);
  for (size_t i = 0; i < chain.count; ++i)
    chain.timed[i].release();
  if (stream)
    give_queue(stream);
  pthread_mutex_lock(&scheduler.lock);
}

// Runs a command that is ready. The lock is held before and after, not in between. `until`: see `next_of`.
static void run(Event *event, const Event *until) {
  if (!event->wait_failed && goes_to_stream(event)) {
    run_chain(event, until);
    return;
  }
  cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  bool takes_times = event->queue->takes_times();
  const size_t one = 1;
  Running running = {&event, one, running_here};
  running_here = &running;
  set_status(event, CL_RUNNING);
  if (!event->wait_failed) {
    if (scheduler.ready)
      wake_worker();
    if (event->callbacks.count)
      tell(event, CL_RUNNING);
    pthread_mutex_unlock(&scheduler.lock);
    if (takes_times)
      event->started = now_ns();
    status = event->work ? event->work->run(event->work, event) : CL_COMPLETE;
    if (takes_times && !event->ended) // a command may have set its times itself
      event->ended = now_ns();
  } else {
    pthread_mutex_unlock(&scheduler.lock);
  }
  conclude(event, status);
  running_here = running.outer;
}

static void *serve(void *) {
  Held held(scheduler.lock);
  for (;;) {
    while (Event *event = take_ready(nullptr))
      run(event, nullptr);
    ++scheduler.idle;
    pthread_cond_wait(&scheduler.work, &scheduler.lock);
    --scheduler.idle;
  }
}

template <class Done> static void work_until(const Queue *queue, const Event *until, Done done) {
  Held held(scheduler.lock);
  while (!done()) {
    if (Event *event = take_ready(queue)) {
      run(event, until);
      continue;
    }
    ++scheduler.waiting;
    pthread_cond_wait(&scheduler.change, &scheduler.lock);
    --scheduler.waiting;
  }
}

void wait_for(Event *event) {
  if (status_of(event) > 0)
    work_until(event->queue, event, [&] { return status_of(event) <= 0; });
}

void finish_queue(Queue *queue) {
  work_until(queue, nullptr, [&] { return !queue->first; });
}

void flush_queue(Queue *queue) {
  Held held(scheduler.lock);
  if (queue->first && scheduler.ready)
    wake_worker();
}

// ---- Forks ---------------------------------------------------------------------------------------------------

void lock_scheduler() { pthread_mutex_lock(&scheduler.lock); }
void unlock_scheduler() { pthread_mutex_unlock(&scheduler.lock); }

void forget_workers() {
  pthread_mutex_init(&scheduler.lock, nullptr);
  pthread_cond_init(&scheduler.work, nullptr);
  pthread_cond_init(&scheduler.change, nullptr);
  scheduler.workers = scheduler.idle = scheduler.waiting = 0;
  Held held(scheduler.lock);
  for (size_t i = 0; i < pool<Event>.used; ++i) {
    Event *event = pool<Event>.first + i;
    if (event->uses && event->queue && event->status > 0 && (event->status == CL_RUNNING || event->is_started) &&
        !runs_here(event))
      complete(event, CL_OUT_OF_RESOURCES);
  }
}

// ---- Commands ------------------------------------------------------------------------------------------------

cl_int require_queue(const Queue *queue) {
  REQUIRE(lives(queue), CL_INVALID_COMMAND_QUEUE, "%p is no queue", static_cast<const void *>(queue));
  return CL_SUCCESS;
}

cl_int require_wait_list(const Queue *queue, const WaitList &waits) {
  REQUIRE(!waits.count == !waits.events, CL_INVALID_EVENT_WAIT_LIST, "a list of %u events at %p", waits.count,
          static_cast<const void *>(waits.events));
  for (cl_uint i = 0; i < waits.count; ++i) {
    REQUIRE(lives(waits.events[i]), CL_INVALID_EVENT_WAIT_LIST, "event %u of the wait list is none", i);
    REQUIRE(waits.events[i]->context == queue->context, CL_INVALID_CONTEXT,
            "event %u of the wait list is of another context", i);
  }
  return CL_SUCCESS;
}

// Everything that a new command waits for. False where memory is short.
static bool wait_for_all(Event *event, const WaitList &waits, Order order) {
  Queue *queue = event->queue;
  bool waits_for_all = order == Order::Barrier || order == Order::Marker;
  if (!queue->is_out_of_order()) {
    if (!wait_behind(event, queue->last, false))
      return false;
  } else if (!wait_behind(event, queue->barrier, false)) {
    return false;
  }
  if (queue->is_out_of_order() && waits_for_all && !waits.count)
    for (Event *each = queue->first; each; each = each->after)
      if (!wait_behind(event, each, false))
        return false;
  for (cl_uint i = 0; i < waits.count; ++i)
    if (!wait_behind(event, waits.events[i], true))
      return false;
  return true;
}

// Puts a new command behind those that it waits for. Where memory is short it fails when its turn comes.
static void add(Event *event, const WaitList &waits, Order order) {
  Held held(scheduler.lock);
  Queue *queue = event->queue;
  event->waits_for = 1; // so that it can't become ready on the way
  event->wait_failed |= !wait_for_all(event, waits, order);
  event->before = queue->last;
  (queue->last ? queue->last->after : queue->first) = event;
  queue->last = event;
  if (order == Order::Barrier)
    queue->barrier = event;
  set_status(event, CL_SUBMITTED);
  if (--event->waits_for == 0)
    make_ready(event);
  if (scheduler.ready >= MANY_UNFLUSHED)
    wake_worker();
}

cl_int enqueue(Queue *queue, cl_enum type, Work *work, const WaitList &waits, cl_event *event, Order order,
               bool blocking) {
  cl_int result = require_wait_list(queue, waits);
  Event *made = result == CL_SUCCESS ? created<Event>() : nullptr;
  if (!made) {
    if (work)
      work->release(work);
    return result != CL_SUCCESS ? result : fail(CL_OUT_OF_HOST_MEMORY, "too many events");
  }
  made->context = use(queue->context);
  made->queue = use(queue);
  made->type = type;
  made->status = CL_QUEUED;
  made->work = work;
  if (queue->takes_times())
    made->queued = made->submitted = now_ns();
  use(made); // by the scheduler, until it is complete
  add(made, waits, order);
  if (blocking) {
    wait_for(made);
    result = status_of(made) < 0 ? status_of(made) : CL_SUCCESS;
    if (result < 0)
      fail(result, "a blocking command has failed");
  }
  if (event)
    *event = made;
  else
    release(made, CL_INVALID_EVENT);
  return result;
}

// ---- Events --------------------------------------------------------------------------------------------------

cl_int end_user_event(Event *event, cl_int status) {
  pthread_mutex_lock(&scheduler.lock);
  if (status_of(event) <= 0) {
    pthread_mutex_unlock(&scheduler.lock);
    return fail(CL_INVALID_OPERATION, "the event's status has been set before");
  }
  List<EventCallback> due = due_callbacks(event, status);
  complete(event, status);
  if (scheduler.ready)
    wake_worker();
  pthread_mutex_unlock(&scheduler.lock);
  call_back(event, status, due);
  due.release();
  return CL_SUCCESS;
}

cl_int add_callback(Event *event, const EventCallback &callback) {
  pthread_mutex_lock(&scheduler.lock);
  cl_int status = status_of(event);
  bool is_due = status <= callback.at, added = is_due || event->callbacks.add(callback);
  pthread_mutex_unlock(&scheduler.lock);
  REQUIRE(added, CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
  if (is_due)
    callback.notify(event, status < 0 ? status : callback.at, callback.data);
  return CL_SUCCESS;
}

void Event::finish() {
  followers.release();
  callbacks.release();
  if (queue)
    drop(queue);
  drop(context);
}

} // namespace lw_opencl
