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
// The hash is that of source and options. One launch per kernel is kept, the first of those with the most work-items.
// Left out, each with a line on standard error: launches with images, shared virtual memory or large buffers, and
// those of programs without a source.
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define MOST_BYTES ((size_t)512 << 20) // of the buffers of a launch
#define MOST_ARGUMENTS 256

typedef int32_t code; // cl_int
typedef void *handle; // cl_mem, cl_kernel and so on

// Places in the table of cl_khr_icd. The names are those of the functions without "cl".
enum {
  GetCommandQueueInfo = 12,
  CreateBuffer = 14,
  CreateImage2D = 15,
  CreateImage3D = 16,
  GetMemObjectInfo = 20,
  CreateProgramWithSource = 26,
  RetainProgram = 28,
  GetProgramInfo = 32,
  GetProgramBuildInfo = 33,
  SetKernelArg = 38,
  GetKernelInfo = 39,
  WaitForEvents = 41,
  Finish = 47,
  EnqueueReadBuffer = 48,
  EnqueueNDRangeKernel = 59,
  EnqueueTask = 60,
  CreateSubBuffer = 82,
  CreateImage = 96,
  SetKernelArgSVMPointer = 134,
  CreateBufferWithProperties = 146,
  CreateImageWithProperties = 147,
  MOST_FUNCTIONS = 256,
};
enum { // OpenCL's numbers
  NO_ERROR = 0,
  MEMORY_BUFFER = 0x10F0,
  MEMORY_TYPE = 0x1100,
  MEMORY_SIZE = 0x1102,
  MEMORY_PARENT = 0x1107,
  MEMORY_OFFSET = 0x1108,
  HOST_ACCESS = 1 << 7 | 1 << 8 | 1 << 9, // flags: the host does not read, or does not write
  PROGRAM_SOURCE = 0x1164,
  BUILD_OPTIONS = 0x1182,
  KERNEL_NAME = 0x1190,
  KERNEL_ARGUMENTS = 0x1191,
  KERNEL_PROGRAM = 0x1194,
  QUEUE_DEVICE = 0x1091,
  LAYER_VERSION = 0x4240,
  LAYER_NAME = 0x4241,
};

static void (*next[MOST_FUNCTIONS])(void), (*ours[MOST_FUNCTIONS])(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Calls the implementation's function.
#define NEXT(result, name, ...) ((result(*)(__VA_ARGS__))next[name])
typedef code get_info(handle, uint32_t, size_t, void *, size_t *);
#define INFO(name) ((get_info *)next[name])

// What an argument was set to. `bytes` is NULL for local memory; `svm` for a pointer of shared virtual memory.
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
  size_t work_items;
};
static struct kept *kept;
static size_t kept_count;

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
  if (value && (argument->bytes = malloc(size)))
    memcpy(argument->bytes, value, size);
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

// What an object says of itself as text, to be freed; NULL if it says nothing.
static char *text_of(get_info *get, handle object, uint32_t what) {
  size_t size = 0;
  if (get(object, what, 0, NULL, &size) != NO_ERROR || size == 0)
    return NULL;
  char *text = calloc(size + 1, 1);
  if (text && get(object, what, size, text, NULL) != NO_ERROR)
    text[0] = 0;
  return text;
}

static char *options_of(handle program, handle queue) {
  handle device = NULL;
  INFO(GetCommandQueueInfo)(queue, QUEUE_DEVICE, sizeof device, &device, NULL);
  size_t size = 0;
  code (*get)(handle, handle, uint32_t, size_t, void *, size_t *) =
      (code(*)(handle, handle, uint32_t, size_t, void *, size_t *))next[GetProgramBuildInfo];
  get(program, device, BUILD_OPTIONS, 0, NULL, &size);
  char *text = calloc(size + 1, 1);
  if (text && size)
    get(program, device, BUILD_OPTIONS, size, text, NULL);
  return text;
}

// FNV-1a.
static uint64_t hash_of(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
  return hash;
}

static int write_file(const char *folder, const char *name, const void *data, size_t size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file)
    return 0;
  int whole = fwrite(data, 1, size, file) == size;
  return fclose(file) == 0 && whole;
}

static void skipped(const char *kernel, const char *format, ...) {
  va_list values;
  va_start(values, format);
  fprintf(stderr, "bench.unseen: %s is not recorded: ", kernel);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
}

struct launch {
  handle queue, kernel;
  uint32_t dimensions;
  const size_t *offset, *global, *local;
};

static void write_sizes(FILE *file, const char *word, const size_t *sizes, uint32_t count) {
  fputs(word, file);
  for (uint32_t i = 0; i < count; i++)
    fprintf(file, " %zu", sizes[i]);
  fputc('\n', file);
}

// Writes the contents of the buffer that holds `memory`, unless `roots` has it; its number there, -1 if that fails.
static int write_memory(const struct launch *launch, const char *folder, const char *kernel, handle root,
                        handle *roots, int *count, size_t *total) {
  for (int i = 0; i < *count; i++)
    if (roots[i] == root)
      return i;
  size_t size = 0;
  INFO(GetMemObjectInfo)(root, MEMORY_SIZE, sizeof size, &size, NULL);
  *total += size;
  if (*total > MOST_BYTES) {
    skipped(kernel, "its buffers have more than %zu bytes", MOST_BYTES);
    return -1;
  }
  void *data = malloc(size);
  char name[32];
  snprintf(name, sizeof name, "memory-%d", *count);
  code result = !data ? -1
                      : NEXT(code, EnqueueReadBuffer, handle, handle, uint32_t, size_t, size_t, void *, uint32_t,
                             const void *, void *)(launch->queue, root, 1, 0, size, data, 0, NULL, NULL);
  int written = result == NO_ERROR && write_file(folder, name, data, size);
  free(data);
  if (!written) {
    skipped(kernel, "a buffer can't be read or written (%d)", result);
    return -1;
  }
  roots[*count] = root;
  return (*count)++;
}

