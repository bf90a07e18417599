// SPDX-License-Identifier: Apache-2.0
// Nodes: added one by one, asked for their parameters, changed.
#include "api.h"
#include "copies.h"
#include "functions.h"
#include "graph_memory.h"
#include "graphs.h"
#include "kernel_launches.h"
#include "memory.h"
#include "ranges.h"

namespace lw_cudart {

static cudaError_t require_type(const Node *node, cudaGraphNodeType type) {
  REQUIRE(node->type == type, cudaErrorInvalidValue, "the node is of type %d, not %d", node->type, type);
  return cudaSuccess;
}

// `extra` of the driver API: a buffer of packed arguments.
static cudaError_t packed_buffer(void **extra, const lw_kernel_image *kernel, void *packed) {
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; *extra; extra += 2) {
    REQUIRE(*extra == reinterpret_cast<void *>(1) || *extra == reinterpret_cast<void *>(2), cudaErrorInvalidValue,
            "extra has an option that is unknown");
    if (*extra == reinterpret_cast<void *>(1))
      buffer = extra[1];
    else
      bytes = *static_cast<size_t *>(extra[1]);
  }
  REQUIRE(buffer && bytes >= kernel->args_bytes, cudaErrorInvalidValue, "kernel %s: %zu bytes of arguments: it has %u",
          kernel->name, bytes, kernel->args_bytes);
  memcpy(packed, buffer, kernel->args_bytes);
  return cudaSuccess;
}

cudaError_t set_kernel(Node *node, const cudaKernelNodeParams *parameters) {
  REQUIRE_POINTER(parameters);
  Function *function;
  REQUIRE_SUCCESS(find_function(parameters->func, &function));
  prepare_for_launches();
  Launch launch;
  REQUIRE_SUCCESS(prepare_launch(function, parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes,
                                 node->launch.request.flags, &launch));
  const lw_kernel_image *kernel = function->kernel;
  void *packed = malloc(kernel->args_bytes + 1u);
  REQUIRE(packed, cudaErrorMemoryAllocation, "no memory for arguments");
  cudaError_t error = parameters->extra && !parameters->kernelParams ? packed_buffer(parameters->extra, kernel, packed)
                                                                     : pack(kernel, parameters->kernelParams, packed);
  if (error == cudaSuccess)
    error = set_launch(node, launch, packed);
  free(packed);
  return error;
}

cudaError_t set_copy(Node *node, const cudaMemcpy3DParms *parameters) {
  Copy copy;
  cudaMemcpyKind kind;
  REQUIRE_SUCCESS(box_copy(parameters, &copy, &kind));
  REQUIRE_SUCCESS(check_copy(copy, kind));
  node->copy = copy;
  node->copy_parameters = *parameters;
  return cudaSuccess;
}

cudaError_t set_row(Node *node, void *target, const void *source, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = {const_cast<void *>(source), bytes, bytes, 1};
  parameters.dstPtr = {target, bytes, bytes, 1};
  parameters.extent = {bytes, 1, 1};
  parameters.kind = kind;
  return set_copy(node, &parameters);
}

cudaError_t set_fill(Node *node, const cudaMemsetParams *parameters) {
  REQUIRE_POINTER(parameters);
  const cudaMemsetParams &p = *parameters;
  REQUIRE(p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4, cudaErrorInvalidValue,
          "elements of %u bytes: they must be of 1, 2 or 4", p.elementSize);
  REQUIRE(p.width && p.height, cudaErrorInvalidValue, "nothing to fill");
  size_t bytes = product(p.width, p.elementSize), pitch = p.height > 1 ? p.pitch : bytes;
  Fill fill = {p.dst, {pitch, product(pitch, p.height)}, p.value, p.elementSize, {bytes, p.height, 1}};
  REQUIRE_SUCCESS(check_fill(fill));
  node->fill = fill;
  return cudaSuccess;
}

cudaError_t set_call(Node *node, const cudaHostNodeParams *parameters) {
  REQUIRE_POINTER(parameters);
  REQUIRE(parameters->fn, cudaErrorInvalidValue, "fn is null");
  node->call = *parameters;
  return cudaSuccess;
}

// Adds a node and fills it in by `set`; if that fails, the graph stays as it was.
template <class Set>
static cudaError_t add_and_set(cudaGraphNode_t *made, cudaGraph_t handle, cudaGraphNodeType type,
                               const cudaGraphNode_t *after, size_t count, Set set) {
  REQUIRE(made, cudaErrorInvalidValue, "node is null");
  REQUIRE_GRAPH(graph, handle);
  Node *node;
  REQUIRE_SUCCESS(add_node(graph, type, after, count, &node));
  cudaError_t error = set(node);
  if (error != cudaSuccess) {
    drop_node(node);
    return error;
  }
  *made = reinterpret_cast<cudaGraphNode_t>(node);
  return cudaSuccess;
}

