// SPDX-License-Identifier: Apache-2.0
// Commands that move memory: reads, writes, copies, fills, maps.
#include "transfers.h"
#include "copies.h"
#include "copies_on_gpu.h"
#include "gpu_commands.h"
#include "memory.h"
#include "residence.h"

namespace lw_opencl {

struct Copy : Work {
  Side from, to;
  Box box;
  Memory *used[2]; // source and target; null: the host's
};

static cl_int run_copy(Work *work, Event *event) {
  const Copy &copy = *static_cast<Copy *>(work);
  if (is_on_gpu(copy.used[0]) || is_on_gpu(copy.used[1]))
    return copy_on_gpu(event, copy.from, copy.used[0], copy.to, copy.used[1], copy.box);
  const UsedMemory used[] = {{copy.used[0], 0}, {copy.used[1], 0}};
  HeldBuffers held(used, 2);
  bring_to_host(copy.used[0]);
  bring_to_host(copy.used[1]);
  for (size_t z = 0; z < copy.box.planes; ++z)
    for (size_t y = 0; y < copy.box.rows; ++y)
      memmove(copy.to.start + z * copy.to.plane + y * copy.to.row,
              copy.from.start + z * copy.from.plane + y * copy.from.row, copy.box.bytes);
  note_written_on_host(copy.used[1]);
  return CL_COMPLETE;
}

static void release_copy(Work *work) {
  for (Memory *memory : static_cast<Copy *>(work)->used)
    if (memory)
      drop(memory);
  free(work);
}

cl_int enqueue_copy(const Request &request, const Side &from, Memory *source, const Side &to, Memory *target,
                           const Box &box) {
  Copy *copy = new_work<Copy>(run_copy, release_copy);
  REQUIRE(copy, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  copy->from = from;
  copy->to = to;
  copy->box = box;
  copy->used[0] = source ? use(source) : nullptr;
  copy->used[1] = target ? use(target) : nullptr;
  return submit(request, copy);
}

static cl_int require_host_access(const Memory *memory, cl_bitfield refused, const char *what) {
  REQUIRE(!(memory->flags & (refused | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION,
          "the buffer's flags don't let the host %s it", what);
  return CL_SUCCESS;
}

cl_int require_read(const Memory *memory) { return require_host_access(memory, CL_MEM_HOST_WRITE_ONLY, "read"); }
cl_int require_write(const Memory *memory) {
  return require_host_access(memory, CL_MEM_HOST_READ_ONLY, "write");
}

// The distance of a byte from the first one, in `place`; true if it doesn't fit.
static bool place_of(size_t x, size_t y, size_t z, size_t row, size_t plane, size_t &place) {
  size_t rows, planes;
  return __builtin_mul_overflow(y, row, &rows) | __builtin_mul_overflow(z, plane, &planes) |
         __builtin_add_overflow(x, rows, &place) | __builtin_add_overflow(place, planes, &place);
}

// A box in memory, as functions with rectangles give it. Pitches of 0 are as small as can be.
static cl_int read_side(char *start, const size_t *origin, const size_t *region, size_t row, size_t plane, Side *side,
                        size_t *end) {
  REQUIRE(origin && region, CL_INVALID_VALUE, "no origin or no region");
  REQUIRE(region[0] && region[1] && region[2], CL_INVALID_VALUE, "a region of (%zu, %zu, %zu)", region[0], region[1],
          region[2]);
  REQUIRE(!row || row >= region[0], CL_INVALID_VALUE, "a row pitch of %zu for rows of %zu bytes", row, region[0]);
  row = row ? row : region[0];
  size_t rows;
  bool fits = !__builtin_mul_overflow(region[1], row, &rows);
  REQUIRE(fits && (!plane || (plane >= rows && plane % row == 0)), CL_INVALID_VALUE,
          "a slice pitch of %zu for %zu rows of %zu bytes", plane, region[1], row);
  plane = plane ? plane : rows;
  size_t first, more;
  bool is_too_large = place_of(origin[0], origin[1], origin[2], row, plane, first);
  is_too_large |= place_of(region[0], region[1] - 1, region[2] - 1, row, plane, more);
  is_too_large |= __builtin_add_overflow(first, more, end);
  REQUIRE(!is_too_large, CL_INVALID_VALUE, "a region that ends beyond 2^64 bytes");
  *side = {start + first, row, plane};
  return CL_SUCCESS;
}

static cl_int read_buffer_side(Memory *memory, const Context *context, const size_t *origin, const size_t *region,
                               size_t row, size_t plane, Side *side) {
  size_t end;
  REQUIRE_SUCCESS(require_buffer(memory));
  REQUIRE(memory->context == context, CL_INVALID_CONTEXT, "the buffer is of another context");
  REQUIRE_SUCCESS(read_side(memory->data, origin, region, row, plane, side, &end));
  REQUIRE(end <= memory->bytes, CL_INVALID_VALUE, "the region ends at byte %zu of a buffer of %zu", end, memory->bytes);
  return CL_SUCCESS;
}

// Whether `bytes` from an offset touch a row of a box that starts at 0. Rows have at most `row` bytes, and planes at most
// `plane`, so the row and the plane that the offset lies in and those beside them are all that can be touched.
static bool touches_row(int64_t offset, const Side &side, const Box &box) {
  int64_t bytes = static_cast<int64_t>(box.bytes), row = static_cast<int64_t>(side.row);
  int64_t plane = static_cast<int64_t>(side.plane), around = plane ? offset / plane : 0;
  for (int64_t z = around - 1; z <= around + 1; ++z) {
    if (z < 0 || z >= static_cast<int64_t>(box.planes))
      continue;
    int64_t within = offset - z * plane, below = row ? within / row : 0;
    for (int64_t y = below - 1; y <= below + 1; ++y)
      if (y >= 0 && y < static_cast<int64_t>(box.rows) && within - y * row < bytes && y * row - within < bytes)
        return true;
  }
  return false;
}

static size_t extent(const Side &side, const Box &box) {
  return (box.planes - 1) * side.plane + (box.rows - 1) * side.row + box.bytes;
}

bool overlap(const Side &a, const Side &b, const Box &box) {
  if (a.start >= b.start + extent(b, box) || b.start >= a.start + extent(a, box))
    return false;
  for (size_t z = 0; z < box.planes; ++z)
    for (size_t y = 0; y < box.rows; ++y)
      if (touches_row(a.start + z * a.plane + y * a.row - b.start, b, box))
        return true;
  return false;
}

// ---- Fills ---------------------------------------------------------------------------------------------------

struct Fill : Work {
  Memory *memory;
  char *start;
  size_t bytes, pattern_bytes;
  char pattern[MOST_PATTERN_BYTES];
};

void fill_bytes(char *start, size_t bytes, const char *pattern, size_t pattern_bytes) {
  size_t filled = pattern_bytes < bytes ? pattern_bytes : bytes;
  memcpy(start, pattern, filled);
  while (filled < bytes) { // twice as many each time
    size_t more = filled < bytes - filled ? filled : bytes - filled;
    memcpy(start + filled, start, more);
    filled += more;
  }
}

static cl_int run_fill(Work *work, Event *event) {
  const Fill &fill = *static_cast<Fill *>(work);
  if (is_on_gpu(fill.memory))
    return fill_on_gpu(event, fill.memory, fill.start, fill.bytes, fill.pattern, fill.pattern_bytes);
  const UsedMemory used = {fill.memory, 0};
  HeldBuffers held(&used, 1);
  bring_to_host(fill.memory);
  fill_bytes(fill.start, fill.bytes, fill.pattern, fill.pattern_bytes);
  note_written_on_host(fill.memory);
  return CL_COMPLETE;
}

cl_int require_pattern(const void *pattern, size_t bytes) {
  bool is_size = bytes && bytes <= MOST_PATTERN_BYTES && !(bytes & (bytes - 1));
  REQUIRE(pattern && is_size, CL_INVALID_VALUE, "a pattern of %zu bytes at %p", bytes, pattern);
  return CL_SUCCESS;
}

static void release_fill(Work *work) {
  drop(static_cast<Fill *>(work)->memory);
  free(work);
}

cl_int require_map_flags(cl_bitfield flags) {
  bool invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION, others = flags & (CL_MAP_READ | CL_MAP_WRITE);
  REQUIRE(flags < 8 && !(invalidates && others), CL_INVALID_VALUE, "map flags of 0x%llx",
          static_cast<unsigned long long>(flags));
  return CL_SUCCESS;
}

// ---- Maps: commands that hold memory, which is in the host's before a map and counts after an unmap --------------------

struct Holding : Work {
  Memory *memory;
  Mapping mapping;
};

static cl_int run_holding(Work *work, Event *event) {
  const Holding &holding = *static_cast<Holding *>(work);
  Memory *memory = holding.memory;
  bool ends = event->type == CL_COMMAND_UNMAP_MEM_OBJECT;
  if (is_on_gpu(memory))
    return ends ? unmap_on_gpu(event, memory, holding.mapping) : map_on_gpu(event, memory, holding.mapping);
  if (ends) {
    end_mapping(memory, holding.mapping);
    note_written_on_host(memory);
    return CL_COMPLETE;
  }
  bring_to_host(memory);
  return start_mapping(memory, holding.mapping);
}

static void release_holding(Work *work) {
  drop(static_cast<Holding *>(work)->memory);
  free(work);
}

cl_int enqueue_holding(const Request &request, Memory *memory, const Mapping &mapping) {
  Holding *holding = new_work<Holding>(run_holding, release_holding);
  REQUIRE(holding, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  holding->memory = use(memory);
  holding->mapping = mapping;
  return enqueue(request.queue, request.type, holding, request.waits, request.event, Order::Plain, request.blocking);
}

// ---- Commands that may be recorded, too -----------------------------------------------------------------------------

cl_int copy_buffer(const Request &request, Memory *source, Memory *target, size_t from, size_t to, size_t bytes) {
  REQUIRE_SUCCESS(require_range(source, request.queue->context, from, bytes));
  REQUIRE_SUCCESS(require_range(target, request.queue->context, to, bytes));
  Side read = {source->data + from, 0, 0}, written = {target->data + to, 0, 0};
  Box box = {bytes, 1, 1};
  REQUIRE(!overlap(read, written, box), CL_MEM_COPY_OVERLAP, "source and target overlap");
  return enqueue_copy(request, read, source, written, target, box);
}

cl_int copy_rectangle(const Request &request, const RectangleSide &source, const RectangleSide &target,
                      const size_t *region) {
  Side from, to;
  const Context *context = request.queue->context;
  REQUIRE_SUCCESS(read_buffer_side(source.memory, context, source.origin, region, source.row, source.plane, &from));
  REQUIRE_SUCCESS(read_buffer_side(target.memory, context, target.origin, region, target.row, target.plane, &to));
  REQUIRE(source.memory != target.memory || (from.row == to.row && from.plane == to.plane), CL_INVALID_VALUE,
          "a copy within a buffer has one row pitch and one slice pitch");
  Box box = {region[0], region[1], region[2]};
  REQUIRE(!overlap(from, to, box), CL_MEM_COPY_OVERLAP, "source and target overlap");
  return enqueue_copy(request, from, source.memory, to, target.memory, box);
}

cl_int fill_buffer(const Request &request, Memory *memory, const void *pattern, size_t pattern_bytes, size_t offset,
                   size_t bytes) {
  REQUIRE_SUCCESS(require_range(memory, request.queue->context, offset, bytes));
  REQUIRE_SUCCESS(require_pattern(pattern, pattern_bytes));
  REQUIRE(offset % pattern_bytes == 0 && bytes % pattern_bytes == 0, CL_INVALID_VALUE,
          "%zu bytes from byte %zu are not whole patterns of %zu", bytes, offset, pattern_bytes);
  Fill *fill = new_work<Fill>(run_fill, release_fill);
  REQUIRE(fill, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  fill->memory = use(memory);
  fill->start = memory->data + offset;
  fill->bytes = bytes;
  fill->pattern_bytes = pattern_bytes;
  memcpy(fill->pattern, pattern, pattern_bytes);
  return submit(request, fill);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes,
                                 void *target, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE_SUCCESS(require_range(memory, queue->context, offset, bytes));
  REQUIRE(target, CL_INVALID_VALUE, "no memory to read into");
  REQUIRE_SUCCESS(require_read(memory));
  return enqueue_copy({queue, CL_COMMAND_READ_BUFFER, {count, events}, event, blocking != 0},
                      {memory->data + offset, 0, 0}, memory, {static_cast<char *>(target), 0, 0}, nullptr,
                      {bytes, 1, 1});
}

LW_CL cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes,
                                  const void *source, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE_SUCCESS(require_range(memory, queue->context, offset, bytes));
  REQUIRE(source, CL_INVALID_VALUE, "no memory to write from");
  REQUIRE_SUCCESS(require_write(memory));
  char *start = static_cast<char *>(const_cast<void *>(source));
  return enqueue_copy({queue, CL_COMMAND_WRITE_BUFFER, {count, events}, event, blocking != 0}, {start, 0, 0}, nullptr,
                      {memory->data + offset, 0, 0}, memory, {bytes, 1, 1});
}

LW_CL cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from, size_t to,
                                 size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return copy_buffer({queue, CL_COMMAND_COPY_BUFFER, {count, events}, event, false}, source, target, from, to, bytes);
}

LW_CL cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t *origin,
                                     const size_t *host_origin, const size_t *region, size_t row, size_t plane,
                                     size_t host_row, size_t host_plane, void *target, cl_uint count,
                                     const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(target, CL_INVALID_VALUE, "no memory to read into");
  Side from, to;
  size_t end;
  REQUIRE_SUCCESS(read_buffer_side(memory, queue->context, origin, region, row, plane, &from));
  REQUIRE_SUCCESS(read_side(static_cast<char *>(target), host_origin, region, host_row, host_plane, &to, &end));
  REQUIRE_SUCCESS(require_read(memory));
  return enqueue_copy({queue, CL_COMMAND_READ_BUFFER_RECT, {count, events}, event, blocking != 0}, from, memory, to,
                      nullptr, {region[0], region[1], region[2]});
}

LW_CL cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t *origin,
                                      const size_t *host_origin, const size_t *region, size_t row, size_t plane,
                                      size_t host_row, size_t host_plane, const void *source, cl_uint count,
                                      const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(source, CL_INVALID_VALUE, "no memory to write from");
  Side from, to;
  size_t end;
  char *start = static_cast<char *>(const_cast<void *>(source));
  REQUIRE_SUCCESS(read_buffer_side(memory, queue->context, origin, region, row, plane, &to));
  REQUIRE_SUCCESS(read_side(start, host_origin, region, host_row, host_plane, &from, &end));
  REQUIRE_SUCCESS(require_write(memory));
  return enqueue_copy({queue, CL_COMMAND_WRITE_BUFFER_RECT, {count, events}, event, blocking != 0}, from, nullptr, to,
                      memory, {region[0], region[1], region[2]});
}

LW_CL cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from_origin,
                                     const size_t *to_origin, const size_t *region, size_t from_row, size_t from_plane,
                                     size_t to_row, size_t to_plane, cl_uint count, const cl_event *events,
                                     cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return copy_rectangle({queue, CL_COMMAND_COPY_BUFFER_RECT, {count, events}, event, false},
                        {source, from_origin, from_row, from_plane}, {target, to_origin, to_row, to_plane}, region);
}

LW_CL cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes,
                                 size_t offset, size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return fill_buffer({queue, CL_COMMAND_FILL_BUFFER, {count, events}, event, false}, memory, pattern, pattern_bytes,
                     offset, bytes);
}

