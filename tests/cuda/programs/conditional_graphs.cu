// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc conditional_graphs.cu -o conditional_graphs && ./conditional_graphs
// Conditional nodes of graphs, and nodes of any type by one struct.
#include "check.h"

__global__ void set(cudaGraphConditionalHandle condition, const int *value) {
  cudaGraphSetConditional(condition, *value);
}
__global__ void add(int *p, int n) { *p += n; }
__global__ void count_down(int *left, cudaGraphConditionalHandle condition) {
  cudaGraphSetConditional(condition, --*left > 0);
}

static int *d; // a value that conditions come from, and a sum

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *after, void *kernel, void **arguments) {
  cudaGraphNode_t node;
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
  parameters.kernel.func = kernel;
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  OK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &parameters));
  return node;
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  return parameters;
}

// The sum after a launch with the value.
static int launch(cudaGraphExec_t executable, int value) {
  int both[2] = {value, 0};
  OK(cudaMemcpy(d, both, sizeof both, cudaMemcpyHostToDevice));
  OK(cudaGraphLaunch(executable, 0));
  OK(cudaMemcpy(both, d, sizeof both, cudaMemcpyDeviceToHost));
  return both[1];
}

// A graph that sets a condition to the value, and has bodies that add 1, 10, 100, ...
static cudaGraphExec_t choice(cudaGraphConditionalNodeType type, unsigned bodies) {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph));
  void *arguments[] = {&handle, &d};
  cudaGraphNode_t first = add_kernel(graph, nullptr, (void *)set, arguments);
  cudaGraphNodeParams parameters = conditional(handle, type, bodies);
  OK(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &parameters));
  cudaGraphNodeType found;
  OK(cudaGraphNodeGetType(node, &found));
  CHECK(found == cudaGraphNodeTypeConditional);
  for (int i = 0, n = 1; i < (int)bodies; ++i, n *= 10) {
    int *sum = d + 1;
    void *add_arguments[] = {&sum, &n};
    add_kernel(parameters.conditional.phGraph_out[i], nullptr, (void *)add, add_arguments);
  }
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphDestroy(graph));
  return executable;
}

static void choices() {
  cudaGraphExec_t once = choice(cudaGraphCondTypeIf, 1), either = choice(cudaGraphCondTypeIf, 2),
                  many = choice(cudaGraphCondTypeSwitch, 3);
  CHECK(launch(once, 0) == 0 && launch(once, 7) == 1);
  CHECK(launch(either, 0) == 10 && launch(either, 7) == 1);
  CHECK(launch(many, 0) == 1 && launch(many, 1) == 10 && launch(many, 2) == 100 && launch(many, 3) == 0);
  OK(cudaGraphExecDestroy(once));
  OK(cudaGraphExecDestroy(either));
  OK(cudaGraphExecDestroy(many));
}

// A loop in a loop, whose bodies are captured: the inner one's condition starts anew each time.
static void loops() {
  cudaGraph_t graph;
  cudaGraphConditionalHandle outer, inner;
  cudaGraphNode_t node;
  cudaStream_t s;
  cudaGraphExec_t executable;
  OK(cudaStreamCreate(&s));
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = conditional(outer, cudaGraphCondTypeWhile, 1);
  OK(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
  cudaGraph_t body = parameters.conditional.phGraph_out[0];

  OK(cudaGraphConditionalHandleCreate(&inner, body, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams within = conditional(inner, cudaGraphCondTypeWhile, 1);
  OK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorInvalidValue, cudaGraphDestroy(graph));
  OK(cudaMemsetAsync(d + 2, 0, sizeof(int), s));
  add<<<1, 1, 0, s>>>(d + 2, 3);
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *last;
  size_t count;
  cudaGraph_t captured;
  OK(cudaStreamGetCaptureInfo(s, &status, nullptr, &captured, &last, nullptr, &count));
  CHECK(captured == body && count == 1);
  OK(cudaGraphAddNode(&node, captured, last, nullptr, count, &within));
  OK(cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  count_down<<<1, 1, 0, s>>>(d, outer);
  OK(cudaStreamEndCapture(s, nullptr));
  OK(cudaStreamBeginCaptureToGraph(s, within.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                   cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, s>>>(d + 1, 1);
  count_down<<<1, 1, 0, s>>>(d + 2, inner);
  OK(cudaStreamEndCapture(s, nullptr));

  OK(cudaGraphInstantiate(&executable, graph));
  CHECK(launch(executable, 5) == 15 && launch(executable, 2) == 6);
  cudaGraphExecUpdateResultInfo updated;
  OK(cudaGraphExecUpdate(executable, graph, &updated));
  CHECK(launch(executable, 4) == 12);
  EXPECT(cudaErrorInvalidValue, cudaGraphDestroy(body)); // it is its node's
  OK(cudaGraphDestroy(graph));
  CHECK(launch(executable, 1) == 3);
  OK(cudaGraphExecDestroy(executable));
}

static void refusals() {
  cudaGraph_t graph, other;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphCreate(&other, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
  OK(cudaGraphConditionalHandleCreate(&handle, graph));
  cudaGraphNodeParams parameters = conditional(handle, cudaGraphCondTypeWhile, 1);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddNode(&node, other, nullptr, 0, &parameters));
  parameters = conditional(handle, cudaGraphCondTypeWhile, 2);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
  parameters = conditional(handle, cudaGraphCondTypeSwitch, 0);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, nullptr));
  parameters = {cudaGraphNodeTypeExtSemaphoreWait};
  EXPECT(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
  parameters = conditional(handle, cudaGraphCondTypeIf, 1);
  cudaGraphEdgeData edge = {};
  edge.type = cudaGraphDependencyTypeProgrammatic;
  EXPECT(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, &node, &edge, 1, &parameters));
  size_t nodes;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 0);
  OK(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
  cudaGraphNodeParams call = {cudaGraphNodeTypeHost}; // not in a body
  call.host.fn = [](void *) {};
  OK(cudaGraphAddNode(&node, parameters.conditional.phGraph_out[0], nullptr, 0, &call));
  EXPECT(cudaErrorNotSupported, cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(other));
}

// Other types by the same struct, also changed.
static void generic() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t set, sum, copy;
  int host, one = 1, five = 5, *p = d + 1;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeMemset};
  parameters.memset.dst = d;
  parameters.memset.value = 3;
  parameters.memset.elementSize = 4;
  parameters.memset.width = 2;
  parameters.memset.height = 1;
  OK(cudaGraphAddNode(&set, graph, nullptr, 0, &parameters));
  void *arguments[] = {&p, &one}, *others[] = {&p, &five};
  sum = add_kernel(graph, &set, (void *)add, arguments);
  parameters = {cudaGraphNodeTypeMemcpy};
  parameters.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(p, 4, 4, 1);
  parameters.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&host, 4, 4, 1);
  parameters.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  parameters.memcpy.copyParams.kind = cudaMemcpyDefault;
  OK(cudaGraphAddNode(&copy, graph, &sum, nullptr, 1, &parameters));
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphLaunch(executable, 0));
  OK(cudaDeviceSynchronize());
  CHECK(host == 4);
  parameters = {cudaGraphNodeTypeKernel};
  parameters.kernel.func = (void *)add;
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = others;
  OK(cudaGraphExecNodeSetParams(executable, sum, &parameters));
  OK(cudaGraphLaunch(executable, 0));
  OK(cudaDeviceSynchronize());
  CHECK(host == 8);
}

int main() {
  OK(cudaMalloc(&d, 3 * sizeof(int)));
  choices();
  loops();
  refusals();
  generic();
  OK(cudaDeviceReset());
  puts("ok");
}
