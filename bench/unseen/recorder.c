// SPDX-License-Identifier: Apache-2.0
// A layer between an OpenCL program and its implementation, which writes kernel launches to files.
//
// Loaders put the libraries that OPENCL_LAYERS names between program and platform (cl_layer.h of Khronos' loader:
// clGetLayerInfo, clInitLayer). This one watches which handles are buffers and what kernels' arguments are set to.
// Before a launch it writes to the folder of BENCH_UNSEEN_FOLDER what bench/unseen/recording.py reads:
//
//   KERNEL-HASH/launch      lines of words: the kernel, its sizes, and its arguments, one per line
//   KERNEL-HASH/source.cl   the program
//   KERNEL-HASH/options     those that it was built with
//   KERNEL-HASH/memory-N    contents of a buffer before the launch; parts of one buffer share a file
//
// The hash is that of source and options. One launch per kernel is kept, the first of those with the most work-items;
// it is written to KERNEL-HASH.unfinished-PID, which takes the other's place once it is whole.
// Left out, with a line on standard error, which is not repeated for a kernel: launches with images, shared virtual
// memory or large buffers, those of programs without a source, and those while a user event is not set, for which the
// recorder would wait on the thread that may be the one to set it.
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder_folders.h"
#include "recorder_opencl.h"

#define EXPORTED __attribute__((visibility("default")))
#define MOST_BYTES ((size_t)512 << 20) // of the buffers of a launch
#define MOST_ARGUMENTS 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// What an argument was set to. `bytes` is NULL for local memory and where no value was given; `svm` is for a pointer of
// shared virtual memory.
struct argument {
  handle kernel;
  uint32_t place;
  int svm;
  size_t size;
  unsigned char *bytes;
};
static struct argument *arguments;
static size_t argument_count;

static handle *memories; // every handle that was ever one
static size_t memory_count;

struct kept {
  uint64_t program;
  char kernel[128];
  size_t work_items; // of the launch that is kept, 0 before the first
  uint64_t said;     // the hash of the last line on why one is not
};
static struct kept *kept;
static size_t kept_count;

// User events without a status yet. The lock is not for this: to set an event must never wait.
static atomic_int unset_events;

// An array that grows. Ends the process where there is no memory: a recording must not lack launches in silence.
static void *grown(void *array, size_t count, size_t size) {
  if (count & (count - 1)) // room doubles at powers of two
    return array;
  array = realloc(array, (count ? 2 * count : 1) * size);
  if (!array)
    abort();
  return array;
}

static void remember(handle memory) {
  if (!memory)
    return;
  pthread_mutex_lock(&lock);
  memories = grown(memories, memory_count, sizeof *memories);
  memories[memory_count++] = memory;
  pthread_mutex_unlock(&lock);
}

static int is_memory(handle candidate) {
  for (size_t i = memory_count; i-- > 0;)
    if (memories[i] == candidate)
      return 1;
  return 0;
}

// --- functions that create memory and programs ------------------------------------------------------------------------

