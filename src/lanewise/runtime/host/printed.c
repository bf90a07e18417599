// SPDX-License-Identifier: Apache-2.0
// What kernels have printed, until it is written.
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  pthread_mutex_t writing; // held while text is written, so that what is taken first comes first
  char *data;
  size_t size, capacity;
} printed = {.lock = PTHREAD_MUTEX_INITIALIZER, .writing = PTHREAD_MUTEX_INITIALIZER};

// Makes room for `bytes` more, and returns the place; null where memory is short. The caller has the lock.
static char *room_for_printed(size_t bytes) {
  if (!grow(&printed.data, &printed.capacity, printed.size + bytes))
    return NULL;
  return printed.data + printed.size;
}

// Waits until a descriptor that doesn't block takes more; false where it never will.
static bool await_room(int descriptor) {
  struct pollfd room = {.fd = descriptor, .events = POLLOUT};
  return poll(&room, 1, -1) >= 0 || errno == EINTR;
}

static void write_all(int descriptor, const char *data, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t written = write(descriptor, data + at, size - at);
    if (written >= 0)
      at += (size_t)written;
    else if (errno != EINTR && !((errno == EAGAIN || errno == EWOULDBLOCK) && await_room(descriptor)))
      return;
  }
}

void lw_flush_output(int32_t descriptor) {
  pthread_mutex_lock(&printed.writing);
  pthread_mutex_lock(&printed.lock);
  char *data = printed.data;
  size_t size = printed.size;
  printed.data = NULL;
  printed.size = printed.capacity = 0;
  pthread_mutex_unlock(&printed.lock);
  write_all(descriptor, data, size);
  pthread_mutex_unlock(&printed.writing);
  free(data);
}

uint64_t lw_printed_bytes(void) {
  pthread_mutex_lock(&printed.lock);
  size_t size = printed.size;
  pthread_mutex_unlock(&printed.lock);
  return size;
}
