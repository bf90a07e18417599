// SPDX-License-Identifier: Apache-2.0
// Commands on a GPU with a driver, and the memory of buffers there.
//
// A context whose only device is the GPU has the contents of its buffers there, from their creation on. The host's
// memory of a buffer is then for maps alone: a map copies its bytes there, and an unmap copies back what may have been
// written. In a context with other devices the host's contents count: see copies_on_gpu.cpp.
#include "gpu_commands.h"
#include "copies_on_gpu.h"
#include "residence.h"
#include "scheduler.h"

namespace lw_opencl {

// ---- Streams -------------------------------------------------------------------------------------------------

int32_t Timed::begin(const Event *event, lw_queue *stream) {
  if (!event || !event->queue->takes_times())
    return LW_SUCCESS;
  int32_t result = lw_event_create(LW_ON_GPU, &start);
  begun = now_ns();
  return result == LW_SUCCESS ? lw_event_record(start, stream) : result;
}

int32_t Timed::finish(lw_queue *stream) {
  int32_t result = lw_event_create(LW_ON_GPU | (start ? 0 : LW_NO_TIMING), &end);
  return result == LW_SUCCESS ? lw_event_record(end, stream) : result;
}

// The host takes its time before the driver does, so what is counted from there on has happened.
void Timed::tell(Event *event, const Timed &first) const {
  float until_start, until_end;
  if (!start || !first.start || lw_event_elapsed(&until_start, first.start, start) != LW_SUCCESS ||
      lw_event_elapsed(&until_end, first.start, end) != LW_SUCCESS)
    return;
  Queue *queue = event->queue;
  uint64_t last = queue->is_out_of_order() ? 0 : queue->last_ended, now = now_ns();
  uint64_t least = event->submitted > last ? event->submitted : last;
  // The two clocks may differ by a little: the order of commands, and the present, are the host's.
  auto time = [&](float milliseconds) {
    uint64_t at = first.begun + static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6);
    at = at < now ? at : now;
    return at > least ? at : least;
  };
  event->started = time(until_start);
  event->ended = time(until_end);
  if (!queue->is_out_of_order())
    queue->last_ended = event->ended;
}

void Timed::release() const {
  if (start)
    lw_event_destroy(start);
  if (end)
    lw_event_destroy(end);
}

// Has `add` add work to a stream of the driver, and waits for it. `event`, unless null, gets the driver's times.
// CL_COMPLETE, or a code with lw_explanation; `why`, unless null, gets the host runtime's result.
template <class Add> static cl_int run_on_stream(Event *event, Add add, int32_t *why = nullptr) {
  lw_queue *stream = take_queue(true);
  REQUIRE(stream, CL_OUT_OF_RESOURCES, "no stream: %s", lw_explanation());
  Timed timed = {};
  int32_t result = timed.begin(event, stream);
  if (result == LW_SUCCESS)
    result = add(stream);
  if (result == LW_SUCCESS && timed.start)
    result = timed.finish(stream);
  int32_t waited = lw_queue_synchronize(stream); // for what was added before an error, too
  result = result == LW_SUCCESS ? waited : result;
  if (result == LW_SUCCESS)
    timed.tell(event, timed);
  if (why)
    *why = result;
  timed.release();
  give_queue(stream);
  return result == LW_SUCCESS ? CL_COMPLETE : fail(CL_OUT_OF_RESOURCES, "%s", lw_explanation());
}

// ---- Memory --------------------------------------------------------------------------------------------------

cl_int find_on_gpu(Memory *memory, char *&address) {
  Memory *whole = root_of(memory);
  Held held(whole->lock);
  if (!whole->driver_data) {
    void *made;
    REQUIRE(lw_memory_allocate(whole->bytes, LW_GPU_MEMORY, 0, &made) == LW_SUCCESS, CL_MEM_OBJECT_ALLOCATION_FAILURE,
            "%zu bytes of a GPU's memory: %s", whole->bytes, lw_explanation());
    whole->driver_data = static_cast<char *>(made);
  }
  address = whole->driver_data + (memory->data - whole->data);
  return CL_SUCCESS;
}

