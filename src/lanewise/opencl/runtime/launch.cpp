// SPDX-License-Identifier: Apache-2.0
// Launches of kernels over ranges of work-items.
#include "devices.h"
#include "fork.h"
#include "gpu_commands.h"
#include "image_variants.h"
#include "memory.h"
#include "program.h"
#include "ranges.h"
#include "residence.h"
#include "scheduler.h"

namespace lw_opencl {

// ---- Queues of the host runtime: each runs one command at a time ---------------------------------------------

static struct {
  pthread_mutex_t lock;
  List<lw_queue *> free[2]; // of the CPU, and of the GPU
} queues = {PTHREAD_MUTEX_INITIALIZER, {}};

lw_queue *take_queue(bool on_gpu) {
  {
    Held held(queues.lock);
    List<lw_queue *> &free = queues.free[on_gpu];
    if (free.count)
      return free[--free.count];
  }
  lw_queue *made = nullptr;
  uint32_t flags = LW_NON_BLOCKING | (on_gpu ? LW_ON_GPU : LW_WAITED_FOR);
  return lw_queue_create(flags, 0, &made) == LW_SUCCESS ? made : nullptr;
}

void give_queue(lw_queue *queue) {
  Held held(queues.lock);
  if (!queues.free[(lw_queue_flags_of(queue) & LW_ON_GPU) != 0].add(queue))
    lw_queue_destroy(queue);
}

pthread_mutex_t &lock_of_free_queues() { return queues.lock; }

// ---- Running -------------------------------------------------------------------------------------------------

static const char *what_failed(const lw_status &status) {
  switch (status.kind) {
  case LW_FAULT:
    return status.access == LW_WRITE  ? "a write of memory that is not there"
           : status.access == LW_READ ? "a read of memory that is not there"
                                      : "the processor refused an instruction";
  case LW_STACK_OVERFLOW:
    return "the stack is full";
  case LW_OVERRUN:
    return "memory beside a buffer was written";
  case LW_STUCK:
  case LW_DEADLOCK:
    return "work-items wait for what nobody changes";
  case LW_OUT_OF_MEMORY:
    return "no memory";
  default:
    return status.message[0] ? status.message : "it failed";
  }
}

void tell_context(const Context *context, const char *text) {
  if (context->notify)
    context->notify(text, nullptr, 0, context->data);
  else
    fprintf(stderr, "%s\n", text);
}

// Tells why a kernel failed.
static void report(const Context *context, lw_queue *queue, const char *name) {
  lw_status status = {};
  const char *kernel = nullptr;
  lw_queue_failure(queue, &status, &kernel, nullptr);
  if (!name && !kernel && (context->is_on_gpu || context->has_copies_on_gpu))
    return; // a call of a command buffer: a kernel on a GPU that has been told of
  name = name ? name : kernel ? kernel : "unknown";
  char text[1024];
  int length = snprintf(text, sizeof text, "lanewise: kernel %s: %s", name, what_failed(status));
  if (status.kind == LW_FAULT || status.kind == LW_OVERRUN)
    length += snprintf(text + length, sizeof text - static_cast<size_t>(length), " at address 0x%llx",
                       static_cast<unsigned long long>(status.address));
  if (status.known & LW_KNOWS_BLOCK)
    length += snprintf(text + length, sizeof text - static_cast<size_t>(length), ", work-group (%u, %u, %u)",
                       status.block[0], status.block[1], status.block[2]);
  if (status.known & LW_KNOWS_THREAD)
    length += snprintf(text + length, sizeof text - static_cast<size_t>(length), ", work-item (%u, %u, %u)",
                       status.thread[0], status.thread[1], status.thread[2]);
  if (status.known & LW_KNOWS_PLACE)
    snprintf(text + length, sizeof text - static_cast<size_t>(length), ", %s:%u", status.file, status.line);
  tell_context(context, text);
}

// Waits for work that has been added to a queue. `name`: of its kernel, if it has only one.
static cl_int wait_for_work(lw_queue *queue, const Context *context, const char *name) {
  int32_t result = lw_queue_synchronize(queue);
  if (lw_printed_bytes()) {
    fflush(stdout);
    lw_flush_output(1);
  }
  if (result == LW_SUCCESS)
    return CL_COMPLETE;
  report(context, queue, name);
  lw_queue_clear_failure(queue);
  return CL_OUT_OF_RESOURCES;
}

// Does `add`, with other code if there is none for a launch that isn't usual.
// `started` gets the time after that: the compiler's time is not the kernel's.
template <class Add> static cl_int with_code(Launch &launch, uint64_t *started, Add add) {
  int32_t result = add();
  if (result == LW_NO_KERNEL && !(launch.form & LW_OPENCL_ANY_LAUNCH)) {
    launch.form |= LW_OPENCL_ANY_LAUNCH;
    const Kernel *kernel = launch.kernel;
    REQUIRE_SUCCESS(find_variant(kernel->build, kernel->text, launch.args, launch.form, launch.launch.kernel));
    if (started)
      *started = now_ns();
    result = add();
  }
  return result == LW_SUCCESS ? CL_SUCCESS : fail(CL_OUT_OF_RESOURCES, "%s", lw_explanation());
}

static cl_int run_in(lw_queue *queue, Launch &launch, Event *event) {
  uint64_t *started = event->queue->takes_times() ? &event->started : nullptr;
  REQUIRE_SUCCESS(with_code(launch, started, [&] { return lw_queue_launch(queue, &launch.launch); }));
  return wait_for_work(queue, event->context, launch.kernel->text->name);
}

// Puts the buffers' addresses on the device into the arguments. They stay; the contents may not be there yet.
static cl_int place_memories(Launch &launch) {
  for (size_t i = 0; launch.form & LW_OPENCL_SIMULATED && i < launch.num_memories; ++i) {
    char *address;
    REQUIRE_SUCCESS(place_on_gpu(launch.memories[i].memory, address));
    memcpy(launch.args + launch.memories[i].offset, &address, sizeof address);
  }
  return CL_SUCCESS;
}

// Has the contents of all buffers where the device finds them.
static cl_int bring_memories(const Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i) {
    Memory *memory = launch.memories[i].memory;
    if (launch.form & LW_OPENCL_SIMULATED)
      REQUIRE_SUCCESS(bring_to_gpu(memory));
    else
      bring_to_host(memory);
  }
  return CL_SUCCESS;
}

