// SPDX-License-Identifier: Apache-2.0
// Queues that threads of their owner serve, as one translation unit.

#include "../core/clock.c"

#include "explain.c"

#include "fault.c"

#include "order.c"

#include "work.c"

#include "blocked.c"

#include "queue.c"

#include "first_work.c"

#include "serving.c"

#include "marks.c"

#include "origin.c"
