// SPDX-License-Identifier: Apache-2.0
// The whole core as one translation unit.

#include "memory.c"

#include "guarded.c"

#include "clock.c"

#include "rhythm.c"

#include "status.c"

#include "context.c"

#include "stream.c"

#include "runner.c"

#include "warps.c"

#include "barriers.c"

#include "meetings.c"

#include "signals.c"

#include "watch.c"

#include "output.c"

#include "printf.c"

#include "fences.c"

#include "races.c"

#include "global_words.c"

#include "global_races.c"

#include "pointers.c"

#include "meeting_checks.c"

#include "services.c"

#include "heap.c"

#include "texture.c"

#include "surface.c"

#include "trial.c"

#include "groups.c"

#include "crew.c"

#include "pool.c"

#include "stuck.c"

#include "launch.c"

#include "detached.c"
