// SPDX-License-Identifier: Apache-2.0
// The pool of threads that all launches of the host runtime share.
#include "host.h"

#include <stdlib.h>
#include <string.h>

static struct {
  pthread_once_t once;
  lw_pool *pool; // null where memory was short
  atomic_uint threads;
  uint64_t patience; // of launches that wait for what nobody changes, ns; 0: for ever
} shared = {.once = PTHREAD_ONCE_INIT};

// LANEWISE_NUM_THREADS and LANEWISE_WATCHDOG, as lanewise/config.py has them. What is no number counts as not given.
static unsigned wanted_threads(void) {
  const char *text = getenv("LANEWISE_NUM_THREADS");
  char *end = NULL;
  unsigned long number = text != NULL ? strtoul(text, &end, 10) : 0;
  bool given = text != NULL && end != text && *end == '\0' && number >= 1 && number <= MAX_THREADS;
  return given ? (unsigned)number : processors();
}

static uint64_t wanted_patience(void) {
  enum { DEFAULT_SECONDS = 5 };
  const char *text = getenv("LANEWISE_WATCHDOG");
  if (text == NULL || *text == '\0')
    return DEFAULT_SECONDS * 1000000000ull;
  if (strcmp(text, "off") == 0)
    return 0;
  char *end = NULL;
  double seconds = strtod(text, &end);
  bool given = end != text && *end == '\0' && seconds > 0 && seconds < 1e9;
  return given ? (uint64_t)(seconds * 1e9) : DEFAULT_SECONDS * 1000000000ull;
}

static void make_pool(void) {
  unsigned threads = wanted_threads();
  shared.patience = wanted_patience();
  lw_set_cache_bytes(last_level_cache_bytes());
  atomic_store(&shared.threads, threads);
  shared.pool = lw_pool_create(threads);
}

static lw_pool *pool_of_all(void) {
  pthread_once(&shared.once, make_pool);
  return shared.pool;
}

uint32_t lw_num_threads(void) {
  pool_of_all();
  return atomic_load(&shared.threads);
}

int32_t lw_set_num_threads(uint32_t threads) {
  if (threads < 1 || threads > MAX_THREADS)
    return explain(LW_INVALID, "a pool has 1 to %d threads, not %u", MAX_THREADS, threads);
  lw_pool *pool = pool_of_all();
  if (pool == NULL)
    return explain(LW_NO_MEMORY, "no memory for the pool");
  atomic_store(&shared.threads, threads);
  lw_pool_set_threads(pool, threads);
  return LW_SUCCESS;
}