bool lw_opencl::forget_mapping(Memory *memory, const void *address, Mapping &found) {
  Held held(memory->lock);
  for (Mapping &each : memory->mappings)
    if (each.address == address) {
      found = each;
      each = memory->mappings[--memory->mappings.count];
      return true;
    }
  return false;
}

LW_CL void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_bitfield flags,
                               size_t offset, size_t bytes, cl_uint count, const cl_event *events, cl_event *event,
                               cl_int *code) {
  auto map = [&]() -> cl_int {
    REQUIRE_SUCCESS(require_queue(queue));
    REQUIRE_SUCCESS(require_range(memory, queue->context, offset, bytes));
    REQUIRE_SUCCESS(require_map_flags(flags));
    if (flags & CL_MAP_READ)
      REQUIRE_SUCCESS(require_read(memory));
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
      REQUIRE_SUCCESS(require_write(memory));
    REQUIRE_SUCCESS(require_wait_list(queue, {count, events}));
    Mapping mapping = {memory->data + offset, bytes, flags};
    {
      Held held(memory->lock);
      REQUIRE(memory->mappings.add(mapping), CL_OUT_OF_HOST_MEMORY, "no memory for a mapping");
    }
    cl_int result = enqueue_holding({queue, CL_COMMAND_MAP_BUFFER, {count, events}, event, blocking != 0}, memory,
                                    mapping);
    if (result != CL_SUCCESS)
      forget_mapping(memory, mapping.address, mapping);
    return result;
  };
  cl_int result = map();
  if (code)
    *code = result;
  return result == CL_SUCCESS ? memory->data + offset : nullptr;
}

LW_CL cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *address, cl_uint count,
                                     const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE_SUCCESS(require_memory(memory));
  REQUIRE(memory->context == queue->context, CL_INVALID_CONTEXT, "the memory object is of another context");
  REQUIRE_SUCCESS(require_wait_list(queue, {count, events}));
  Mapping mapping;
  REQUIRE(forget_mapping(memory, address, mapping), CL_INVALID_VALUE, "%p is not mapped", address);
  return enqueue_holding({queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, events}, event, false}, memory, mapping);
}

LW_CL cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_memories, const cl_mem *memories,
                                        cl_bitfield flags, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(num_memories && memories, CL_INVALID_VALUE, "no memory objects");
  REQUIRE(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)), CL_INVALID_VALUE,
          "migration flags of 0x%llx", static_cast<unsigned long long>(flags));
  for (cl_uint i = 0; i < num_memories; ++i) {
    REQUIRE_SUCCESS(require_memory(memories[i]));
    REQUIRE(memories[i]->context == queue->context, CL_INVALID_CONTEXT, "memory object %u is of another context", i);
  }
  return enqueue(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, nullptr, {count, events}, event);
}