static void note_writes(const Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i) {
    Memory *memory = launch.memories[i].memory;
    if (memory->flags & CL_MEM_READ_ONLY)
      continue;
    if (launch.form & LW_OPENCL_SIMULATED)
      note_written_on_gpu(memory);
    else
      note_written_on_host(memory);
  }
}

// The code of a kernel that is compiled when it is launched: for the launch's images, or for any if it takes none.
static cl_int prepare_code(Launch &launch) {
  Kernel *kernel = launch.kernel;
  return kernel->text->is_later ? find_own(kernel, launch.args, launch.form, launch.launch.kernel) : CL_SUCCESS;
}

cl_int prepare_range(Launch &launch) {
  if (launch.form & LW_OPENCL_GENERAL) {
    const lw_kernel_image *general = launch.launch.kernel;
    if (!launch.kernel->text->is_later)
      REQUIRE_SUCCESS(find_own(launch.kernel, launch.args, launch.form, general));
    REQUIRE(general && general->num_parameters >= 7, CL_OUT_OF_RESOURCES, "kernel %s has no code for such a range",
            launch.kernel->text->name);
    for (uint32_t i = 0; i < 7; ++i)
      memcpy(launch.args + general->parameters[general->num_parameters - 7 + i].offset, &launch.range[i],
             sizeof launch.range[i]);
    launch.launch.kernel = general;
  }
  return CL_SUCCESS;
}

