// SPDX-License-Identifier: Apache-2.0
// A host runtime (runtime/host/lanewise.h) for tests of libcudart alone: one thread, and as lazy as the interface
// allows. Work is done when somebody waits, in the order in which it was added, so a library that relies on work being
// done earlier is found out.
#define _GNU_SOURCE
#include "../../../src/lanewise/runtime/host/lanewise.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char explanation[256];

static int32_t because(int32_t result, const char *text) {
  snprintf(explanation, sizeof explanation, "%s", text);
  return result;
}

const char *lw_explanation(void) { return explanation; }

int32_t lw_device_open(void) { return LW_SUCCESS; }
int32_t lw_is_gpu(void) { return 0; }
int32_t lw_gpu_describe(lw_gpu *described) { return described != NULL ? LW_NOT_SUPPORTED : LW_INVALID; }
int32_t lw_gpu_attribute(int32_t attribute, int32_t *value) { return *value = attribute, LW_NOT_SUPPORTED; }
int32_t lw_gpu_memory(uint64_t *left, uint64_t *total) { return *left = *total = 0, LW_NOT_SUPPORTED; }
int32_t lw_variable_address(const lw_image *image, const lw_variable_image *variable, void **address) {
  (void)image;
  *address = variable->address;
  return LW_SUCCESS;
}

// ---- Memory
// ----------------------------------------------------------------------------------------------------------

// Behind an allocation lie GUARD bytes that can't be accessed, as many as the runtime's own arrays have at least.
enum { MOST = 4096, PAGE = 4096, GUARD = 64 << 10 };
static lw_allocation known[MOST];
static int num_known;

static uint64_t room(const lw_allocation *a) {
  return a->kind >= LW_REGISTERED_MEMORY ? a->bytes : (a->bytes + 255) / 256 * 256;
}

int32_t lw_memory_allocate(uint64_t bytes, uint32_t kind, uint32_t flags, void **address) {
  uint64_t used = (bytes + 255) / 256 * 256, pages = (used + PAGE - 1) / PAGE * PAGE;
  char *range = mmap(NULL, pages + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED || num_known == MOST)
    return because(LW_NO_MEMORY, "no memory");
  mprotect(range, pages, PROT_READ | PROT_WRITE);
  *address = range + pages - used;
  known[num_known++] = (lw_allocation){*address, bytes, kind, flags};
  return LW_SUCCESS;
}

int32_t lw_memory_free(void *address, uint32_t kind) {
  for (int i = 0; i < num_known; ++i)
    if (known[i].address == address && known[i].kind < LW_REGISTERED_MEMORY && (!kind || known[i].kind == kind)) {
      uint64_t pages = (room(&known[i]) + PAGE - 1) / PAGE * PAGE;
      munmap((void *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1)), pages + GUARD);
      known[i] = known[--num_known];
      return LW_SUCCESS;
    }
  return because(LW_INVALID, "no allocation starts there");
}

int32_t lw_memory_find(const void *address, lw_allocation *found) {
  for (int i = 0; i < num_known; ++i)
    if ((uintptr_t)address - (uintptr_t)known[i].address < room(&known[i])) {
      *found = known[i];
      return 1;
    }
  return 0;
}

int32_t lw_memory_nearest(const void *address, lw_allocation *found) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < num_known; ++i) {
    uintptr_t at = (uintptr_t)address, start = (uintptr_t)known[i].address, end = start + known[i].bytes;
    uint64_t distance = at < start ? start - at : at >= end ? at - end : 0;
    if (distance < least) {
      least = distance;
      *found = known[i];
    }
  }
  return num_known > 0;
}

int32_t lw_memory_register(void *address, uint64_t bytes, uint32_t kind, uint32_t flags) {
  for (int i = 0; i < num_known; ++i)
    if ((char *)address < (char *)known[i].address + known[i].bytes &&
        (char *)known[i].address < (char *)address + bytes)
      return because(LW_INVALID, "it overlaps an allocation");
  known[num_known++] = (lw_allocation){address, bytes, kind, flags};
  return LW_SUCCESS;
}

int32_t lw_memory_unregister(void *address) {
  for (int i = 0; i < num_known; ++i)
    if (known[i].address == address && known[i].kind == LW_REGISTERED_MEMORY) {
      known[i] = known[--num_known];
      return LW_SUCCESS;
    }
  return because(LW_INVALID, "it is not registered");
}

