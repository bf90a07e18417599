// Order within and between streams, the default stream's, events, and callbacks.
#include "check.h"
#include <atomic>
#include <unistd.h>

__global__ void append(int *list, int value, int spin) {
  for (volatile int i = 0; i < spin; ++i)
    ;
  list[1 + list[0]++] = value;
}

std::atomic<int> called;
void plain(void *data) { called += *static_cast<int *>(data); }
void with_status(cudaStream_t, cudaError_t status, void *) { called += status == cudaSuccess ? 100 : 1000; }
void late(void *) {
  usleep(20000);
  called = 1;
}

// A ring of streams, each after its neighbour: only one of them can go on at a time.
static void thousand() {
  enum { COUNT = 1000, ROUNDS = 2 };
  static cudaStream_t streams[COUNT];
  static cudaEvent_t events[COUNT];
  static int found[1 + ROUNDS * COUNT];
  int *list;
  OK(cudaMalloc(&list, sizeof found));
  OK(cudaMemset(list, 0, sizeof found));
  for (int i = 0; i < COUNT; ++i) {
    OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  }
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < ROUNDS * COUNT; ++i) {
    int at = i % COUNT;
    append<<<1, 1, 0, streams[at]>>>(list, i, 0);
    OK(cudaEventRecord(events[at], streams[at]));
    OK(cudaStreamWaitEvent(streams[(at + 1) % COUNT], events[at]));
  }
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(found, list, sizeof found, cudaMemcpyDeviceToHost));
  CHECK(found[0] == ROUNDS * COUNT);
  for (int i = 0; i < ROUNDS * COUNT; ++i)
    CHECK(found[1 + i] == i);
  for (int i = 0; i < COUNT; ++i) {
    OK(cudaStreamDestroy(streams[i]));
    OK(cudaEventDestroy(events[i]));
  }
  OK(cudaFree(list));
}

int main() {
  int *list;
  OK(cudaMallocManaged(&list, 1000));
  list[0] = 0;
  cudaStream_t a, b, free_one;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreateWithPriority(&b, cudaStreamDefault, -1));
  OK(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));

  append<<<1, 1, 0, a>>>(list, 1, 1000000);
  append<<<1, 1>>>(list, 2, 100000); // after a, since both are in order with the default stream
  append<<<1, 1, 0, b>>>(list, 3, 0);
  OK(cudaDeviceSynchronize());
  CHECK(list[0] == 3 && list[1] == 1 && list[2] == 2 && list[3] == 3);

  list[0] = 0;
  cudaEvent_t event;
  OK(cudaEventCreate(&event));
  OK(cudaEventQuery(event));
  append<<<1, 1, 0, a>>>(list, 1, 1000000);
  OK(cudaEventRecord(event, a));
  OK(cudaStreamWaitEvent(free_one, event, 0));
  append<<<1, 1, 0, free_one>>>(list, 2, 0);
  OK(cudaStreamSynchronize(free_one));
  OK(cudaEventQuery(event));
  CHECK(list[0] == 2 && list[1] == 1 && list[2] == 2);

  int seven = 7;
  OK(cudaLaunchHostFunc(a, plain, &seven));
  OK(cudaStreamAddCallback(a, with_status, nullptr, 0));
  OK(cudaStreamSynchronize(a));
  CHECK(called == 107);
  called = 0;
  OK(cudaLaunchHostFunc(free_one, late, nullptr));
  CHECK(called == 0); // the host doesn't wait
  EXPECT(cudaErrorNotReady, cudaStreamQuery(free_one));
  EXPECT(cudaErrorNotReady, cudaGetLastError());
  OK(cudaStreamSynchronize(free_one));
  CHECK(called == 1);
  OK(cudaStreamQuery(free_one));

  cudaEvent_t begin, end;
  float ms = -1;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaEventRecord(begin, a));
  OK(cudaLaunchHostFunc(a, late, nullptr));
  OK(cudaEventRecord(end, a));
  EXPECT(cudaErrorNotReady, cudaEventElapsedTime(&ms, begin, end));
  OK(cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&ms, begin, end));
  CHECK(ms >= 20 && ms < 2000);
  cudaEvent_t untimed;
  OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  OK(cudaEventRecord(untimed, a));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, untimed, end));

  unsigned int flags;
  int priority;
  OK(cudaStreamGetFlags(free_one, &flags));
  OK(cudaStreamGetPriority(b, &priority));
  CHECK(flags == cudaStreamNonBlocking && priority == -1);
  OK(cudaStreamDestroy(a));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(a));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamDestroy(a));
  OK(cudaEventDestroy(event));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventRecord(event));
  thousand();
  printf("ok\n");
}