static cl_int run_with_code(Launch &launch, Event *event) {
  REQUIRE_SUCCESS(prepare_code(launch));
  REQUIRE_SUCCESS(prepare_range(launch));
  bool is_general = launch.form & LW_OPENCL_GENERAL;
  if ((launch.kernel->text->is_later || is_general) && event->queue->takes_times())
    event->started = now_ns(); // the compiler's time is not the kernel's
  lw_queue *queue = take_queue(false);
  REQUIRE(queue, CL_OUT_OF_RESOURCES, "no queue: %s", lw_explanation());
  cl_int result = place_memories(launch);
  if (result == CL_SUCCESS)
    result = bring_memories(launch);
  if (result == CL_SUCCESS) {
    result = run_in(queue, launch, event);
    note_writes(launch);
  }
  give_queue(queue);
  return result;
}

static cl_int run_launch(Work *work, Event *event) {
  cl_int result = run_with_code(*static_cast<Launch *>(work), event);
  if (result != CL_COMPLETE)
    tell_no_code(event->context);
  return result;
}

static void release_launch(Work *work) {
  Launch &launch = *static_cast<Launch *>(work);
  for (size_t i = 0; i < launch.num_memories; ++i)
    drop(launch.memories[i].memory);
  drop(launch.kernel);
  free(work);
}

// ---- In graphs -----------------------------------------------------------------------------------------------

bool is_launch(const Work *work) { return work && work->run == run_launch; }

// Executions of a graph may overlap, so the launch isn't written to.
static int32_t bring_in_graph(void *data) {
  return bring_memories(*static_cast<const Launch *>(data)) == CL_SUCCESS ? 0 : 1;
}

static int32_t note_in_graph(void *data) {
  note_writes(*static_cast<Launch *>(data));
  return 0;
}

// A launch is added to a graph for each plan that has it. Graphs that others run may have it already, so it is prepared
// once. Contents are brought by the graph: a plan may be made while another one runs.
cl_int add_launch(lw_graph *graph, const Context *context, Work *work) {
  Launch &launch = *static_cast<Launch *>(work);
  if (!launch.is_prepared) {
    REQUIRE_SUCCESS(prepare_code(launch));
    REQUIRE_SUCCESS(prepare_range(launch));
    REQUIRE_SUCCESS(place_memories(launch));
    launch.is_prepared = true;
  }
  bool moves = launch.num_memories && (launch.form & LW_OPENCL_SIMULATED || context->devices.count > 1);
  int32_t result = moves ? lw_graph_add_call(graph, bring_in_graph, &launch, nullptr, 0, nullptr) : LW_SUCCESS;
  REQUIRE(result == LW_SUCCESS, CL_OUT_OF_RESOURCES, "%s", lw_explanation());
  REQUIRE_SUCCESS(
      with_code(launch, nullptr, [&] { return lw_graph_add_launch(graph, &launch.launch, nullptr, 0, nullptr); }));
  result = moves ? lw_graph_add_call(graph, note_in_graph, &launch, nullptr, 0, nullptr) : LW_SUCCESS;
  REQUIRE(result == LW_SUCCESS, CL_OUT_OF_RESOURCES, "%s", lw_explanation());
  return CL_SUCCESS;
}

cl_int run_graph(const lw_graph *graph, const Context *context) {
  lw_queue *queue = take_queue(false);
  REQUIRE(queue, CL_OUT_OF_RESOURCES, "no queue: %s", lw_explanation());
  int32_t result = lw_graph_launch(graph, queue);
  cl_int code = result == LW_SUCCESS ? wait_for_work(queue, context, nullptr)
                                     : fail(CL_OUT_OF_RESOURCES, "%s", lw_explanation());
  give_queue(queue);
  return code;
}

// ---- Checks --------------------------------------------------------------------------------------------------