// Nothing is mapped in these tests.
int32_t lw_memory_adopt(void *address, uint64_t bytes) {
  return lw_memory_register(address, bytes, LW_DEVICE_MEMORY, LW_ADOPTED);
}
int32_t lw_memory_disown(void *address) {
  (void)address;
  return because(LW_INVALID, "it is not mapped");
}

uint64_t lw_memory_used(void) {
  uint64_t sum = 0;
  for (int i = 0; i < num_known; ++i)
    if (known[i].kind == LW_DEVICE_MEMORY || known[i].kind == LW_MANAGED_MEMORY)
      sum += known[i].bytes;
  return sum;
}

// ---- Images
// ----------------------------------------------------------------------------------------------------------

static const lw_image *images[64];
static int num_images;

int32_t lw_image_add(const lw_image *image) {
  if (image->version != LW_IMAGE_VERSION)
    return because(LW_INVALID, "another version");
  images[num_images++] = image;
  for (uint32_t i = 0; i < image->num_variables; ++i)
    known[num_known++] = (lw_allocation){image->variables[i].address, image->variables[i].bytes, LW_VARIABLE_MEMORY, 0};
  return LW_SUCCESS;
}

void lw_image_remove(const lw_image *image) {
  for (int i = 0; i < num_images; ++i)
    if (images[i] == image)
      images[i] = images[--num_images];
}

const lw_image *lw_image_find(const uint8_t id[LW_IMAGE_ID_BYTES]) {
  for (int i = 0; i < num_images; ++i)
    if (memcmp(images[i]->id, id, LW_IMAGE_ID_BYTES) == 0)
      return images[i];
  return NULL;
}

const lw_kernel_image *lw_image_kernel(const lw_image *image, const char *symbol) {
  for (uint32_t i = 0; i < image->num_kernels; ++i)
    if (strcmp(image->kernels[i].symbol, symbol) == 0)
      return &image->kernels[i];
  return NULL;
}

const lw_variable_image *lw_image_variable(const lw_image *image, const char *symbol) {
  for (uint32_t i = 0; i < image->num_variables; ++i)
    if (strcmp(image->variables[i].symbol, symbol) == 0)
      return &image->variables[i];
  return NULL;
}

int32_t lw_variable_move(const lw_image *image, const char *symbol, void *address) {
  (void)image, (void)symbol, (void)address;
  return because(LW_INVALID, "there is no managed variable");
}

// ---- Work
// ------------------------------------------------------------------------------------------------------------

struct lw_queue {
  uint32_t flags;
  int32_t priority;
  int failed;
  int32_t returned;
  lw_status status;
  const char *kernel;
};

struct lw_event {
  int recorded, pending;
  uint32_t flags;
  uint64_t time;
};

enum work_kind { LAUNCH, COPY, FILL, CALL, RECORD };

typedef struct work {
  enum work_kind kind;
  lw_queue *queue;
  lw_kernel_launch launch;
  char args[1024] __attribute__((aligned(64)));
  char *target;
  const char *source;
  lw_pitch to, from;
  lw_box box;
  uint32_t value, value_bytes;
  lw_host_function function;
  void (*dropped)(void *);
  void *data;
  lw_event *event;
} work;

struct lw_graph {
  work nodes[64];
  uint64_t count;
};

static work list[MOST];
static int num_work, is_running;
static lw_queue default_queue;
static lw_failure_hook hook;
static int host_pointers;
static char output[1 << 16];
static size_t output_bytes;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static sigjmp_buf back;
static lw_status failure;

static void fail_at(const lw_launch *launch, uint32_t kind, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                    uint32_t ty, uint32_t tz) {
  (void)launch;
  failure.kind = kind;
  memcpy(failure.block, (uint32_t[]){gx, gy, gz}, sizeof failure.block);
  memcpy(failure.thread, (uint32_t[]){tx, ty, tz}, sizeof failure.thread);
  siglongjmp(back, 1);
}

static void trap(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                 uint32_t tz) {
  fail_at(launch, LW_TRAP, gx, gy, gz, tx, ty, tz);
}

static void assert_fail(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                        uint32_t tz, const char *message, const char *file, uint32_t line, const char *function) {
  snprintf(failure.message, sizeof failure.message, "%s", message);
  snprintf(failure.file, sizeof failure.file, "%s", file);
  snprintf(failure.function, sizeof failure.function, "%s", function);
  failure.line = line;
  fail_at(launch, LW_ASSERT, gx, gy, gz, tx, ty, tz);
}

