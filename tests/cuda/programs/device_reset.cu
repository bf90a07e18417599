// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc device_reset.cu -o device_reset && ./device_reset
// cudaDeviceReset gives all memory back, with what is remembered of it, and destroys streams, events and graphs. Variables
// have their initial values again.
#include "check.h"

static int asked(const char *memory, size_t bytes, cudaMemRangeAttribute attribute) {
  int value = 77;
  OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes));
  return value;
}

static void hints() {
  char *memory;
  size_t half = 1 << 16;
  int places[3];
  OK(cudaMallocManaged(&memory, 2 * half));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 0);
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetReadMostly, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 1);
  CHECK(asked(memory, 2 * half, cudaMemRangeAttributeReadMostly) == 0);
  OK(cudaMemAdvise(memory + half, half, cudaMemAdviseSetReadMostly, 0));
  CHECK(asked(memory, 2 * half, cudaMemRangeAttributeReadMostly) == 1);
  OK(cudaMemAdvise(memory, 2 * half, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseUnsetPreferredLocation, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  CHECK(asked(memory + half, half, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetAccessedBy, 0));
  OK(cudaMemRangeGetAttribute(places, sizeof places, cudaMemRangeAttributeAccessedBy, memory, half));
  CHECK(places[0] == 0 && places[1] == cudaCpuDeviceId && places[2] == cudaInvalidDeviceId);
  OK(cudaMemPrefetchAsync(memory, half, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributeLastPrefetchLocation) == 0);
  OK(cudaFree(memory));
  OK(cudaMallocManaged(&memory, 2 * half));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 0);
}

__device__ int counter = 5;
__constant__ float factors[2] = {1.5f, 2.5f};
__managed__ int shown = 7;
__device__ int *points_to_shown = &shown;
__device__ int zeros[1000];
__device__ int twice(int n) { return 2 * n; }
__device__ int (*applied)(int) = twice;

__global__ void change() {
  counter += 1;
  zeros[999] = counter;
  *points_to_shown = applied(counter);
  points_to_shown = nullptr;
  applied = nullptr;
}

// The values of the first launch, in a process that has just begun.
static void begin() {
  int value;
  float factor, changed = 9;
  OK(cudaMemcpyFromSymbol(&factor, factors, sizeof factor));
  CHECK(factor == 1.5f && shown == 7);
  OK(cudaMemcpyToSymbol(factors, &changed, sizeof changed));
  change<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  CHECK(shown == 12);
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK(value == 6);
  OK(cudaMemcpyFromSymbol(&value, zeros, sizeof value, 999 * sizeof value));
  CHECK(value == 6);
}

static void variables() {
  int value;
  begin();
  OK(cudaDeviceReset());
  begin();
  OK(cudaDeviceReset());
  CHECK(shown == 7);
  OK(cudaMemcpyFromSymbol(&value, zeros, sizeof value, 999 * sizeof value));
  CHECK(value == 0);
  shown = 70; // stays, though other variables get their values only when the device is next used
  OK(cudaDeviceReset());
  shown = 70;
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK(value == 5 && shown == 70);
  OK(cudaDeviceReset());
}

static void nothing(void *) {}

static void handles() {
  cudaStream_t stream, captured;
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  cudaMemPool_t pool;
  cudaMemPoolProps properties = {};
  size_t limit;
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaHostNodeParams call = {nothing, nullptr};
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps = properties;
  allocation.bytesize = 4096;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&captured));
  OK(cudaEventCreate(&event));
  OK(cudaEventRecord(event, stream));
  OK(cudaMemPoolCreate(&pool, &properties));
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &call));
  OK(cudaGraphAddMemAllocNode(&node, graph, &node, 1, &allocation));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaLaunchHostFunc(cudaStreamPerThread, nothing, nullptr));
  OK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed));
  OK(cudaLaunchHostFunc(captured, nothing, nullptr));
  OK(cudaDeviceReset());
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamEndCapture(captured, &graph));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventSynchronize(event));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(executable, 0));
  EXPECT(cudaErrorInvalidValue, cudaFree(allocation.dptr));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  CHECK(limit == 1024);
  OK(cudaLaunchHostFunc(cudaStreamPerThread, nothing, nullptr));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  OK(cudaStreamCreate(&stream));
  OK(cudaLaunchHostFunc(stream, nothing, nullptr));
  OK(cudaStreamSynchronize(stream));
  OK(cudaStreamDestroy(stream));
}

int main() {
  variables();
  handles();
  size_t free_bytes, total, before;
  char *device, *managed, *pooled, *again;
  void *host;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  hints();
  OK(cudaDeviceReset());
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMalloc(&device, 1 << 20));
  OK(cudaMallocManaged(&managed, 1 << 20));
  OK(cudaMallocHost(&host, 1 << 20));
  OK(cudaMallocAsync(&pooled, 1 << 20, 0));
  OK(cudaMallocArray(&array, &format, 64, 64));
  OK(cudaDeviceReset());
  OK(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes == before);
  EXPECT(cudaErrorInvalidValue, cudaFree(device));
  EXPECT(cudaErrorInvalidValue, cudaFreeHost(host));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  OK(cudaMalloc(&again, 1 << 20));
  OK(cudaMemset(again, 1, 1 << 20));
  OK(cudaFree(again));
  puts("ok");
}