// Offsets of local memory in the arguments, and the sizes of its parts; how much there is of it.
static cl_int lay_out_local(const Kernel *kernel, const Device *device, char *args, uint64_t *extents, uint32_t *total) {
  enum : size_t { ALIGNMENT = 128 };
  size_t most = device->kind->local_bytes;
  size_t at = 0;
  for (size_t i = 0; i < kernel->text->arguments.count; ++i) {
    if (!kernel->local_bytes[i])
      continue;
    uint64_t offset = at;
    memcpy(args + kernel->text->arguments[i].offset, &offset, sizeof offset);
    extents[i] = kernel->local_bytes[i];
    REQUIRE(kernel->local_bytes[i] <= most, CL_OUT_OF_RESOURCES, "%zu bytes of local memory", kernel->local_bytes[i]);
    at += (kernel->local_bytes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  REQUIRE(at + kernel->text->local_bytes <= most, CL_OUT_OF_RESOURCES, "%zu bytes of local memory; there are %zu",
          at + kernel->text->local_bytes, most);
  *total = static_cast<uint32_t>(at);
  return CL_SUCCESS;
}

// The kernel is locked.
static cl_int require_arguments(const Kernel *kernel) {
  for (size_t i = 0; i < kernel->text->arguments.count; ++i)
    REQUIRE(kernel->is_set[i], CL_INVALID_KERNEL_ARGS, "argument %zu of kernel %s, %s, has not been set", i,
            kernel->text->name, kernel->text->arguments[i].name);
  return CL_SUCCESS;
}

// The kernel is locked.
static cl_int require_pointers(const Kernel *kernel, const Device *device) {
  for (size_t i = 0; i < kernel->text->arguments.count; ++i)
    REQUIRE(!kernel->is_host_pointer[i] || device->kind->svm, CL_INVALID_OPERATION,
            "argument %zu is a pointer of the host: the device has no shared virtual memory", i);
  return CL_SUCCESS;
}

static cl_int copy_arguments(Kernel *kernel, const Context *context, const Device *device, Launch &launch) {
  REQUIRE_SUCCESS(require_arguments(kernel));
  REQUIRE_SUCCESS(require_pointers(kernel, device));
  for (size_t i = 0; i < kernel->text->arguments.count; ++i) {
    Memory *memory = kernel->memories[i];
    if (!memory)
      continue;
    REQUIRE(kernel->keeps_memories || lives(memory), CL_INVALID_KERNEL_ARGS, "argument %zu of kernel %s, %s, has been released", i,
            kernel->text->name, kernel->text->arguments[i].name);
    REQUIRE(memory->context == context, CL_INVALID_CONTEXT, "argument %zu is of another context", i);
    REQUIRE(!memory->picture || device->kind->has_images, CL_INVALID_OPERATION, "argument %zu is an image: the device has none",
            i);
    launch.memories[launch.num_memories++] = {use(memory), kernel->text->arguments[i].offset};
    launch.extents[i] = memory->bytes;
  }
  memcpy(launch.args, kernel->packed, kernel->packed_bytes);
  return lay_out_local(kernel, device, launch.args, launch.extents, &launch.launch.dynamic_shared);
}

// Work for a launch, in `made`.
static cl_int new_launch(Kernel *kernel, const Context *context, const Device *device, const Range &range,
                         Launch *&made) {
  Held held(kernel->lock);
  size_t count = kernel->text->arguments.count;
  size_t args = (sizeof(Launch) + count * sizeof(UsedMemory) + 63) / 64 * 64;
  size_t general = (kernel->packed_bytes + 7) / 8 * 8 + sizeof Launch().range;
  size_t extents = args + general, bytes = extents + (count + 7) * sizeof *made->extents;
  made = static_cast<Launch *>(aligned_alloc(64, (bytes + 63) / 64 * 64));
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "no memory for a launch");
  memset(static_cast<void *>(made), 0, bytes);
  made->run = device->kind->has_driver ? run_launch_on_gpu : run_launch;
  made->release = release_launch;
  made->kernel = use(kernel);
  made->memories = reinterpret_cast<UsedMemory *>(made + 1);
  made->args = reinterpret_cast<char *>(made) + args;
  made->extents = reinterpret_cast<uint64_t *>(reinterpret_cast<char *>(made) + extents);
  made->launch.extents = made->extents;
  // Each form is a module of its own to the driver, which has variables of its own: where there are some, one form is for all.
  bool is_general = !range.is_plain(kernel->text) || (device->kind->has_driver && kernel->build->global_bytes);
  made->form = form_for(device) | (is_general ? LW_OPENCL_GENERAL : 0);
  for (int axis = 0; axis < 3; ++axis) {
    made->range[axis] = range.offset[axis];
    made->range[3 + axis] = range.size[axis];
  }
  made->range[6] = range.dimensions;
  made->launch.kernel = kernel->images[form_for(device)];
  made->launch.args = made->args;
  memcpy(made->launch.grid, range.groups, sizeof range.groups);
  memcpy(made->launch.block, range.local, sizeof range.local);
  made->launch.flags = LW_OPENCL_LIMITS | (range.is_along_y ? LW_ALONG_Y : 0) | thread_limit(device) << LW_MOST_THREADS;
  REQUIRE_SUCCESS(copy_arguments(kernel, context, device, *made));
  return device->kind->has_driver ? prepare_on_gpu(*made) : CL_SUCCESS;
}

// The kernel is not locked.
static bool lacks_arguments(Kernel *kernel) {
  Held held(kernel->lock);
  for (size_t i = 0; i < kernel->text->arguments.count; ++i)
    if (!kernel->is_set[i])
      return true;
  return false;
}

static cl_int require_built(const Kernel *kernel, const Device *device) {
  const lw_kernel_image *image = kernel->images[form_for(device)];
  bool has_code = image || (kernel->text->is_later && kernel->build->forms[form_for(device)].image);
  REQUIRE(has_code && cover(kernel->build->devices, device), CL_INVALID_PROGRAM_EXECUTABLE, "the program isn't built for this device");
  REQUIRE(!image || !image->refusal, CL_INVALID_PROGRAM_EXECUTABLE, "%s", image->refusal);
  return CL_SUCCESS;
}

cl_int make_launch(const Queue *queue, Kernel *kernel, cl_uint dimensions, const size_t *offset, const size_t *size,
                   const size_t *local, Work *&made, bool *lacks) {
  made = nullptr;
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT, "the kernel is of another context");
  REQUIRE_SUCCESS(require_built(kernel, queue->device));
  Range range;
  REQUIRE_SUCCESS(read_range(kernel, queue->device, dimensions, offset, size, local, Local::LAUNCHED, range));
  if (lacks && (*lacks = lacks_arguments(kernel)))
    return CL_SUCCESS;
  Launch *launch;
  cl_int result = new_launch(kernel, queue->context, queue->device, range, launch);
  if (result != CL_SUCCESS || is_empty(range)) {
    if (launch)
      release_launch(launch);
    launch = nullptr;
  }
  made = launch;
  return result;
}

