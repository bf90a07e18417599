// SPDX-License-Identifier: Apache-2.0
// Copies between the host's memory and the simulated GPU's, when the device that uses a buffer is another than before.
//
// A buffer is in the host's memory, which `data` points to, until a kernel on the GPU uses it. From then on it has memory
// there, too, and two marks that say which contents count. The same goes for all parts of it together, but for one case:
// different devices may use parts at the same time that have no byte in common. So a part that a kernel on the GPU uses is
// copied there before and back after, and the host's contents count.
#include "residence.h"

namespace lw_opencl {

// With the lock held.
static void update_host(Memory *root) {
  if (root->is_stale_on_host)
    memcpy(root->data, root->gpu_data, root->bytes);
  root->is_stale_on_host = false;
}

void bring_to_host(Memory *memory) {
  Memory *root = memory ? root_of(memory) : nullptr;
  if (!root || !__atomic_load_n(&root->gpu_data, __ATOMIC_ACQUIRE))
    return;
  Held held(root->lock);
  update_host(root);
}

void note_written_on_host(Memory *memory) {
  Memory *root = memory ? root_of(memory) : nullptr;
  if (!root || (!root->context->has_copies_on_gpu && !__atomic_load_n(&root->gpu_data, __ATOMIC_ACQUIRE)))
    return;
  Held held(root->lock);
  root->is_fresh_on_gpu = root->is_fresh_on_driver = false;
}

// With the lock held.
static cl_int place_root(Memory *root) {
  if (!root->gpu_data) {
    void *made;
    REQUIRE(lw_memory_allocate(root->bytes, LW_DEVICE_MEMORY, 0, &made) == LW_SUCCESS, CL_MEM_OBJECT_ALLOCATION_FAILURE,
            "%zu bytes of memory: %s", root->bytes, lw_explanation());
    __atomic_store_n(&root->gpu_data, static_cast<char *>(made), __ATOMIC_RELEASE);
  }
  return CL_SUCCESS;
}

static char *place_of(const Memory *memory, const Memory *root) { return root->gpu_data + (memory->data - root->data); }

cl_int place_on_gpu(Memory *memory, char *&address) {
  Memory *root = root_of(memory);
  Held held(root->lock);
  REQUIRE_SUCCESS(place_root(root));
  address = place_of(memory, root);
  return CL_SUCCESS;
}

cl_int bring_to_gpu(Memory *memory) {
  Memory *root = root_of(memory);
  Held held(root->lock);
  REQUIRE_SUCCESS(place_root(root));
  if (memory != root) {
    update_host(root);
    memcpy(place_of(memory, root), memory->data, memory->bytes);
  } else if (!root->is_fresh_on_gpu) {
    memcpy(root->gpu_data, root->data, root->bytes);
    root->is_fresh_on_gpu = true;
  }
  return CL_SUCCESS;
}

void note_written_on_gpu(Memory *memory) {
  Memory *root = root_of(memory);
  Held held(root->lock);
  root->is_fresh_on_driver = false;
  if (memory == root)
    root->is_stale_on_host = true;
  else
    memcpy(memory->data, place_of(memory, root), memory->bytes);
}

} // namespace lw_opencl
