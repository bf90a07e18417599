// SPDX-License-Identifier: Apache-2.0
// Faults: names of failures, counted, so that the owner of served queues knows how long to keep what it knows of each.
#include "queue.h"

#include <stdlib.h>

static struct fault *_Atomic forgotten_faults; // that nobody knows of any more, newest first

static struct fault *fault_keep(struct fault *fault) {
  if (fault != NULL)
    atomic_fetch_add(&fault->users, 1);
  return fault;
}

static void fault_release(struct fault *fault) {
  if (fault == NULL || atomic_fetch_sub(&fault->users, 1) != 1)
    return;
  struct fault *newest = atomic_load(&forgotten_faults);
  do
    fault->following = newest;
  while (!atomic_compare_exchange_weak(&forgotten_faults, &newest, fault));
}
