// SPDX-License-Identifier: Apache-2.0
// Graphs that are built node by node.
#include "kernels.h"

static int *data;
static cudaGraph_t graph;

static void prepare() {
  OK(cudaMallocManaged(&data, 64));
  memset(data, 0, 64);
  OK(cudaGraphCreate(&graph, 0));
}

// Parameters of a launch of `add`; they point to static arguments.
static cudaKernelNodeParams adding(int *where, int value) {
  static int *address;
  static int number;
  static void *arguments[] = {&address, &number};
  address = where;
  number = value;
  cudaKernelNodeParams p = {};
  p.func = (void *)add;
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  return p;
}

static void run(cudaGraphExec_t executable) {
  OK(cudaGraphLaunch(executable, nullptr));
  OK(cudaDeviceSynchronize());
}

static void doubled(void *) { data[0] *= 2; }

TEST(nodes_run_after_what_they_depend_on) {
  prepare();
  cudaGraphNode_t fill, host, kernel, copy, empty;
  cudaMemsetParams fill_parameters = {data, 0, 3, 4, 2, 1};
  cudaHostNodeParams host_parameters = {doubled, nullptr};
  cudaKernelNodeParams kernel_parameters = adding(data, 10);
  // Added in another order than they depend on each other.
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, data + 8, data, 4, cudaMemcpyDefault));
  OK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &kernel_parameters));
  OK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &host_parameters));
  OK(cudaGraphAddEmptyNode(&empty, graph, &host, 1));
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_parameters));
  cudaGraphNode_t from[] = {fill, empty, kernel}, to[] = {host, kernel, copy};
  OK(cudaGraphAddDependencies(graph, from, to, 3));
  GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, from, to, 1));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiateWithFlags(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags;
  OK(cudaGraphExecGetFlags(executable, &flags));
  EQUAL(flags, 1);
  run(executable);
  EQUAL(data[0], 16);
  EQUAL(data[1], 3);
  EQUAL(data[8], 16);
  size_t count = 3;
  cudaGraphNode_t nodes[3] = {};
  OK(cudaGraphNodeGetDependencies(kernel, nodes, &count));
  CHECK(count == 1 && nodes[0] == empty);
  OK(cudaGraphNodeGetDependentNodes(kernel, nullptr, &count));
  EQUAL(count, 1);
  OK(cudaGraphRemoveDependencies(graph, &kernel, &copy, 1));
  GIVES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &kernel, &copy, 1));
  OK(cudaGraphAddDependencies(graph, &kernel, &fill, 1));
  GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&executable, graph)); // a cycle
  OK(cudaGraphDestroyNode(kernel));
  GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(kernel));
  cudaGraphInstantiateParams parameters = {};
  OK(cudaGraphInstantiateWithParams(&executable, graph, &parameters));
  EQUAL(parameters.result_out, cudaGraphInstantiateSuccess);
}

TEST(parameters_of_nodes_can_be_read_and_changed) {
  prepare();
  cudaGraphNode_t kernel, copy, fill, host;
  cudaKernelNodeParams k = adding(data, 1);
  cudaMemsetParams f = {data + 1, 0, 7, 4, 1, 1};
  cudaHostNodeParams h = {doubled, nullptr};
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(data, 4, 4, 1);
  c.dstPtr = make_cudaPitchedPtr(data + 2, 4, 4, 1);
  c.extent = make_cudaExtent(4, 1, 1);
  c.kind = cudaMemcpyDefault;
  OK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &k));
  OK(cudaGraphAddMemcpyNode(&copy, graph, &kernel, 1, &c));
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &f));
  OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &h));
  OK(cudaGraphKernelNodeGetParams(kernel, &k));
  CHECK(k.func == (void *)add && *(int *)k.kernelParams[1] == 1);
  OK(cudaGraphMemcpyNodeGetParams(copy, &c));
  CHECK(c.dstPtr.ptr == data + 2);
  OK(cudaGraphMemsetNodeGetParams(fill, &f));
  EQUAL(f.value, 7);
  OK(cudaGraphHostNodeGetParams(host, &h));
  CHECK(h.fn == doubled);
  k = adding(data, 4);
  f.value = 9;
  OK(cudaGraphKernelNodeSetParams(kernel, &k));
  OK(cudaGraphMemsetNodeSetParams(fill, &f));
  OK(cudaGraphMemcpyNodeSetParams(copy, &c));
  OK(cudaGraphMemcpyNodeSetParams1D(copy, data + 3, data, 4, cudaMemcpyDefault));
  OK(cudaGraphHostNodeSetParams(host, &h));
  cudaKernelNodeAttrValue value = {};
  OK(cudaGraphKernelNodeSetAttribute(kernel, cudaKernelNodeAttributeCooperative, &value));
  OK(cudaGraphKernelNodeGetAttribute(kernel, cudaKernelNodeAttributeCooperative, &value));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  run(executable);
  EQUAL(data[0], 8);
  EQUAL(data[1], 9);
  EQUAL(data[3], 4);
  k = adding(data, 100);
  f.value = 11;
  OK(cudaGraphExecKernelNodeSetParams(executable, kernel, &k));
  OK(cudaGraphExecMemsetNodeSetParams(executable, fill, &f));
  OK(cudaGraphExecMemcpyNodeSetParams(executable, copy, &c));
  OK(cudaGraphExecMemcpyNodeSetParams1D(executable, copy, data + 4, data, 4, cudaMemcpyDefault));
  OK(cudaGraphExecHostNodeSetParams(executable, host, &h));
  run(executable);
  EQUAL(data[0], 216);
  EQUAL(data[1], 11);
  EQUAL(data[4], 108);
  unsigned int enabled = 1;
  OK(cudaGraphNodeSetEnabled(executable, kernel, 0));
  OK(cudaGraphNodeGetEnabled(executable, kernel, &enabled));
  EQUAL(enabled, 0);
  run(executable);
  EQUAL(data[0], 432);
  GIVES(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(copy, &k));
  GIVES(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(executable, host, 0));
}

