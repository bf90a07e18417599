// SPDX-License-Identifier: Apache-2.0
// Commands: which waits for which, and who runs them.
#ifndef LANEWISE_OPENCL_SCHEDULER_H
#define LANEWISE_OPENCL_SCHEDULER_H

#include "types.h"

namespace lw_opencl {

// Commands and events that a command waits for, as the interface gives them.
struct WaitList {
  cl_uint count;
  const cl_event *events;
};

enum class Order { Plain, Barrier, Marker };

// Adds a command, whose `work`, which may be null, is released in any case. A barrier or a marker without events waits
// for all earlier commands of the queue. `event` gets the command's event, unless null. A blocking call waits for it.
cl_int enqueue(Queue *queue, cl_enum type, Work *work, const WaitList &waits, cl_event *event,
               Order order = Order::Plain, bool blocking = false);

cl_int require_context(const Context *context);
cl_int require_queue(const Queue *queue);
cl_int require_wait_list(const Queue *queue, const WaitList &waits);

void wait_for(Event *event);
void finish_queue(Queue *queue);
void flush_queue(Queue *queue);

// Ends a user's event.
cl_int end_user_event(Event *event, cl_int status);
cl_int add_callback(Event *event, const EventCallback &callback);

inline cl_int status_of(const Event *event) { return __atomic_load_n(&event->status, __ATOMIC_ACQUIRE); }

} // namespace lw_opencl

#endif