static int32_t print(const lw_launch *launch, const char *format, const void *packed) {
  (void)launch;
  int32_t first;
  memcpy(&first, packed, sizeof first);
  output_bytes += (size_t)snprintf(output + output_bytes, sizeof output - output_bytes, format, first);
  return 1;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  failure.kind = LW_FAULT;
  failure.signal = (uint32_t)number;
  failure.address = (uint64_t)info->si_addr;
  failure.access = LW_WRITE;
  siglongjmp(back, 1);
}

static const lw_services services = {.trap = trap, .assert_fail = assert_fail, .vprintf = print};

static void run_groups(const work *w) {
  lw_position position = {0};
  const lw_kernel_launch *l = &w->launch;
  lw_launch launch = {.args = w->args,
                      .services = &services,
                      .dynamic_shared = l->dynamic_shared,
                      .flags = l->flags,
                      .position = &position};
  memcpy(launch.grid, l->grid, sizeof launch.grid);
  memcpy(launch.block, l->block, sizeof launch.block);
  static char arena[1 << 18] __attribute__((aligned(64)));
  for (uint32_t z = 0; z < l->grid[2]; ++z)
    for (uint32_t y = 0; y < l->grid[1]; ++y)
      for (uint32_t x = 0; x < l->grid[0]; ++x) {
        memcpy(failure.block, (uint32_t[]){x, y, z}, sizeof failure.block);
        l->kernel->codes[0].function(&launch, arena, x, y, z);
      }
}

static void run_launch(work *w) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old[4];
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (int i = 0; i < 4; ++i)
    sigaction(signals[i], &action, &old[i]);
  memset(&failure, 0, sizeof failure);
  if (sigsetjmp(back, 1) == 0)
    run_groups(w);
  for (int i = 0; i < 4; ++i)
    sigaction(signals[i], &old[i], NULL);
  if (failure.kind != LW_OK) {
    w->queue->failed = LW_LAUNCH_FAILED;
    w->queue->status = failure;
    w->queue->kernel = w->launch.kernel->name;
    if (hook)
      hook(w->queue, &w->launch, &failure);
  }
}

static void run_rows(const work *w) {
  for (uint64_t z = 0; z < w->box.planes; ++z)
    for (uint64_t y = 0; y < w->box.rows; ++y) {
      char *row = w->target + z * w->to.plane + y * w->to.row;
      if (w->kind == COPY)
        memmove(row, w->source + z * w->from.plane + y * w->from.row, w->box.bytes);
      else
        for (uint64_t i = 0; i + w->value_bytes <= w->box.bytes; i += w->value_bytes)
          memcpy(row + i, &w->value, w->value_bytes);
    }
}

static void run(work *w) {
  if (w->kind == RECORD) {
    w->event->time = now();
    w->event->pending = 0;
    return;
  }
  if (w->queue->failed) {
    if (w->kind == CALL && w->dropped)
      w->dropped(w->data);
    return;
  }
  if (w->kind == LAUNCH)
    run_launch(w);
  else if (w->kind == CALL) {
    is_running = 1;
    w->queue->returned = w->function(w->data);
    is_running = 0;
    if (w->queue->returned)
      w->queue->failed = LW_WORK_FAILED;
  } else
    run_rows(w);
}

static int32_t do_all(void) {
  if (is_running)
    return because(LW_NOT_PERMITTED, "a function in a queue can't wait for queues");
  for (int i = 0; i < num_work; ++i)
    run(&list[i]);
  num_work = 0;
  return LW_SUCCESS;
}

static work *add(lw_queue *queue, enum work_kind kind) {
  if (num_work == MOST)
    do_all();
  work *w = &list[num_work++];
  memset(w, 0, sizeof *w);
  w->queue = queue;
  w->kind = kind;
  return w;
}

// ---- Queues
// ----------------------------------------------------------------------------------------------------------

int32_t lw_queue_create(uint32_t flags, int32_t priority, lw_queue **queue) {
  *queue = calloc(1, sizeof **queue);
  (*queue)->flags = flags;
  (*queue)->priority = priority;
  return LW_SUCCESS;
}

void lw_queue_destroy(lw_queue *queue) { (void)queue; } // its work is still done

lw_queue *lw_default_queue(void) { return &default_queue; }
uint32_t lw_queue_flags_of(const lw_queue *queue) { return queue->flags; }
int32_t lw_queue_priority(const lw_queue *queue) { return queue->priority; }
void lw_allow_host_pointers(int32_t allow) { host_pointers = allow; }

