// SPDX-License-Identifier: Apache-2.0
// The whole core as one translation unit.

#include "memory.c"

#include "clock.c"

#include "output.c"

#include "printf.c"

#include "services.c"

#include "groups.c"

#include "pool.c"

#include "launch.c"
