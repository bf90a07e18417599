// SPDX-License-Identifier: Apache-2.0
// What a call that did not succeed objected to. Each thread's sentence is in memory of its own rather than in a
// thread-local variable: a library that a program loads later has little room for these.
#include "queue.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXPLANATION_BYTES = 512 };

static struct {
  pthread_once_t once;
  pthread_key_t key;
} explanations = {.once = PTHREAD_ONCE_INIT};

static void make_explanations(void) { pthread_key_create(&explanations.key, free); }

const char *lw_explanation(void) {
  pthread_once(&explanations.once, make_explanations);
  const char *own = pthread_getspecific(explanations.key);
  return own != NULL ? own : "";
}

// Keeps a sentence for lw_explanation; returns `result`.
__attribute__((format(printf, 2, 3))) static int32_t explain(int32_t result, const char *format, ...) {
  pthread_once(&explanations.once, make_explanations);
  char *own = pthread_getspecific(explanations.key);
  if (own == NULL) {
    own = malloc(EXPLANATION_BYTES);
    if (own == NULL)
      return result;
    pthread_setspecific(explanations.key, own);
  }
  va_list values;
  va_start(values, format);
  vsnprintf(own, EXPLANATION_BYTES, format, values);
  va_end(values);
  return result;
}
