// SPDX-License-Identifier: Apache-2.0
// Streams that are captured: their work becomes nodes of a graph.
#include "api.h"
#include "graph_memory.h"
#include "graphs.h"
#include "memory.h"

#include <pthread.h>

namespace lw_cudart {

static Lock captures_lock;
static List<Capture *> captures;
static int num_captures;
static unsigned long long last_capture;
static thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

bool takes_capture(Graph *graph) {
  Held held(captures_lock);
  for (Capture *capture : captures)
    for (Graph *around = capture->into_given ? capture->graph : nullptr; around; around = around->parent)
      if (around == graph)
        return true;
  return false;
}

bool is_capturing() { return __atomic_load_n(&num_captures, __ATOMIC_ACQUIRE) != 0; }

static uint64_t this_thread() { return static_cast<uint64_t>(pthread_self()); }

static cudaError_t unsupported(Capture *capture) {
  capture->invalid = true;
  return fail(cudaErrorStreamCaptureUnsupported, "this can't be captured in a graph");
}

cudaError_t require_uncaptured(Stream *stream) { return stream->capture ? unsupported(stream->capture) : cudaSuccess; }

cudaError_t leave_capture(Stream *stream) {
  Capture *capture = stream->capture;
  if (!capture)
    return cudaSuccess;
  if (capture->origin == stream)
    return unsupported(capture);
  Held held(captures_lock);
  REQUIRE(capture->left.add_all(stream->last), cudaErrorMemoryAllocation, "no memory for the capture");
  capture->streams.remove(stream);
  stream->capture = nullptr;
  return cudaSuccess;
}

cudaError_t require_no_capture() {
  if (!is_capturing())
    return cudaSuccess;
  Held held(captures_lock);
  return captures.count ? unsupported(captures[0]) : cudaSuccess;
}

cudaError_t require_no_implicit_capture() {
  if (!is_capturing())
    return cudaSuccess;
  Held held(captures_lock);
  for (Capture *capture : captures)
    for (Stream *stream : capture->streams)
      if (is_blocking(stream)) {
        capture->invalid = true;
        return fail(cudaErrorStreamCaptureImplicit,
                    "the legacy default stream waits for blocking streams, one of which is captured");
      }
  return cudaSuccess;
}

cudaError_t require_no_unsafe_capture() {
  if (!is_capturing() || thread_mode == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  Held held(captures_lock);
  for (Capture *capture : captures) {
    bool ours = capture->thread == this_thread() && capture->mode != cudaStreamCaptureModeRelaxed;
    bool forbids_all = capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (ours || forbids_all)
      return unsupported(capture);
  }
  return cudaSuccess;
}

// Adds a node after the stream's last work.
static cudaError_t add_captured(Stream *stream, cudaGraphNodeType type, Node **node) {
  Capture *capture = stream->capture;
  REQUIRE(!capture->invalid, cudaErrorStreamCaptureInvalidated, "an earlier call has ended the capture");
  REQUIRE_SUCCESS(add_node(capture->graph, type, reinterpret_cast<cudaGraphNode_t *>(stream->last.items),
                           stream->last.count, node));
  stream->last.clear();
  stream->last.add(*node);
  return cudaSuccess;
}

cudaError_t capture_launch(Stream *stream, const Launch &launch) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeKernel, &node));
  return set_launch(node, launch, launch.request.args);
}

cudaError_t capture_copy(Stream *stream, const Copy &copy) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeMemcpy, &node));
  node->copy = copy;
  cudaMemcpy3DParms &p = node->copy_parameters;
  p.srcPtr = {const_cast<void *>(copy.source), copy.source_pitch.row, copy.box.bytes, copy.box.rows};
  p.dstPtr = {copy.target, copy.target_pitch.row, copy.box.bytes, copy.box.rows};
  p.extent = {copy.box.bytes, copy.box.rows, copy.box.planes};
  p.kind = cudaMemcpyDefault;
  return cudaSuccess;
}

cudaError_t capture_fill(Stream *stream, const Fill &fill) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeMemset, &node));
  node->fill = fill;
  return cudaSuccess;
}

cudaError_t capture_call(Stream *stream, const cudaHostNodeParams &call) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeHost, &node));
  node->call = call;
  return cudaSuccess;
}

cudaError_t capture_record(Stream *stream, cudaEvent_t event) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeEventRecord, &node));
  return set_event(node, event);
}

cudaError_t capture_wait(Stream *stream, cudaEvent_t event) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeWaitEvent, &node));
  return set_event(node, event);
}

cudaError_t capture_child(Stream *stream, Graph *graph) {
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeGraph, &node));
  return clone_graph(graph, &node->child);
}