#define ADD_CALL(type, ...)                                                                                            \
  CALL({                                                                                                               \
    return add_and_set(node, graph, cudaGraphNodeType##type, after, count,                                             \
                       [&](Node *added) -> cudaError_t { return __VA_ARGS__; });                                       \
  })

LW_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaKernelNodeParams *parameters) {
  return ADD_CALL(Kernel, set_kernel(added, parameters));
}

LW_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemcpy3DParms *parameters) {
  return ADD_CALL(Memcpy, set_copy(added, parameters));
}

LW_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, void *target, const void *source, size_t bytes,
                                            cudaMemcpyKind kind) {
  return ADD_CALL(Memcpy, set_row(added, target, source, bytes, kind));
}

static cudaError_t part_of_symbol(const void *symbol, size_t bytes, size_t offset, void **address) {
  uint64_t size;
  REQUIRE_SUCCESS(find_variable(symbol, address, &size));
  REQUIRE(offset <= size && bytes <= size - offset, cudaErrorInvalidValue,
          "%zu bytes from byte %zu of a variable that has %llu", bytes, offset, static_cast<unsigned long long>(size));
  *address = static_cast<char *>(*address) + offset;
  return cudaSuccess;
}

LW_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t count, const void *symbol,
                                                  const void *source, size_t bytes, size_t offset,
                                                  cudaMemcpyKind kind) {
  return CALL({
    void *target;
    REQUIRE_SUCCESS(part_of_symbol(symbol, bytes, offset, &target));
    return add_and_set(node, graph, cudaGraphNodeTypeMemcpy, after, count,
                       [&](Node *added) { return set_row(added, target, source, bytes, kind); });
  });
}

LW_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                    const cudaGraphNode_t *after, size_t count, void *target,
                                                    const void *symbol, size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind) {
  return CALL({
    void *source;
    REQUIRE_SUCCESS(part_of_symbol(symbol, bytes, offset, &source));
    return add_and_set(node, graph, cudaGraphNodeTypeMemcpy, after, count,
                       [&](Node *added) { return set_row(added, target, source, bytes, kind); });
  });
}

LW_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemsetParams *parameters) {
  return ADD_CALL(Memset, set_fill(added, parameters));
}

LW_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, const cudaHostNodeParams *parameters) {
  return ADD_CALL(Host, set_call(added, parameters));
}

static cudaError_t set_child(Node *node, cudaGraph_t handle) {
  REQUIRE_GRAPH(child, handle);
  REQUIRE(child != node->graph, cudaErrorInvalidValue, "a graph can't be a part of itself");
  REQUIRE_NO_MEMORY_NODES(child, "be a part of another");
  return clone_graph(child, &node->child);
}

LW_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                              size_t count, cudaGraph_t child) {
  return ADD_CALL(Graph, set_child(added, child));
}

LW_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                         size_t count) {
  return ADD_CALL(Empty, ((void)added, cudaSuccess));
}

LW_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                               size_t count, cudaEvent_t event) {
  return ADD_CALL(EventRecord, set_event(added, event));
}

LW_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                             size_t count, cudaEvent_t event) {
  return ADD_CALL(WaitEvent, set_event(added, event));
}

static cudaError_t require_own_device(const cudaMemLocation &location) {
  REQUIRE(location.type == cudaMemLocationTypeDevice && location.id == 0, cudaErrorInvalidValue,
          "the location must be device 0");
  return cudaSuccess;
}

static cudaError_t check_allocation(const cudaMemAllocNodeParams &parameters) {
  const cudaMemPoolProps &properties = parameters.poolProps;
  REQUIRE(properties.allocType == cudaMemAllocationTypePinned, cudaErrorInvalidValue, "allocType must be pinned");
  REQUIRE(properties.handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported,
          "memory of graphs can't be shared with other processes");
  REQUIRE_SUCCESS(require_own_device(properties.location));
  REQUIRE(parameters.bytesize, cudaErrorInvalidValue, "0 bytes");
  REQUIRE(parameters.accessDescs || !parameters.accessDescCount, cudaErrorInvalidValue, "accessDescs is null");
  for (size_t i = 0; i < parameters.accessDescCount; ++i)
    REQUIRE_SUCCESS(require_own_device(parameters.accessDescs[i].location));
  return cudaSuccess;
}