static int32_t check(const lw_kernel_launch *launch) {
  const lw_kernel_image *kernel = launch->kernel;
  if (!kernel->num_codes)
    return because(LW_NO_KERNEL, "there is no machine code");
  for (uint32_t i = 0; i < kernel->num_parameters; ++i) {
    const lw_parameter *p = &kernel->parameters[i];
    lw_allocation found;
    void *pointer;
    if (p->kind != LW_POINTER || host_pointers)
      continue;
    memcpy(&pointer, (const char *)launch->args + p->offset, sizeof pointer);
    if (pointer && !lw_memory_find(pointer, &found)) {
      snprintf(explanation, sizeof explanation, "kernel %s: argument %u, %s, is in no memory of the device",
               launch->kernel->name, i + 1, p->name);
      return LW_BAD_POINTER;
    }
  }
  return LW_SUCCESS;
}

static void fill_launch(work *w, const lw_kernel_launch *launch) {
  w->launch = *launch;
  memcpy(w->args, launch->args, launch->kernel->args_bytes);
  w->launch.args = w->args;
}

int32_t lw_queue_launch(lw_queue *queue, const lw_kernel_launch *launch) {
  int32_t result = check(launch);
  if (result == LW_SUCCESS)
    fill_launch(add(queue, LAUNCH), launch);
  return result;
}

static void fill_rows(work *w, void *target, lw_pitch to, const void *source, lw_pitch from, uint32_t value,
                      uint32_t value_bytes, lw_box box) {
  w->target = target;
  w->to = to;
  w->source = source;
  w->from = from;
  w->value = value;
  w->value_bytes = value_bytes;
  w->box = box;
}

int32_t lw_queue_copy(lw_queue *queue, void *target, lw_pitch to, const void *source, lw_pitch from, lw_box box) {
  fill_rows(add(queue, COPY), target, to, source, from, 0, 0, box);
  return LW_SUCCESS;
}

int32_t lw_queue_fill(lw_queue *queue, void *target, lw_pitch pitch, uint32_t value, uint32_t bytes, lw_box box) {
  fill_rows(add(queue, FILL), target, pitch, NULL, pitch, value, bytes, box);
  return LW_SUCCESS;
}

int32_t lw_queue_call(lw_queue *queue, lw_host_function function, void (*dropped)(void *), void *data) {
  work *w = add(queue, CALL);
  w->function = function;
  w->dropped = dropped;
  w->data = data;
  return LW_SUCCESS;
}

int32_t lw_queue_synchronize(lw_queue *queue) {
  int32_t result = do_all();
  return result != LW_SUCCESS ? result : queue->failed;
}

int32_t lw_synchronize(void) { return lw_queue_synchronize(&default_queue); }

int32_t lw_is_idle(void) { return num_work == 0; }

// Work is done by the first query, which answers as if it had only looked.
int32_t lw_queue_query(lw_queue *queue) {
  for (int i = 0; i < num_work; ++i)
    if (list[i].queue == queue) {
      do_all();
      return LW_NOT_READY;
    }
  return queue->failed;
}

int32_t lw_queue_failure(lw_queue *queue, lw_status *status, const char **kernel, int32_t *returned) {
  if (status)
    *status = queue->status;
  *kernel = queue->kernel;
  *returned = queue->returned;
  return queue->failed;
}

void lw_queue_clear_failure(lw_queue *queue) { queue->failed = 0; }
void lw_set_failure_hook(lw_failure_hook given) { hook = given; }
void lw_set_stray_hook(lw_failure_hook given) { (void)given; }
void lw_tolerate_strays(int32_t tolerate) { (void)tolerate; }

void lw_flush_output(int32_t descriptor) {
  if (output_bytes && write(descriptor, output, output_bytes) < 0)
    return;
  output_bytes = 0;
}

// ---- Events
// ----------------------------------------------------------------------------------------------------------

int32_t lw_event_create(uint32_t flags, lw_event **event) {
  *event = calloc(1, sizeof **event);
  (*event)->flags = flags;
  return LW_SUCCESS;
}

void lw_event_destroy(lw_event *event) { (void)event; } // work may still record it

int32_t lw_event_record(lw_event *event, lw_queue *queue) {
  add(queue, RECORD)->event = event;
  event->recorded = event->pending = 1;
  return LW_SUCCESS;
}

int32_t lw_queue_wait(lw_queue *queue, lw_event *event) {
  (void)queue;
  (void)event; // work is done in the order in which it was added
  return LW_SUCCESS;
}

int32_t lw_event_synchronize(lw_event *event) {
  (void)event;
  return do_all();
}