cudaError_t capture_allocation(Stream *stream, size_t bytes, void **memory) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  List<Node *> before = {};
  Node *node;
  REQUIRE(before.add_all(stream->last), cudaErrorMemoryAllocation, "no memory for the capture");
  cudaError_t error = add_captured(stream, cudaGraphNodeTypeMemAlloc, &node);
  if (error == cudaSuccess) {
    error = set_allocation(node, properties, bytes, memory);
    if (error != cudaSuccess) {
      drop_node(node);
      stream->last.clear();
      stream->last.add_all(before);
    }
  }
  before.release();
  return error;
}

cudaError_t capture_free(Stream *stream, void *memory) {
  REQUIRE(!stream->capture->invalid, cudaErrorStreamCaptureInvalidated, "an earlier call has ended the capture");
  REQUIRE_SUCCESS(free_in_graph(stream->capture->graph, memory));
  Node *node;
  REQUIRE_SUCCESS(add_captured(stream, cudaGraphNodeTypeMemFree, &node));
  node->freed = memory;
  return cudaSuccess;
}

cudaError_t record_in_capture(Event *event, Stream *stream) {
  event->capture = stream->capture->id;
  event->nodes.clear();
  REQUIRE(event->nodes.add_all(stream->last), cudaErrorMemoryAllocation, "no memory for the event");
  return cudaSuccess;
}

static Capture *capture_of(unsigned long long id) {
  Held held(captures_lock);
  for (Capture *capture : captures)
    if (capture->id == id)
      return capture;
  return nullptr;
}

cudaError_t wait_in_capture(Stream *stream, Event *event) {
  Capture *capture = capture_of(event->capture);
  REQUIRE(capture, cudaErrorCapturedEvent, "the event was recorded in a capture that has ended");
  REQUIRE(!capture->invalid, cudaErrorStreamCaptureInvalidated, "an earlier call has ended the capture");
  REQUIRE(stream != legacy_stream(), cudaErrorStreamCaptureImplicit, "the legacy default stream can't be captured");
  REQUIRE(!stream->capture || stream->capture == capture, cudaErrorStreamCaptureMerge,
          "the stream takes part in another capture");
  if (!stream->capture) {
    Held held(captures_lock);
    REQUIRE(capture->streams.add(stream), cudaErrorMemoryAllocation, "no memory for the capture");
    stream->last.clear();
    stream->capture = capture;
  }
  for (Node *node : event->nodes)
    if (!stream->last.has(node))
      REQUIRE(stream->last.add(node), cudaErrorMemoryAllocation, "no memory for the capture");
  return cudaSuccess;
}

static cudaError_t require_capturable(Stream *stream, cudaStreamCaptureMode mode) {
  REQUIRE((unsigned int)mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue, "there is no mode %d", mode);
  REQUIRE_SUCCESS(refuse_on_gpu("captures"));
  REQUIRE(stream != legacy_stream(), cudaErrorStreamCaptureUnsupported, "the legacy default stream can't be captured");
  REQUIRE(!stream->capture, cudaErrorIllegalState, "the stream is captured already");
  return cudaSuccess;
}

// Captures into a graph, or into a new one if that is null.
static cudaError_t begin_capture(Stream *stream, cudaStreamCaptureMode mode, Graph *graph) {
  Capture *capture = static_cast<Capture *>(calloc(1, sizeof(Capture)));
  REQUIRE(capture, cudaErrorMemoryAllocation, "no memory for a capture");
  capture->graph = graph;
  capture->into_given = graph;
  if (!graph && create_graph(&capture->graph) != cudaSuccess) {
    free(capture);
    return fail(cudaErrorMemoryAllocation, "no memory for a graph");
  }
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = this_thread();
  Held held(captures_lock);
  capture->id = ++last_capture;
  capture->streams.add(stream);
  captures.add(capture);
  __atomic_add_fetch(&num_captures, 1, __ATOMIC_RELEASE);
  stream->capture = capture;
  return cudaSuccess;
}

LW_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    REQUIRE_SUCCESS(require_capturable(stream, mode));
    stream->last.clear();
    return begin_capture(stream, mode, nullptr);
  });
}

LW_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                                 const cudaGraphNode_t *after, const cudaGraphEdgeData *edges,
                                                 size_t count, cudaStreamCaptureMode mode) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    REQUIRE_GRAPH(graph, graph_handle);
    REQUIRE_SUCCESS(require_capturable(stream, mode));
    REQUIRE_SUCCESS(require_plain_edges(edges, count));
    REQUIRE_SUCCESS(require_nodes(graph, after, count));
    stream->last.clear();
    for (size_t i = 0; i < count; ++i)
      if (!stream->last.has(node_of(after[i])))
        REQUIRE(stream->last.add(node_of(after[i])), cudaErrorMemoryAllocation, "no memory for the capture");
    return begin_capture(stream, mode, graph);
  });
}