TEST(graphs_within_graphs) {
  prepare();
  cudaGraph_t inner, found;
  cudaGraphNode_t node, child, after;
  cudaKernelNodeParams k = adding(data, 1);
  OK(cudaGraphCreate(&inner, 0));
  OK(cudaGraphAddKernelNode(&node, inner, nullptr, 0, &k));
  OK(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  OK(cudaGraphAddMemcpyNode1D(&after, graph, &child, 1, data + 1, data, 4, cudaMemcpyDefault));
  OK(cudaGraphChildGraphNodeGetGraph(child, &found));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  run(executable);
  EQUAL(data[1], 1);
  k = adding(data, 5);
  OK(cudaGraphKernelNodeSetParams(node, &k));
  OK(cudaGraphExecChildGraphNodeSetParams(executable, child, inner));
  run(executable);
  EQUAL(data[1], 6);
  GIVES(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, graph));
}

TEST(clones) {
  prepare();
  cudaGraph_t clone;
  cudaGraphNode_t node, found;
  cudaGraphNodeType type;
  cudaKernelNodeParams k = adding(data, 1);
  OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&found, node, clone));
  CHECK(found != node);
  OK(cudaGraphNodeGetType(found, &type));
  EQUAL(type, cudaGraphNodeTypeKernel);
  OK(cudaGraphDestroy(graph));
  GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, clone));
  run(executable);
  EQUAL(data[0], 1);
}

TEST(events_in_graphs) {
  prepare();
  cudaEvent_t event, other, asked;
  cudaGraphNode_t record, wait, kernel;
  cudaKernelNodeParams k = adding(data, 1);
  OK(cudaEventCreate(&event));
  OK(cudaEventCreate(&other));
  OK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &k));
  OK(cudaGraphAddEventRecordNode(&record, graph, &kernel, 1, event));
  OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  OK(cudaGraphEventRecordNodeSetEvent(record, other));
  OK(cudaGraphEventRecordNodeGetEvent(record, &asked));
  CHECK(asked == other);
  OK(cudaGraphEventWaitNodeSetEvent(wait, other));
  OK(cudaGraphEventWaitNodeGetEvent(wait, &asked));
  CHECK(asked == other);
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphExecEventRecordNodeSetEvent(executable, record, event));
  OK(cudaGraphExecEventWaitNodeSetEvent(executable, wait, event));
  OK(cudaEventRecord(other));
  run(executable);
  EQUAL(data[0], 1);
  float milliseconds;
  OK(cudaEventElapsedTime(&milliseconds, other, event));
  GIVES(cudaErrorInvalidResourceHandle, cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, nullptr));
}

TEST(memory_of_graphs) {
  prepare();
  cudaGraphNode_t allocation, kernel, release;
  cudaMemAllocNodeParams a = {}, asked;
  a.poolProps.allocType = cudaMemAllocationTypePinned;
  GIVES(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &a)); // nowhere
  a.poolProps.location = {cudaMemLocationTypeDevice, 0};
  GIVES(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &a)); // 0 bytes
  a.bytesize = 64;
  OK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &a));
  CHECK(a.dptr);
  cudaKernelNodeParams k = adding((int *)a.dptr, 1);
  OK(cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &k));
  OK(cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, a.dptr));
  OK(cudaGraphMemAllocNodeGetParams(allocation, &asked));
  CHECK(asked.dptr == a.dptr);
  void *freed;
  OK(cudaGraphMemFreeNodeGetParams(release, &freed));
  CHECK(freed == a.dptr);
  GIVES(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&release, graph, nullptr, 0, data));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  run(executable);
}

TEST(symbols_in_graphs) {
  prepare();
  cudaGraphNode_t to, from;
  int value = 77;
  OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, host_total, &value, 4, 0, cudaMemcpyHostToDevice));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, data, host_total, 4, 0, cudaMemcpyDefault));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  run(executable);
  EQUAL(device_total, 77);
  EQUAL(data[0], 77);
}

TEST(wrong_nodes) {
  prepare();
  cudaGraphNode_t node, foreign_node;
  cudaGraph_t other;
  cudaKernelNodeParams k = adding(data, 1);
  cudaMemsetParams f = {data, 0, 0, 3, 1, 1};
  size_t count;
  OK(cudaGraphCreate(&other, 0));
  OK(cudaGraphAddEmptyNode(&foreign_node, other, nullptr, 0));
  GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, &foreign_node, 1, &k));
  GIVES(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &f));
  k.gridDim = dim3(0);
  GIVES(cudaErrorInvalidConfiguration, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
  k.func = &k;
  GIVES(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
  GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, (cudaGraph_t)data, nullptr, 0));
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  EQUAL(count, 0);
  GIVES(cudaErrorInvalidValue, cudaGraphCreate(&other, 1));
  GIVES(cudaErrorNotSupported, cudaGraphInstantiate((cudaGraphExec_t *)&node, graph, 4));
}

// stdout: digraph {
// stdout:   n0 [label="add"];
// stdout:   n1 [label="empty"];
// stdout:   n0 -> n1;
// stdout: }
TEST(a_graph_can_be_drawn) {
  prepare();
  cudaGraphNode_t node, next;
  cudaKernelNodeParams k = adding(data, 1);
  OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
  OK(cudaGraphAddEmptyNode(&next, graph, &node, 1));
  OK(cudaGraphDebugDotPrint(graph, "/dev/stdout", 0));
  GIVES(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/nonexistent/file", 0));
}