// Flags that forbid the host to read are taken away, so that contents can be.
static handle create_buffer(handle context, uint64_t flags, size_t size, void *data, code *result) {
  handle made = NEXT(handle, CreateBuffer, handle, uint64_t, size_t, void *, code *)(context, flags & ~(uint64_t)HOST_ACCESS,
                                                                                     size, data, result);
  remember(made);
  return made;
}
static handle create_buffer_with_properties(handle context, const void *properties, uint64_t flags, size_t size,
                                            void *data, code *result) {
  handle made = NEXT(handle, CreateBufferWithProperties, handle, const void *, uint64_t, size_t, void *, code *)(
      context, properties, flags & ~(uint64_t)HOST_ACCESS, size, data, result);
  remember(made);
  return made;
}
static handle create_sub_buffer(handle buffer, uint64_t flags, uint32_t type, const void *region, code *result) {
  handle made = NEXT(handle, CreateSubBuffer, handle, uint64_t, uint32_t, const void *, code *)(
      buffer, flags & ~(uint64_t)HOST_ACCESS, type, region, result);
  remember(made);
  return made;
}
static handle create_image(handle context, uint64_t flags, const void *format, const void *shape, void *data,
                           code *result) {
  handle made = NEXT(handle, CreateImage, handle, uint64_t, const void *, const void *, void *, code *)(
      context, flags, format, shape, data, result);
  remember(made);
  return made;
}
static handle create_image_with_properties(handle context, const void *properties, uint64_t flags, const void *format,
                                           const void *shape, void *data, code *result) {
  handle made =
      NEXT(handle, CreateImageWithProperties, handle, const void *, uint64_t, const void *, const void *, void *,
           code *)(context, properties, flags, format, shape, data, result);
  remember(made);
  return made;
}
static handle create_image_2d(handle context, uint64_t flags, const void *format, size_t width, size_t height,
                              size_t pitch, void *data, code *result) {
  handle made = NEXT(handle, CreateImage2D, handle, uint64_t, const void *, size_t, size_t, size_t, void *, code *)(
      context, flags, format, width, height, pitch, data, result);
  remember(made);
  return made;
}
static handle create_image_3d(handle context, uint64_t flags, const void *format, size_t width, size_t height,
                              size_t depth, size_t row, size_t slice, void *data, code *result) {
  handle made = NEXT(handle, CreateImage3D, handle, uint64_t, const void *, size_t, size_t, size_t, size_t, size_t,
                     void *, code *)(context, flags, format, width, height, depth, row, slice, data, result);
  remember(made);
  return made;
}

// Kernels outlive the program's own reference to what they are of, and some implementations then don't name it any more.
static handle create_program_with_source(handle context, uint32_t count, const char **texts, const size_t *lengths,
                                         code *result) {
  handle made = NEXT(handle, CreateProgramWithSource, handle, uint32_t, const char **, const size_t *, code *)(
      context, count, texts, lengths, result);
  if (made)
    NEXT(code, RetainProgram, handle)(made);
  return made;
}

static handle create_user_event(handle context, code *result) {
  handle made = NEXT(handle, CreateUserEvent, handle, code *)(context, result);
  if (made)
    unset_events++;
  return made;
}
static code set_user_event_status(handle event, code status) {
  code result = NEXT(code, SetUserEventStatus, handle, code)(event, status);
  if (result == NO_ERROR)
    unset_events--;
  return result;
}

// --- arguments -------------------------------------------------------------------------------------------------------

static struct argument *argument_of(handle kernel, uint32_t place) {
  for (size_t i = argument_count; i-- > 0;)
    if (arguments[i].kernel == kernel && arguments[i].place == place)
      return &arguments[i];
  return NULL;
}

static void keep_argument(handle kernel, uint32_t place, size_t size, const void *value, int svm) {
  pthread_mutex_lock(&lock);
  struct argument *argument = argument_of(kernel, place);
  if (!argument) {
    arguments = grown(arguments, argument_count, sizeof *arguments);
    argument = &arguments[argument_count++];
    *argument = (struct argument){kernel, place, 0, 0, NULL};
  }
  free(argument->bytes);
  argument->size = size;
  argument->svm = svm;
  argument->bytes = NULL;
  if (value) {
    argument->bytes = malloc(size ? size : 1);
    if (!argument->bytes)
      abort();
    memcpy(argument->bytes, value, size);
  }
  pthread_mutex_unlock(&lock);
}

static code set_kernel_arg(handle kernel, uint32_t place, size_t size, const void *value) {
  code result = NEXT(code, SetKernelArg, handle, uint32_t, size_t, const void *)(kernel, place, size, value);
  if (result == NO_ERROR)
    keep_argument(kernel, place, size, value, 0);
  return result;
}
static code set_kernel_arg_svm(handle kernel, uint32_t place, const void *pointer) {
  code result = NEXT(code, SetKernelArgSVMPointer, handle, uint32_t, const void *)(kernel, place, pointer);
  if (result == NO_ERROR)
    keep_argument(kernel, place, sizeof pointer, &pointer, 1);
  return result;
}

// --- launches --------------------------------------------------------------------------------------------------------

