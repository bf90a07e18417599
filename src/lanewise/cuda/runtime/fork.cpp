// SPDX-License-Identifier: Apache-2.0
// Forks, counted for the locks of the library. The host runtime has handlers of its own for the rest.
#include "api.h"

extern "C" int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *); // see runtime/core/core.h

namespace lw_cudart {

static void count_fork() { ++forks; }

__attribute__((constructor)) static void follow_forks() { __register_atfork(nullptr, nullptr, count_fork, nullptr); }

} // namespace lw_cudart
