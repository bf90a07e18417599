// SPDX-License-Identifier: Apache-2.0
// The process: what the environment asks for, before main.
#include "runtime.h"

namespace {

__attribute__((constructor(100))) void read_environment() {
  const char *allowed = getenv("LANEWISE_HOST_POINTERS");
  lw_allow_host_pointers(allowed != nullptr && strcmp(allowed, "1") == 0);
}

} // namespace