// Says why a launch of a kernel is left out, unless that was the last that was said of it.
static void skipped(struct kept *kept, const char *format, ...) {
  char why[1200];
  va_list values;
  va_start(values, format);
  vsnprintf(why, sizeof why, format, values);
  va_end(values);
  uint64_t hash = hash_of(0xCBF29CE484222325u, why);
  if (hash != kept->said)
    fprintf(stderr, "bench.unseen: %s is not recorded: %s\n", kept->kernel, why);
  kept->said = hash;
}

struct launch {
  handle queue, kernel;
  uint32_t dimensions;
  const size_t *offset, *global, *local;
  uint32_t event_count;
  const void *events;
};

// The different buffers of a launch; the number of one is its place.
struct buffers {
  handle roots[MOST_ARGUMENTS];
  int count;
  size_t bytes;
};

// The number of a buffer, -1 if it is one too many.
static int number_of(handle root, struct buffers *buffers, struct kept *kept) {
  for (int i = 0; i < buffers->count; i++)
    if (buffers->roots[i] == root)
      return i;
  buffers->bytes += size_of(root);
  if (buffers->bytes > MOST_BYTES) {
    skipped(kept, "its buffers have more than %zu bytes", MOST_BYTES);
    return -1;
  }
  buffers->roots[buffers->count] = root;
  return buffers->count++;
}

// Writes the contents of buffers; 0 if that fails.
static int write_memories(const struct launch *launch, const char *folder, const struct buffers *buffers,
                          struct kept *kept) {
  for (int i = 0; i < buffers->count; i++) {
    size_t size = size_of(buffers->roots[i]);
    void *data = malloc(size);
    char name[32];
    snprintf(name, sizeof name, "memory-%d", i);
    code result = !data ? -1
                        : NEXT(code, EnqueueReadBuffer, handle, handle, uint32_t, size_t, size_t, void *, uint32_t,
                               const void *, void *)(launch->queue, buffers->roots[i], 1, 0, size, data, 0, NULL, NULL);
    int written = result == NO_ERROR && write_file(folder, name, data, size);
    free(data);
    if (!written) {
      skipped(kept, "a buffer can't be read or written (%d)", result);
      return 0;
    }
  }
  return 1;
}

// Writes the line of an argument; 0 if the launch can't be recorded.
static int write_argument(FILE *file, const struct argument *argument, struct buffers *buffers, struct kept *kept) {
  handle memory = NULL;
  if (argument->svm) {
    skipped(kept, "argument %u is shared virtual memory", argument->place);
    return 0;
  }
  if (!argument->bytes) {
    if (!is_local(argument->kernel, argument->place)) {
      skipped(kept, "argument %u has no value and is not local memory", argument->place);
      return 0;
    }
    fprintf(file, "local %zu\n", argument->size);
    return 1;
  }
  if (argument->size == sizeof memory)
    memcpy(&memory, argument->bytes, sizeof memory);
  if (!memory || !is_memory(memory)) {
    fputs("value ", file);
    for (size_t i = 0; i < argument->size; i++)
      fprintf(file, "%02x", argument->bytes[i]);
    fputc('\n', file);
    return 1;
  }
  uint32_t type = 0;
  size_t offset = 0;
  handle root = NULL;
  INFO(GetMemObjectInfo)(memory, MEMORY_TYPE, sizeof type, &type, NULL);
  if (type != MEMORY_BUFFER) {
    skipped(kept, "argument %u is an image", argument->place);
    return 0;
  }
  INFO(GetMemObjectInfo)(memory, MEMORY_OFFSET, sizeof offset, &offset, NULL);
  INFO(GetMemObjectInfo)(memory, MEMORY_PARENT, sizeof root, &root, NULL);
  int number = number_of(root ? root : memory, buffers, kept);
  if (number < 0)
    return 0;
  fprintf(file, "buffer %d %zu %zu\n", number, offset, size_of(memory));
  return 1;
}

