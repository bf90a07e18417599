// SPDX-License-Identifier: Apache-2.0
// What kernels have printed, until it is written.
#include "host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  char *data;
  size_t size, capacity;
} printed = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Makes room for `bytes` more, and returns the place; null where memory is short. The caller has the lock.
static char *room_for_printed(size_t bytes) {
  if (!grow(&printed.data, &printed.capacity, printed.size + bytes))
    return NULL;
  return printed.data + printed.size;
}

void lw_flush_output(int32_t descriptor) {
  pthread_mutex_lock(&printed.lock);
  char *data = printed.data;
  size_t size = printed.size;
  printed.data = NULL;
  printed.size = printed.capacity = 0;
  pthread_mutex_unlock(&printed.lock);
  for (size_t at = 0; at < size;) {
    ssize_t written = write(descriptor, data + at, size - at);
    if (written >= 0)
      at += (size_t)written;
    else if (errno != EINTR)
      break;
  }
  free(data);
}

uint64_t lw_printed_bytes(void) {
  pthread_mutex_lock(&printed.lock);
  size_t size = printed.size;
  pthread_mutex_unlock(&printed.lock);
  return size;
}