// Writes the line of an argument; 0 if the launch can't be recorded.
static int write_argument(FILE *file, const struct launch *launch, const struct argument *argument, const char *folder,
                          const char *kernel, handle *roots, int *count, size_t *total) {
  handle memory = NULL;
  if (argument->svm) {
    skipped(kernel, "argument %u is shared virtual memory", argument->place);
    return 0;
  }
  if (!argument->bytes) {
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
  size_t offset = 0, size = 0;
  handle root = NULL;
  INFO(GetMemObjectInfo)(memory, MEMORY_TYPE, sizeof type, &type, NULL);
  if (type != MEMORY_BUFFER) {
    skipped(kernel, "argument %u is an image", argument->place);
    return 0;
  }
  INFO(GetMemObjectInfo)(memory, MEMORY_SIZE, sizeof size, &size, NULL);
  INFO(GetMemObjectInfo)(memory, MEMORY_OFFSET, sizeof offset, &offset, NULL);
  INFO(GetMemObjectInfo)(memory, MEMORY_PARENT, sizeof root, &root, NULL);
  int number = write_memory(launch, folder, kernel, root ? root : memory, roots, count, total);
  if (number < 0)
    return 0;
  fprintf(file, "buffer %d %zu %zu\n", number, offset, size);
  return 1;
}

static void write_launch(const struct launch *launch, const char *folder, const char *kernel) {
  char unfinished[1024], path[1024];
  snprintf(unfinished, sizeof unfinished, "%s/unfinished", folder);
  snprintf(path, sizeof path, "%s/launch", folder);
  FILE *file = fopen(unfinished, "w");
  if (!file) {
    skipped(kernel, "%s can't be written", unfinished);
    return;
  }
  fprintf(file, "kernel %s\n", kernel);
  write_sizes(file, "global", launch->global, launch->dimensions);
  if (launch->local)
    write_sizes(file, "local-size", launch->local, launch->dimensions);
  if (launch->offset)
    write_sizes(file, "offset", launch->offset, launch->dimensions);
  handle roots[MOST_ARGUMENTS];
  uint32_t arguments_wanted = 0; // those of a released kernel, whose handle this one has, may be more
  INFO(GetKernelInfo)(launch->kernel, KERNEL_ARGUMENTS, sizeof arguments_wanted, &arguments_wanted, NULL);
  int count = 0, whole = arguments_wanted <= MOST_ARGUMENTS;
  size_t total = 0;
  for (uint32_t place = 0; whole && place < arguments_wanted; place++) {
    const struct argument *argument = argument_of(launch->kernel, place);
    whole = argument && write_argument(file, launch, argument, folder, kernel, roots, &count, &total);
  }
  whole &= fclose(file) == 0;
  if (whole)
    rename(unfinished, path);
  else
    unlink(unfinished);
}

// Whether the launch is to be written: the first of the kernel, or one with more work-items.
static int is_wanted(uint64_t program, const char *kernel, size_t work_items) {
  for (size_t i = 0; i < kept_count; i++)
    if (kept[i].program == program && strncmp(kept[i].kernel, kernel, sizeof kept[i].kernel - 1) == 0) {
      int more = work_items > kept[i].work_items;
      kept[i].work_items = more ? work_items : kept[i].work_items;
      return more;
    }
  kept = grown(kept, kept_count, sizeof *kept);
  kept[kept_count] = (struct kept){program, "", work_items};
  strncpy(kept[kept_count].kernel, kernel, sizeof kept->kernel - 1);
  kept_count++;
  return 1;
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
  if (kernel && options && (!source || !source[0]))
    skipped(kernel, "its program has no source");
  else if (kernel && source && options && work_items) {
    uint64_t hash = hash_of(hash_of(hash_of(0xCBF29CE484222325u, source), "\n"), options);
    pthread_mutex_lock(&lock);
    if (is_wanted(hash, kernel, work_items)) {
      char path[1024];
      snprintf(path, sizeof path, "%s/%.100s-%08x", folder, kernel, (unsigned)(hash ^ hash >> 32));
      NEXT(code, Finish, handle)(launch->queue);
      mkdir(path, 0777);
      if (write_file(path, "source.cl", source, strlen(source)) && write_file(path, "options", options, strlen(options)))
        write_launch(launch, path, kernel);
      else
        skipped(kernel, "%s can't be written", path);
    }
    pthread_mutex_unlock(&lock);
  }
  free(kernel);
  free(source);
  free(options);
}

static code enqueue_nd_range_kernel(handle queue, handle kernel, uint32_t dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local, uint32_t event_count,
                                    const void *events, void *event) {
  if (global) {
    if (event_count)
      NEXT(code, WaitForEvents, uint32_t, const void *)(event_count, events);
    record(&(struct launch){queue, kernel, dimensions, offset, global, local});
  }
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
  OURS(CreateImage, create_image);
  OURS(SetKernelArgSVMPointer, set_kernel_arg_svm);
  OURS(CreateBufferWithProperties, create_buffer_with_properties);
  OURS(CreateImageWithProperties, create_image_with_properties);
  *our_count = count;
  *our_table = ours;
  return NO_ERROR;
}