cl_int enqueue_kernel(const Request &request, Kernel *kernel, cl_uint dimensions, const size_t *offset,
                      const size_t *size, const size_t *local) {
  Work *launch;
  REQUIRE_SUCCESS(make_launch(request.queue, kernel, dimensions, offset, size, local, launch));
  return submit(request, launch);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *size, size_t *suggested) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT, "the kernel is of another context");
  REQUIRE(suggested, CL_INVALID_VALUE, "no place for a local size");
  REQUIRE_SUCCESS(require_built(kernel, queue->device));
  {
    Held held(kernel->lock);
    REQUIRE_SUCCESS(require_arguments(kernel));
    REQUIRE_SUCCESS(require_pointers(kernel, queue->device));
  }
  Range range;
  REQUIRE_SUCCESS(read_range(kernel, queue->device, dimensions, offset, size, nullptr, Local::SUGGESTED, range));
  REQUIRE(!is_empty(range), CL_INVALID_GLOBAL_WORK_SIZE, "a global size of 0");
  for (cl_uint axis = 0; axis < dimensions; ++axis)
    suggested[axis] = range.local[axis];
  return CL_SUCCESS;
}

LW_CL cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                    const size_t *size, const size_t *local, cl_uint count, const cl_event *events,
                                    cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return enqueue_kernel({queue, CL_COMMAND_NDRANGE_KERNEL, {count, events}, event, false}, kernel, dimensions, offset,
                        size, local);
}

LW_CL cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *events,
                           cl_event *event) {
  size_t one = 1;
  REQUIRE_SUCCESS(require_queue(queue));
  return enqueue_kernel({queue, CL_COMMAND_TASK, {count, events}, event, false}, kernel, 1, nullptr, &one, &one);
}