static int32_t copy_bytes(lw_queue *stream, char *target, const void *source, size_t bytes) {
  return lw_queue_copy(stream, target, {0, 0}, source, {0, 0}, {bytes, 1, 1});
}

cl_int copy_to_gpu(char *address, const char *host, size_t bytes) {
  return run_on_stream(nullptr, [&](lw_queue *stream) { return copy_bytes(stream, address, host, bytes); });
}

cl_int copy_from_gpu(char *host, const char *address, size_t bytes) {
  return run_on_stream(nullptr, [&](lw_queue *stream) { return copy_bytes(stream, host, address, bytes); });
}

cl_int make_on_gpu(Memory *memory, const void *contents) {
  char *address;
  REQUIRE_SUCCESS(find_on_gpu(memory, address));
  if (!contents)
    return CL_SUCCESS;
  return copy_to_gpu(address, static_cast<const char *>(contents), memory->bytes);
}

// A place in the host's memory of an object, on the GPU; any other place of the host's is left as it is.
static cl_int move_to_gpu(Memory *memory, char *&place) {
  if (!memory)
    return CL_SUCCESS;
  char *address;
  REQUIRE_SUCCESS(find_on_gpu(memory, address));
  place = address + (place - memory->data);
  return CL_SUCCESS;
}

cl_int copy_on_gpu(Event *event, const Side &from, Memory *source, const Side &to, Memory *target, const Box &box) {
  char *read = from.start, *written = to.start;
  REQUIRE_SUCCESS(move_to_gpu(source, read));
  REQUIRE_SUCCESS(move_to_gpu(target, written));
  return run_on_stream(event, [&](lw_queue *stream) {
    return lw_queue_copy(stream, written, {to.row, to.plane}, read, {from.row, from.plane},
                         {box.bytes, box.rows, box.planes});
  });
}

// The first bytes come from the host; then what is there is copied behind itself, twice as much each time.
cl_int fill_on_gpu(Event *event, Memory *memory, char *start, size_t bytes, const char *pattern, size_t pattern_bytes) {
  char first[4096];
  size_t filled = bytes < sizeof first ? bytes : sizeof first;
  fill_bytes(first, filled, pattern, pattern_bytes);
  REQUIRE_SUCCESS(move_to_gpu(memory, start));
  return run_on_stream(event, [&](lw_queue *stream) {
    int32_t result = copy_bytes(stream, start, first, filled);
    while (result == LW_SUCCESS && filled < bytes) {
      size_t more = filled < bytes - filled ? filled : bytes - filled;
      result = copy_bytes(stream, start + filled, start, more);
      filled += more;
    }
    return result;
  });
}

cl_int map_on_gpu(Event *event, Memory *memory, const Mapping &mapping) {
  if (mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION)
    return CL_COMPLETE;
  Side side = {mapping.address, 0, 0};
  return copy_on_gpu(event, side, memory, side, nullptr, {mapping.bytes, 1, 1});
}

