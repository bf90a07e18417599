// SPDX-License-Identifier: Apache-2.0
// What every file of the library begins with: the runtime API's own headers, whose functions are exported, and the C
// interface of the host runtime that they stand on. No C++ library is used: nothing may throw, and memory is malloc's.
#ifndef LANEWISE_CUDART_API_H
#define LANEWISE_CUDART_API_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop

#include "../../runtime/host/lanewise.h"

// A function of the API. All else is in a namespace of its own, whose names no program has: programs may link the
// library in.
#define LW_API extern "C" __attribute__((visibility("default")))

#include "lists.h"
#include "locks.h"
#include "thread_memory.h"

#include "error.h"
#include "profile.h"
#include "call.h"

#endif