LW_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, cudaMemAllocNodeParams *parameters) {
  return CALL({
    REQUIRE_POINTER(parameters);
    REQUIRE_SUCCESS(check_allocation(*parameters));
    return add_and_set(node, graph, cudaGraphNodeTypeMemAlloc, after, count, [&](Node *added) {
      return set_allocation(added, parameters->poolProps, parameters->bytesize, &parameters->dptr);
    });
  });
}

LW_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                           size_t count, void *memory) {
  return CALL({
    return add_and_set(node, graph, cudaGraphNodeTypeMemFree, after, count, [&](Node *added) -> cudaError_t {
      REQUIRE_SUCCESS(free_in_graph(added->graph, memory));
      added->freed = memory;
      return cudaSuccess;
    });
  });
}

// A call about a node of one type.
#define NODE_CALL(type, ...)                                                                                           \
  CALL({                                                                                                               \
    REQUIRE_NODE(node, handle);                                                                                        \
    REQUIRE_SUCCESS(require_type(node, cudaGraphNodeType##type));                                                      \
    __VA_ARGS__                                                                                                        \
  })
#define GET_CALL(type, target, value) NODE_CALL(type, REQUIRE_POINTER(target); *target = value; return cudaSuccess;)

LW_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams *parameters) {
  return NODE_CALL(Kernel, {
    REQUIRE_POINTER(parameters);
    const lw_kernel_launch &launch = node->launch.request;
    *parameters = {const_cast<void *>(node->launch.function->host),
                   dim3(launch.grid[0], launch.grid[1], launch.grid[2]),
                   dim3(launch.block[0], launch.block[1], launch.block[2]),
                   launch.dynamic_shared,
                   node->argument_list,
                   nullptr};
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const cudaKernelNodeParams *parameters) {
  return NODE_CALL(Kernel, return set_kernel(node, parameters););
}

LW_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                                   cudaKernelNodeAttrValue *value) {
  return NODE_CALL(Kernel, {
    REQUIRE_POINTER(value);
    memset(value, 0, sizeof *value);
    if (attribute == cudaLaunchAttributeCooperative)
      value->cooperative = (node->launch.request.flags & LW_COOPERATIVE) != 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                                   const cudaKernelNodeAttrValue *value) {
  return NODE_CALL(Kernel, {
    REQUIRE_POINTER(value);
    if (attribute == cudaLaunchAttributeCooperative)
      node->launch.request.flags = value->cooperative ? LW_COOPERATIVE : 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms *parameters) {
  return GET_CALL(Memcpy, parameters, node->copy_parameters);
}

LW_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle, const cudaMemcpy3DParms *parameters) {
  return NODE_CALL(Memcpy, return set_copy(node, parameters););
}

LW_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void *target, const void *source,
                                                  size_t bytes, cudaMemcpyKind kind) {
  return NODE_CALL(Memcpy, return set_row(node, target, source, bytes, kind););
}

LW_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams *parameters) {
  return NODE_CALL(Memset, {
    REQUIRE_POINTER(parameters);
    const Fill &fill = node->fill;
    *parameters = {fill.target,  fill.pitch.row, fill.value, fill.value_bytes, fill.box.bytes / fill.value_bytes,
                   fill.box.rows};
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle, const cudaMemsetParams *parameters) {
  return NODE_CALL(Memset, return set_fill(node, parameters););
}

LW_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams *parameters) {
  return GET_CALL(Host, parameters, node->call);
}

LW_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle, const cudaHostNodeParams *parameters) {
  return NODE_CALL(Host, return set_call(node, parameters););
}

LW_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *child) {
  return GET_CALL(Graph, child, reinterpret_cast<cudaGraph_t>(node->child));
}

LW_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t *event) {
  return GET_CALL(EventRecord, event, node->event);
}

LW_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return NODE_CALL(EventRecord, return set_event(node, event););
}

LW_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t *event) {
  return GET_CALL(WaitEvent, event, node->event);
}

LW_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return NODE_CALL(WaitEvent, return set_event(node, event););
}

LW_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, cudaMemAllocNodeParams *parameters) {
  return NODE_CALL(MemAlloc, {
    REQUIRE_POINTER(parameters);
    memset(parameters, 0, sizeof *parameters);
    parameters->poolProps = node->pool_properties;
    parameters->bytesize = node->memory->bytes;
    parameters->dptr = node->memory->address;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *memory) {
  return NODE_CALL(MemFree, {
    REQUIRE_POINTER(memory);
    *static_cast<void **>(memory) = node->freed;
    return cudaSuccess;
  });
}

} // namespace lw_cudart
