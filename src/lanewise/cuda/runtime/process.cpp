// SPDX-License-Identifier: Apache-2.0
// The process: what the environment asks for, before main.
#include "runtime.h"

namespace {

bool is_set(const char *name) {
  const char *text = getenv(name);
  return text != nullptr && strcmp(text, "1") == 0;
}

__attribute__((constructor(100))) void read_environment() {
  lw_allow_host_pointers(is_set("LANEWISE_HOST_POINTERS"));
  lw_tolerate_strays(!is_set("LANEWISE_STRICT_BOUNDS"));
}

} // namespace