int32_t lw_event_query(lw_event *event) {
  if (!event->pending)
    return LW_SUCCESS;
  do_all();
  return LW_NOT_READY;
}

int32_t lw_event_elapsed(float *milliseconds, lw_event *start, lw_event *end) {
  if (!start->recorded || !end->recorded || (start->flags | end->flags) & LW_NO_TIMING)
    return because(LW_INVALID, "an event has no time");
  if (start->pending || end->pending)
    return LW_NOT_READY;
  *milliseconds = (float)(end->time - start->time) / 1e6f;
  return LW_SUCCESS;
}

// ---- Graphs
// ----------------------------------------------------------------------------------------------------------

int32_t lw_graph_create(lw_graph **graph) {
  *graph = calloc(1, sizeof **graph);
  return LW_SUCCESS;
}

void lw_graph_destroy(lw_graph *graph) { free(graph); }
uint64_t lw_graph_size(const lw_graph *graph) { return graph->count; }

static work *node_of(lw_graph *graph, enum work_kind kind, const uint64_t *after, uint64_t count, uint64_t *node) {
  for (uint64_t i = 0; i < count; ++i)
    if (after[i] >= graph->count)
      return NULL;
  *node = graph->count;
  work *w = &graph->nodes[graph->count++];
  w->kind = kind;
  return w;
}

int32_t lw_graph_add_launch(lw_graph *graph, const lw_kernel_launch *launch, const uint64_t *after, uint64_t count,
                            uint64_t *node) {
  int32_t result = check(launch);
  work *w = result == LW_SUCCESS ? node_of(graph, LAUNCH, after, count, node) : NULL;
  if (!w)
    return result ? result : LW_INVALID;
  fill_launch(w, launch);
  return LW_SUCCESS;
}

int32_t lw_graph_add_copy(lw_graph *graph, void *target, lw_pitch to, const void *source, lw_pitch from, lw_box box,
                          const uint64_t *after, uint64_t count, uint64_t *node) {
  work *w = node_of(graph, COPY, after, count, node);
  if (!w)
    return LW_INVALID;
  fill_rows(w, target, to, source, from, 0, 0, box);
  return LW_SUCCESS;
}

int32_t lw_graph_add_fill(lw_graph *graph, void *target, lw_pitch pitch, uint32_t value, uint32_t bytes, lw_box box,
                          const uint64_t *after, uint64_t count, uint64_t *node) {
  work *w = node_of(graph, FILL, after, count, node);
  if (!w)
    return LW_INVALID;
  fill_rows(w, target, pitch, NULL, pitch, value, bytes, box);
  return LW_SUCCESS;
}

int32_t lw_graph_add_call(lw_graph *graph, lw_host_function function, void *data, const uint64_t *after, uint64_t count,
                          uint64_t *node) {
  work *w = node_of(graph, CALL, after, count, node);
  if (!w)
    return LW_INVALID;
  w->function = function;
  w->data = data;
  return LW_SUCCESS;
}

// Choices need work to be done while work is done.
int32_t lw_graph_add_choice(lw_graph *graph, const uint32_t *value, uint32_t kind, lw_graph *const *bodies,
                            uint32_t num_bodies, const uint64_t *after, uint64_t num_after, uint64_t *node) {
  (void)graph, (void)value, (void)kind, (void)bodies, (void)num_bodies, (void)after, (void)num_after, (void)node;
  return because(LW_NOT_SUPPORTED, "there are no choices here");
}

int32_t lw_graph_launch(const lw_graph *graph, lw_queue *queue) {
  for (uint64_t i = 0; i < graph->count; ++i) {
    work *w = add(queue, graph->nodes[i].kind);
    *w = graph->nodes[i];
    w->queue = queue;
    w->launch.args = w->args;
  }
  return LW_SUCCESS;
}

int32_t lw_ptx_open(const char *ptx, const lw_image **image, struct lw_library **library) {
  (void)ptx, (void)image, (void)library;
  return LW_NOT_SUPPORTED;
}
void lw_library_close(const lw_image *image, struct lw_library *library) { (void)image, (void)library; }
void lw_variables_restore(int32_t managed) { (void)managed; }
void lw_memory_discard(void *address) { (void)address; }
int32_t lw_memory_was_freed(const void *address) {
  (void)address;
  return 0;
}
void lw_check_found(const char *rule, const char *what) { (void)rule, (void)what; }
int32_t lw_memory_after(const void *address, lw_allocation *found) {
  (void)address, (void)found;
  return 0;
}
