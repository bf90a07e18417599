// SPDX-License-Identifier: Apache-2.0
// Copies, on a GPU with a driver, of buffers whose contents are the host's: in contexts that have other devices, too.
//
// A launch copies its buffers there, unless a mark says that they are there, and what it may have written back. A buffer
// is held all this time, so that launches and transfers without an order, which use different bytes of it, don't take
// each other's back. What is mapped to be written is never copied back. Kernels of other devices don't hold buffers: as
// OpenCL has it, different devices may use parts at the same time that have no byte in common, and only these are copied.
#include "copies_on_gpu.h"
#include "gpu_commands.h"
#include "residence.h"

namespace lw_opencl {

// ---- Holding -------------------------------------------------------------------------------------------------

// The first buffer behind `last`, by its address, so that all threads hold buffers in one order; null: there is none.
static Memory *next_held(const UsedMemory *used, size_t count, const Memory *last) {
  Memory *next = nullptr;
  for (size_t i = 0; i < count; ++i) {
    Memory *root = used[i].memory ? root_of(used[i].memory) : nullptr;
    if (root && root->context->has_copies_on_gpu && root > last && (!next || root < next))
      next = root;
  }
  return next;
}

HeldBuffers::HeldBuffers(const UsedMemory *used, size_t count) : used(used), count(count) {
  for (Memory *each = nullptr; (each = next_held(used, count, each));)
    pthread_mutex_lock(&each->moving);
}

HeldBuffers::~HeldBuffers() {
  for (Memory *each = nullptr; (each = next_held(used, count, each));)
    pthread_mutex_unlock(&each->moving);
}

// ---- Copies --------------------------------------------------------------------------------------------------

static void mark(Memory *root, bool is_fresh) {
  Held held(root->lock);
  root->is_fresh_on_driver = is_fresh;
}

// Whether the GPU has the contents. It has all of a buffer's from now on, if the object is a whole one.
static bool was_fresh(Memory *memory) {
  Memory *root = root_of(memory);
  Held held(root->lock);
  bool is_fresh = root->is_fresh_on_driver;
  root->is_fresh_on_driver |= memory == root;
  return is_fresh;
}

cl_int bring_copies(const Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i) {
    Memory *memory = launch.memories[i].memory;
    char *address;
    bring_to_host(memory);
    if (was_fresh(memory))
      continue;
    REQUIRE_SUCCESS(find_on_gpu(memory, address));
    REQUIRE_SUCCESS(copy_to_gpu(address, memory->data, memory->bytes));
  }
  return CL_SUCCESS;
}

// The bytes from `start` on that no mapping may write; `start` is moved behind those that one may.
static size_t unmapped_bytes(const Memory *root, const char *&start, const char *end) {
  const char *stop = end;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Mapping &each : root->written_by_host)
      if (each.address <= start && start < each.address + each.bytes) {
        start = each.address + each.bytes;
        moved = true;
      }
  }
  for (const Mapping &each : root->written_by_host)
    if (each.address > start && each.address < stop)
      stop = each.address;
  return start < stop ? static_cast<size_t>(stop - start) : 0;
}

cl_int take_copies_back(const Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i) {
    Memory *memory = launch.memories[i].memory, *root = root_of(memory);
    if (memory->flags & CL_MEM_READ_ONLY)
      continue;
    char *address;
    REQUIRE_SUCCESS(find_on_gpu(memory, address));
    const char *start = memory->data, *end = start + memory->bytes;
    while (size_t bytes = unmapped_bytes(root, start, end)) {
      REQUIRE_SUCCESS(copy_from_gpu(memory->data + (start - memory->data), address + (start - memory->data), bytes));
      start += bytes;
    }
    Held held(root->lock);
    root->is_fresh_on_gpu = false;
  }
  return CL_COMPLETE;
}

void forget_copies(const Launch &launch) {
  for (size_t i = 0; i < launch.num_memories; ++i)
    mark(root_of(launch.memories[i].memory), false);
}

// ---- Mappings ------------------------------------------------------------------------------------------------

static bool is_for_writing(const Memory *memory, const Mapping &mapping) {
  return memory->context->has_copies_on_gpu && mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
}

cl_int start_mapping(Memory *memory, const Mapping &mapping) {
  if (!is_for_writing(memory, mapping))
    return CL_COMPLETE;
  Memory *root = root_of(memory);
  Held held(root->moving);
  REQUIRE(root->written_by_host.add(mapping), CL_OUT_OF_HOST_MEMORY, "no memory for a mapping");
  return CL_COMPLETE;
}

void end_mapping(Memory *memory, const Mapping &mapping) {
  if (!is_for_writing(memory, mapping))
    return;
  Memory *root = root_of(memory);
  Held held(root->moving);
  for (Mapping &each : root->written_by_host)
    if (each.address == mapping.address && each.bytes == mapping.bytes) {
      each = root->written_by_host[--root->written_by_host.count];
      return;
    }
}

} // namespace lw_opencl
