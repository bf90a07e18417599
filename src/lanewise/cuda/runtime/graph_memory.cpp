// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "gpu.h"
#include "graph_memory.h"
#include "memory.h"

namespace lw_cudart {

static Lock memory_lock;
static List<GraphMemory *> all_memory;

struct Watched {
  uint64_t now, high;

  void set(uint64_t bytes) {
    now = bytes;
    if (now > high)
      high = now;
  }
};
// Mapped memory; and that, with what was mapped since the last trim.
static Watched used, reserved;

static GraphMemory *find(void *address) {
  for (GraphMemory *memory : all_memory)
    if (memory->address == address)
      return memory;
  return nullptr;
}

static void set_mapped(GraphMemory *memory, bool mapped) {
  if (memory->mapped == mapped)
    return;
  memory->mapped = mapped;
  used.set(mapped ? used.now + memory->bytes : used.now - memory->bytes);
  if (used.now > reserved.now)
    reserved.set(used.now);
}

// Forgets memory that neither a graph nor the program has. The caller gives its address back.
static bool forget_unused(GraphMemory *memory) {
  if (memory->owned || memory->executables || memory->live)
    return false;
  set_mapped(memory, false);
  all_memory.remove(memory);
  return true;
}

static void release_now(GraphMemory *memory) {
  lw_synchronize();
  lw_memory_free(memory->address, LW_DEVICE_MEMORY);
  free(memory);
}

cudaError_t create_graph_memory(Graph *graph, size_t bytes, GraphMemory **made) {
  GraphMemory *memory = static_cast<GraphMemory *>(calloc(1, sizeof(GraphMemory)));
  REQUIRE(memory, cudaErrorMemoryAllocation, "no memory for the node");
  cudaError_t error = allocate(&memory->address, bytes, LW_DEVICE_MEMORY, 0);
  Held held(memory_lock);
  if (error == cudaSuccess && !all_memory.add(memory)) {
    lw_memory_free(memory->address, LW_DEVICE_MEMORY);
    error = fail(cudaErrorMemoryAllocation, "no memory for the node");
  }
  if (error != cudaSuccess) {
    free(memory);
    return error;
  }
  memory->bytes = bytes;
  memory->graph = graph->id;
  memory->owned = true;
  *made = memory;
  return cudaSuccess;
}

void share_graph_memory(GraphMemory *memory) {
  Held held(memory_lock);
  ++memory->executables;
}

void give_up_graph_memory(GraphMemory *memory, const Graph *graph) {
  bool unused;
  {
    Held held(memory_lock);
    if (graph->id == memory->graph)
      memory->owned = false;
    else if (--memory->executables == 0 && !memory->live)
      set_mapped(memory, false);
    unused = forget_unused(memory);
  }
  if (unused)
    release_now(memory);
}

bool is_graph_memory(void *memory) {
  Held held(memory_lock);
  return find(memory) != nullptr;
}

static bool has_free_node(const Graph *graph, void *memory) {
  for (size_t i = 0; i < graph->nodes.count; ++i)
    if (graph->nodes.items[i]->freed == memory)
      return true;
  return false;
}

cudaError_t free_in_graph(Graph *graph, void *address) {
  Held held(memory_lock);
  GraphMemory *memory = find(address);
  REQUIRE(memory, cudaErrorInvalidValue, "%p is no memory that a graph allocates", address);
  bool inside = memory->graph == graph->id;
  REQUIRE(!memory->freed_inside && !has_free_node(graph, address), cudaErrorInvalidValue,
          "%p is freed by another node already", address);
  REQUIRE(!inside || !memory->freed_outside, cudaErrorInvalidValue, "%p is freed by a node of another graph already",
          address);
  (inside ? memory->freed_inside : memory->freed_outside) = true;
  return cudaSuccess;
}

static int32_t release_in_order(void *memory) {
  release(memory, LW_DEVICE_MEMORY);
  __atomic_sub_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
  return 0;
}

static cudaError_t release_after(Stream *stream, GraphMemory *memory) {
  void *address = memory->address;
  free(memory);
  if (!stream)
    return release(address, LW_DEVICE_MEMORY);
  __atomic_add_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
  auto dropped = [](void *data) { (void)release_in_order(data); };
  cudaError_t error = submit_call(stream, release_in_order, dropped, address, nullptr);
  if (error != cudaSuccess)
    __atomic_sub_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
  return error;
}

// Live memory is freed: it stays mapped if a graph may allocate it again.
static cudaError_t end_life(GraphMemory *memory, Stream *stream) {
  bool unused;
  {
    Held held(memory_lock);
    memory->live = false;
    set_mapped(memory, false);
    unused = forget_unused(memory);
  }
  return unused ? release_after(stream, memory) : cudaSuccess;
}

cudaError_t free_graph_memory(void *address, Stream *stream) {
  GraphMemory *memory;
  {
    Held held(memory_lock);
    memory = find(address);
    REQUIRE(memory, cudaErrorInvalidValue, "%p has been freed already", address);
    REQUIRE(!memory->freed_inside, cudaErrorInvalidValue, "%p is freed by a node of the graph that allocates it",
            address);
    REQUIRE(memory->live, cudaErrorInvalidValue,
            "%p is not allocated: its graph was not launched since it was last freed, or never", address);
  }
  return end_life(memory, stream);
}

bool has_memory_nodes(const Graph *graph) {
  for (size_t i = 0; i < graph->nodes.count; ++i) {
    cudaGraphNodeType type = graph->nodes.items[i]->type;
    if (type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree)
      return true;
  }
  return false;
}

cudaError_t check_graph_memory(Graph *graph, bool frees_first) {
  Held held(memory_lock);
  for (Node *node : graph->nodes) {
    REQUIRE(!node->memory || !node->memory->live || frees_first, cudaErrorInvalidValue,
            "%p, which an earlier launch has allocated, is not freed: free it, or instantiate the graph with "
            "cudaGraphInstantiateFlagAutoFreeOnLaunch",
            node->memory->address);
    if (!node->freed)
      continue;
    GraphMemory *memory = find(node->freed);
    REQUIRE(memory && (memory->freed_inside || memory->live), cudaErrorInvalidValue,
            "%p, which the graph frees, is not allocated", node->freed);
  }
  return cudaSuccess;
}

void map_graph_memory(Graph *graph) {
  Held held(memory_lock);
  for (Node *node : graph->nodes)
    if (node->memory)
      set_mapped(node->memory, true);
}

cudaError_t follow_launch(Graph *graph, Stream *stream) {
  map_graph_memory(graph);
  for (Node *node : graph->nodes) {
    GraphMemory *freed = nullptr;
    {
      Held held(memory_lock);
      if (node->memory)
        node->memory->live = !node->memory->freed_inside;
      if (node->freed)
        freed = find(node->freed);
    }
    if (freed && !freed->freed_inside)
      REQUIRE_SUCCESS(end_life(freed, stream));
  }
  return cudaSuccess;
}

void destroy_graph_memory() {
  Held held(memory_lock);
  for (GraphMemory *memory : all_memory) {
    lw_memory_free(memory->address, LW_DEVICE_MEMORY);
    free(memory);
  }
  all_memory.clear();
  used = reserved = {};
}

LW_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return CALL({
    REQUIRE_SUCCESS(require_device(device));
    lw_synchronize(); // graphs that run use theirs
    Held held(memory_lock);
    for (GraphMemory *memory : all_memory)
      if (!memory->live) {
        lw_memory_discard(memory->address);
        set_mapped(memory, false);
      }
    reserved.set(used.now);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE(static_cast<unsigned int>(attribute) <= cudaGraphMemAttrReservedMemHigh, cudaErrorInvalidValue,
            "there is no attribute %d", attribute);
    Held held(memory_lock);
    const Watched &watched = attribute <= cudaGraphMemAttrUsedMemHigh ? used : reserved;
    bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    *static_cast<uint64_t *>(value) = high ? watched.high : watched.now;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE(attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh,
            cudaErrorInvalidValue, "attribute %d can't be set", attribute);
    REQUIRE(*static_cast<uint64_t *>(value) == 0, cudaErrorInvalidValue, "a high-water mark can only be set to 0");
    Held held(memory_lock);
    (attribute == cudaGraphMemAttrUsedMemHigh ? used : reserved).high = 0;
    return cudaSuccess;
  });
}

} // namespace lw_cudart