// Writes the lines of a launch's arguments; 0 if it can't be recorded.
static int write_arguments(FILE *file, const struct launch *launch, struct buffers *buffers, struct kept *kept) {
  uint32_t wanted = 0; // those of a released kernel, whose handle this one has, may be more
  INFO(GetKernelInfo)(launch->kernel, KERNEL_ARGUMENTS, sizeof wanted, &wanted, NULL);
  if (wanted > MOST_ARGUMENTS) {
    skipped(kept, "it has more than %d arguments", MOST_ARGUMENTS);
    return 0;
  }
  for (uint32_t place = 0; place < wanted; place++) {
    const struct argument *argument = argument_of(launch->kernel, place);
    if (!argument) {
      skipped(kept, "argument %u was not seen", place);
      return 0;
    }
    if (!write_argument(file, argument, buffers, kept))
      return 0;
  }
  return 1;
}

// Writes the file `launch` and the contents of buffers; 0 if the launch can't be recorded.
static int write_launch(const struct launch *launch, const char *folder, const char *kernel, struct kept *kept) {
  char path[1200];
  snprintf(path, sizeof path, "%s/launch", folder);
  FILE *file = fopen(path, "w");
  if (!file) {
    skipped(kept, "%s can't be written", path);
    return 0;
  }
  fprintf(file, "kernel %s\n", kernel);
  write_sizes(file, "global", launch->global, launch->dimensions);
  if (launch->local)
    write_sizes(file, "local-size", launch->local, launch->dimensions);
  if (launch->offset)
    write_sizes(file, "offset", launch->offset, launch->dimensions);
  struct buffers buffers = {.count = 0, .bytes = 0};
  int whole = write_arguments(file, launch, &buffers, kept);
  int failed = ferror(file);
  failed |= fclose(file);
  if (whole && failed)
    skipped(kept, "%s can't be written", path);
  return whole && !failed && write_memories(launch, folder, &buffers, kept);
}

// Writes all of a launch to `folder`, in place of an earlier one; 0 if it can't be recorded, and the earlier one stays.
static int write_folder(const struct launch *launch, const char *folder, const char *kernel, const char *source,
                        const char *options, struct kept *kept) {
  char unfinished[1100];
  snprintf(unfinished, sizeof unfinished, "%s.unfinished-%d", folder, (int)getpid());
  remove_folder(unfinished);
  int written = mkdir(unfinished, 0777) == 0 && write_file(unfinished, "source.cl", source, strlen(source)) &&
                write_file(unfinished, "options", options, strlen(options));
  if (!written)
    skipped(kept, "%s can't be written", unfinished);
  else if (write_launch(launch, unfinished, kernel, kept)) {
    if (replace_folder(folder, unfinished))
      return 1;
    skipped(kept, "%s can't be replaced", folder);
  }
  remove_folder(unfinished);
  return 0;
}

// What is known of a kernel's launches. The place changes with the next new kernel: for as long as the lock is held.
static struct kept *kept_of(uint64_t program, const char *kernel) {
  for (size_t i = 0; i < kept_count; i++)
    if (kept[i].program == program && strncmp(kept[i].kernel, kernel, sizeof kept[i].kernel - 1) == 0)
      return &kept[i];
  kept = grown(kept, kept_count, sizeof *kept);
  kept[kept_count] = (struct kept){program, "", 0, 0};
  strncpy(kept[kept_count].kernel, kernel, sizeof kept->kernel - 1);
  return &kept[kept_count++];
}

// Whether a launch is to be written: the first of the kernel, or one with more work-items.
static int is_wanted(struct kept *of, const char *source, size_t work_items) {
  if (work_items <= of->work_items)
    return 0;
  if (!source || !source[0])
    skipped(of, "its program has no source");
  else if (unset_events > 0)
    skipped(of, "a user event is not set yet");
  else
    return 1;
  return 0;
}