// True if all captured work comes before the end of the stream that the capture began in.
static bool is_joined(Capture *capture) {
  for (Node *node : capture->graph->nodes)
    node->mark = 0;
  // Nodes come in order: from the last to the first, no call goes deep.
  for (Node *node : capture->origin->last)
    node->mark = 2;
  for (size_t i = capture->graph->nodes.count; i-- > 0;)
    if (capture->graph->nodes[i]->mark)
      for (Node *earlier : capture->graph->nodes[i]->after)
        earlier->mark = 1;
  for (Stream *stream : capture->streams)
    for (Node *node : stream->last)
      if (!node->mark)
        return false;
  for (Node *node : capture->left)
    if (!node->mark)
      return false;
  return true;
}

static void end_capture(Capture *capture) {
  Held held(captures_lock);
  for (Stream *stream : capture->streams) {
    stream->capture = nullptr;
    stream->last.clear();
  }
  captures.remove(capture);
  __atomic_sub_fetch(&num_captures, 1, __ATOMIC_RELEASE);
  capture->streams.release();
  capture->left.release();
  free(capture);
}

void abandon_captures() {
  while (captures.count) {
    Graph *graph = captures[0]->into_given ? nullptr : captures[0]->graph;
    end_capture(captures[0]);
    if (graph)
      destroy_graph(graph);
  }
}

LW_API cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
  return CALL({
    if (graph)
      *graph = nullptr;
    REQUIRE_STREAM(stream, handle);
    Capture *capture = stream->capture;
    REQUIRE(capture, cudaErrorIllegalState, "the stream is not captured");
    REQUIRE(capture->origin == stream, cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
    REQUIRE(capture->mode == cudaStreamCaptureModeRelaxed || capture->thread == this_thread(),
            cudaErrorStreamCaptureWrongThread, "the capture began in another thread");
    REQUIRE(graph || capture->into_given, cudaErrorInvalidValue, "graph is null");
    bool joined = is_joined(capture), invalid = capture->invalid, given = capture->into_given;
    Graph *made = capture->graph;
    end_capture(capture);
    if ((invalid || !joined) && !given)
      destroy_graph(made);
    REQUIRE(!invalid, cudaErrorStreamCaptureInvalidated, "an earlier call has ended the capture");
    REQUIRE(joined, cudaErrorStreamCaptureUnjoined,
            "work of another stream was captured that this stream doesn't wait for");
    if (graph)
      *graph = reinterpret_cast<cudaGraph_t>(made);
    return cudaSuccess;
  });
}

static cudaStreamCaptureStatus status_of(const Stream *stream) {
  return !stream->capture           ? cudaStreamCaptureStatusNone
         : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
}

LW_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus *status) {
  return CALL({
    REQUIRE_POINTER(status);
    REQUIRE_STREAM(stream, handle);
    *status = status_of(stream);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle, cudaStreamCaptureStatus *status,
                                               unsigned long long *id, cudaGraph_t *graph,
                                               const cudaGraphNode_t **nodes, size_t *count) {
  return CALL({
    REQUIRE_POINTER(status);
    REQUIRE_STREAM(stream, handle);
    *status = status_of(stream);
    if (*status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    if (id)
      *id = stream->capture->id;
    if (graph)
      *graph = reinterpret_cast<cudaGraph_t>(stream->capture->graph);
    if (nodes)
      *nodes = reinterpret_cast<const cudaGraphNode_t *>(stream->last.items);
    if (count)
      *count = stream->last.count;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes,
                                            size_t *count) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

LW_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *nodes, size_t count,
                                                       unsigned int flags) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    REQUIRE(stream->capture, cudaErrorIllegalState, "the stream is not captured");
    REQUIRE(nodes || !count, cudaErrorInvalidValue, "nodes is null");
    REQUIRE(flags <= cudaStreamSetCaptureDependencies, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    for (size_t i = 0; i < count; ++i) {
      Node *node = node_of(nodes[i]);
      REQUIRE(node && node->graph == stream->capture->graph, cudaErrorInvalidValue,
              "node %zu is not of the graph that is captured", i);
    }
    if (flags == cudaStreamSetCaptureDependencies)
      stream->last.clear();
    for (size_t i = 0; i < count; ++i)
      if (!stream->last.has(node_of(nodes[i])))
        stream->last.add(node_of(nodes[i]));
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  return CALL({
    REQUIRE_POINTER(mode);
    REQUIRE((unsigned int)*mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue, "there is no mode %d", *mode);
    cudaStreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
  });
}

} // namespace lw_cudart
