// SPDX-License-Identifier: Apache-2.0
// Events of the host runtime under NVIDIA's handles.
#ifndef LANEWISE_CUDART_EVENTS_H
#define LANEWISE_CUDART_EVENTS_H

#include "streams.h"

namespace lw_cudart {

struct Event {
  uint32_t state; // of the handle
  lw_event *event;
  unsigned int flags;
  bool recorded;
  unsigned long long capture; // the id of the capture that it was last recorded in; 0: none
  List<Node *> nodes;         // and what it stands for there
};

Event *event_of(cudaEvent_t event);
#define REQUIRE_EVENT(name, handle)                                                                                    \
  Event *name = event_of(handle);                                                                                      \
  REQUIRE(name, cudaErrorInvalidResourceHandle, "event %p does not exist (any more)", (void *)handle)

} // namespace lw_cudart

#endif
