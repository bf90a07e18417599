// SPDX-License-Identifier: Apache-2.0
// The types that the files of the host runtime share. host.c includes all of them, after those of the core, so that one
// run of the compiler makes one object and every function but the exported ones is static.
#ifndef LANEWISE_HOST_H
#define LANEWISE_HOST_H

#include "../queue/queue.h"

#include <dlfcn.h>

// glibc before 2.34 has them in libdl, which a program may not be linked with.
#pragma weak dlclose
#pragma weak dlerror
#pragma weak dlopen
#pragma weak dlsym
static bool has_loader(void) { return dlopen != NULL && dlsym != NULL; }

struct lw_event {
  uint32_t flags;
  void *driver; // the GPU's event
  struct mark *mark; // null: never recorded
  struct capture *capture; // of the queue where it was recorded, if that was captured
  uint64_t *nodes;
  uint64_t num_nodes;
};

struct lw_graph {
  atomic_uint users;
  struct work **nodes; // each after those that it waits for
  uint64_t count, capacity;
};

struct capture {
  uint32_t users;
  bool over;
  struct lw_queue *origin;
  struct lw_graph *graph;
};

#endif