cl_int unmap_on_gpu(Event *event, Memory *memory, const Mapping &mapping) {
  if (!(mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
    return CL_COMPLETE;
  Side side = {mapping.address, 0, 0};
  return copy_on_gpu(event, side, nullptr, side, memory, {mapping.bytes, 1, 1});
}

// ---- Launches ------------------------------------------------------------------------------------------------

// The form for such a range may need more registers than the one that CL_KERNEL_WORK_GROUP_SIZE speaks of.
static cl_int require_few_items(const Launch &launch) {
  const uint32_t *local = launch.launch.block;
  uint32_t most;
  if (!(launch.form & LW_OPENCL_GENERAL) || lw_gpu_most_threads(launch.launch.kernel, &most) != LW_SUCCESS)
    return CL_SUCCESS;
  uint64_t items = static_cast<uint64_t>(local[0]) * local[1] * local[2];
  REQUIRE(items <= most, CL_INVALID_WORK_GROUP_SIZE,
          "a work-group of %llu work-items; kernel %s allows %u in a range with an offset or smaller groups",
          static_cast<unsigned long long>(items), launch.kernel->text->name, most);
  return CL_SUCCESS;
}

cl_int prepare_on_gpu(Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i) {
    char *address;
    REQUIRE_SUCCESS(find_on_gpu(launch.memories[i].memory, address));
    memcpy(launch.args + launch.memories[i].offset, &address, sizeof address);
  }
  REQUIRE_SUCCESS(prepare_range(launch));
  return require_few_items(launch);
}

// Whether the driver refuses all work of the process after an error: by its documentation, after a kernel's faults, its
// assertions and its timeout.
static bool is_for_good(int32_t result) {
  enum { FAULT = 700, TIMEOUT = 702, ASSERTION = 710, FIRST_OF_FAULTS = 714, LAST_OF_FAULTS = 719 };
  int32_t error = result - LW_DRIVER_ERROR;
  return error == FAULT || error == TIMEOUT || error == ASSERTION ||
         (error >= FIRST_OF_FAULTS && error <= LAST_OF_FAULTS);
}

static void tell_failure(const Launch &launch, int32_t result) {
  char text[1024];
  snprintf(text, sizeof text, "lanewise: kernel %s: %s%s", launch.kernel->text->name, lw_explanation(),
           is_for_good(result) ? " (after a fault the driver refuses all work of the process)" : "");
  tell_context(launch.kernel->program->context, text);
}

static cl_int run_on_gpu(const Launch &launch, Event *event, int32_t &why) {
  return run_on_stream(event, [&](lw_queue *stream) { return lw_queue_launch(stream, &launch.launch); }, &why);
}

static cl_int run_on_copies(const Launch &launch, Event *event, int32_t &why) {
  HeldBuffers held(launch.memories, launch.num_memories);
  cl_int result = bring_copies(launch);
  if (result == CL_SUCCESS)
    result = run_on_gpu(launch, event, why);
  if (result == CL_COMPLETE)
    result = take_copies_back(launch);
  if (result != CL_COMPLETE)
    forget_copies(launch);
  return result;
}

cl_int run_launch_on_gpu(Work *work, Event *event) {
  const Launch &launch = *static_cast<Launch *>(work);
  bool is_on_gpu = launch.kernel->program->context->is_on_gpu;
  int32_t why = LW_SUCCESS;
  cl_int result = is_on_gpu ? run_on_gpu(launch, event, why) : run_on_copies(launch, event, why);
  if (result != CL_COMPLETE)
    tell_failure(launch, why);
  return result;
}

// ---- Launches that a stream gets before those ahead of them have ended ------------------------------------------------

bool goes_to_stream(const Event *event) {
  return event->work && event->work->run == run_launch_on_gpu && event->context->is_on_gpu &&
         !event->queue->is_out_of_order();
}

cl_int start_on_stream(Event *event, lw_queue *stream, Timed &timed) {
  const Launch &launch = *static_cast<Launch *>(event->work);
  int32_t result = stream ? timed.begin(event, stream) : LW_DRIVER_ERROR;
  if (result == LW_SUCCESS)
    result = lw_queue_launch(stream, &launch.launch);
  bool runs = result == LW_SUCCESS;
  if (runs)
    result = timed.finish(stream);
  if (result == LW_SUCCESS)
    return CL_SUCCESS;
  tell_failure(launch, result);
  cl_int code = fail(CL_OUT_OF_RESOURCES, "%s", lw_explanation());
  if (runs)
    lw_queue_synchronize(stream); // nothing else waits for the kernel
  return code;
}

cl_int finish_on_stream(Event *event, const Timed &timed, const Timed &first) {
  int32_t result = lw_event_synchronize(timed.end);
  if (result != LW_SUCCESS) {
    tell_failure(*static_cast<Launch *>(event->work), result);
    return fail(CL_OUT_OF_RESOURCES, "%s", lw_explanation());
  }
  timed.tell(event, first);
  return CL_COMPLETE;
}

} // namespace lw_opencl
