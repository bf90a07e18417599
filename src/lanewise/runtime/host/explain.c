// SPDX-License-Identifier: Apache-2.0
// What a call that did not succeed objected to.
#include "host.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char explanation[512] __attribute__((tls_model("initial-exec")));

const char *lw_explanation(void) { return explanation; }

// Keeps a sentence for lw_explanation; returns `result`.
__attribute__((format(printf, 2, 3))) static int32_t explain(int32_t result, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(explanation, sizeof explanation, format, values);
  va_end(values);
  return result;
}