static void record(const struct launch *launch) {
  const char *folder = getenv("BENCH_UNSEEN_FOLDER");
  handle program = NULL;
  if (!folder || INFO(GetKernelInfo)(launch->kernel, KERNEL_PROGRAM, sizeof program, &program, NULL) != NO_ERROR)
    return;
  char *kernel = text_of(INFO(GetKernelInfo), launch->kernel, KERNEL_NAME);
  char *source = text_of(INFO(GetProgramInfo), program, PROGRAM_SOURCE);
  char *options = options_of(program, launch->queue);
  size_t work_items = 1;
  for (uint32_t i = 0; i < launch->dimensions; i++)
    work_items *= launch->global[i];
  if (kernel && options && work_items) {
    uint64_t hash = hash_of(hash_of(hash_of(0xCBF29CE484222325u, source ? source : ""), "\n"), options);
    pthread_mutex_lock(&lock);
    int wanted = is_wanted(kept_of(hash, kernel), source, work_items);
    pthread_mutex_unlock(&lock);
    if (wanted) { // waits without the lock: what is waited for may need other threads' calls
      code result = NO_ERROR;
      if (launch->event_count)
        result = NEXT(code, WaitForEvents, uint32_t, const void *)(launch->event_count, launch->events);
      if (result == NO_ERROR)
        result = NEXT(code, Finish, handle)(launch->queue);
      pthread_mutex_lock(&lock);
      struct kept *of = kept_of(hash, kernel);
      char path[1024];
      snprintf(path, sizeof path, "%s/%.100s-%08x", folder, kernel, (unsigned)(hash ^ hash >> 32));
      if (result != NO_ERROR)
        skipped(of, "what it waits for failed (%d)", result);
      else if (is_wanted(of, source, work_items) && write_folder(launch, path, kernel, source, options, of))
        of->work_items = work_items;
      pthread_mutex_unlock(&lock);
    }
  }
  free(kernel);
  free(source);
  free(options);
}

static code enqueue_nd_range_kernel(handle queue, handle kernel, uint32_t dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local, uint32_t event_count,
                                    const void *events, void *event) {
  if (global && dimensions >= 1 && dimensions <= 3)
    record(&(struct launch){queue, kernel, dimensions, offset, global, local, event_count, events});
  return NEXT(code, EnqueueNDRangeKernel, handle, handle, uint32_t, const size_t *, const size_t *, const size_t *,
              uint32_t, const void *, void *)(queue, kernel, dimensions, offset, global, local, event_count, events,
                                              event);
}
static code enqueue_task(handle queue, handle kernel, uint32_t event_count, const void *events, void *event) {
  const size_t one = 1;
  return enqueue_nd_range_kernel(queue, kernel, 1, NULL, &one, &one, event_count, events, event);
}

// --- the layer -------------------------------------------------------------------------------------------------------

EXPORTED code clGetLayerInfo(uint32_t what, size_t size, void *value, size_t *needed) {
  static const char name[] = "bench.unseen recorder";
  const uint32_t version = 100;
  const void *given = what == LAYER_VERSION ? (const void *)&version : name;
  size_t length = what == LAYER_VERSION ? sizeof version : sizeof name;
  if ((what != LAYER_VERSION && what != LAYER_NAME) || (value && size < length))
    return -30; // CL_INVALID_VALUE
  if (value)
    memcpy(value, given, length);
  if (needed)
    *needed = length;
  return NO_ERROR;
}

EXPORTED code clInitLayer(uint32_t count, void (*const *target)(void), uint32_t *our_count,
                          void (*const **our_table)(void)) {
  if (count <= CreateImageWithProperties || count > MOST_FUNCTIONS)
    return -30;
  memcpy(next, target, count * sizeof *target);
  memcpy(ours, target, count * sizeof *target);
#define OURS(place, function) ours[place] = (void (*)(void))function
  OURS(CreateBuffer, create_buffer);
  OURS(CreateImage2D, create_image_2d);
  OURS(CreateImage3D, create_image_3d);
  OURS(CreateProgramWithSource, create_program_with_source);
  OURS(SetKernelArg, set_kernel_arg);
  OURS(EnqueueNDRangeKernel, enqueue_nd_range_kernel);
  OURS(EnqueueTask, enqueue_task);
  OURS(CreateSubBuffer, create_sub_buffer);
  OURS(CreateUserEvent, create_user_event);
  OURS(SetUserEventStatus, set_user_event_status);
  OURS(CreateImage, create_image);
  OURS(SetKernelArgSVMPointer, set_kernel_arg_svm);
  OURS(CreateBufferWithProperties, create_buffer_with_properties);
  OURS(CreateImageWithProperties, create_image_with_properties);
  *our_count = count;
  *our_table = ours;
  return NO_ERROR;
}
