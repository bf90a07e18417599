// SPDX-License-Identifier: Apache-2.0
// Sums by blocks of a size that no compiler sees, until the file that the second argument names is there.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "check.h"

__device__ int launches_seen;

__global__ void sum(int *out, const int *in) {
  extern __shared__ int tile[];
  int i = threadIdx.x;
  tile[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (i < step)
      tile[i] += tile[i + step];
    __syncthreads();
  }
  if (i == 0) {
    out[blockIdx.x] = tile[0];
    if (blockIdx.x == 0)
      ++launches_seen;
  }
}

// Takes long, until `stop` is set: then threads leave a 1.
__global__ void turn(unsigned *out, const volatile int *stop) {
  unsigned value = threadIdx.x;
  for (int i = 0; i < 20000 && *stop == 0; ++i)
    value = value * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = *stop == 0 ? value : 1;
}

enum { SIZE = 1 << 19 };
static int *in, *out;
static int seen_before;

static void launch(int block) { sum<<<SIZE / block, block, block * sizeof(int)>>>(out, in); }

static void check_sums(int block, int launches) {
  static int sums[SIZE];
  OK(cudaMemcpy(sums, out, SIZE / block * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < SIZE / block; ++i)
    CHECK(sums[i] == block);
  OK(cudaMemset(out, 0, SIZE / block * sizeof(int)));
  int seen;
  OK(cudaMemcpyFromSymbol(&seen, launches_seen, sizeof seen));
  CHECK(seen == seen_before + launches);
  seen_before = seen;
}

static void sum_until(const char *stop, int block) {
  for (int round = 0; access(stop, F_OK) != 0 && round < 20000; ++round) {
    for (int i = 0; i < 4; ++i)
      launch(block);
    check_sums(block, 4);
  }
  CHECK(access(stop, F_OK) == 0);
}

static void replay_until(const char *stop, int block) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  sum<<<SIZE / block, block, block * sizeof(int), stream>>>(out, in);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 0; access(stop, F_OK) != 0 && round < 60000; ++round) {
    OK(cudaGraphLaunch(executable, stream));
    OK(cudaStreamSynchronize(stream));
    check_sums(block, 1);
  }
  CHECK(access(stop, F_OK) == 0);
}

// One launch, which takes longer than anybody waits, until the file is there.
static void turn_until(const char *name, int block) {
  enum { BLOCKS = 1 << 16 };
  int *stop;
  unsigned *turned;
  OK(cudaMallocManaged(&stop, sizeof *stop));
  OK(cudaMallocManaged(&turned, sizeof *turned * BLOCKS * block));
  *stop = 0;
  turn<<<BLOCKS, block>>>(turned, stop);
  std::thread waiting([=] {
    for (int round = 0; access(name, F_OK) != 0 && round < 3000; ++round)
      usleep(20000);
    *stop = 1;
  });
  OK(cudaDeviceSynchronize());
  waiting.join();
  CHECK(access(name, F_OK) == 0);
  bool has_ended = false;
  for (int i = 0; i < BLOCKS * block; ++i) {
    unsigned value = i % block;
    if (i < block)
      for (int round = 0; round < 20000; ++round)
        value = value * 1664525u + 1013904223u;
    else
      value = turned[i % block];
    CHECK(turned[i] == value || turned[i] == 1);
    has_ended |= turned[i] == 1;
  }
  CHECK(turned[0] != 1 && has_ended);
}

static volatile sig_atomic_t children_ended;
static void count_child(int) { ++children_ended; }

// What a program sees of children that are not its own.
static void look_for_children(void) {
  CHECK(children_ended == 0);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD);
}

// As programs do that close what they have not opened themselves. All numbers are taken again, by sockets of its own.
static void close_and_take_descriptors(int (&ends)[2]) {
  enum { FIRST = 3, LAST = 63 };
  for (int each = FIRST; each <= LAST; ++each)
    close(each);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  for (int each = FIRST; each <= LAST; ++each)
    if (each != ends[0] && each != ends[1])
      CHECK(dup2(ends[each % 2], each) == each);
}

static void look_at_descriptors(const int (&ends)[2]) {
  enum { FIRST = 3, LAST = 63 };
  for (int each = FIRST; each <= LAST; ++each)
    CHECK(fcntl(each, F_GETFD) != -1);
  for (int each : ends) {
    char byte;
    CHECK(recv(each, &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  }
}

int main(int count, char **words) {
  const char *mode = words[1], *stop = words[2];
  int block = count > 3 ? atoi(words[3]) : 128;
  static int ones[SIZE];
  for (int &each : ones)
    each = 1;
  signal(SIGCHLD, count_child);
  OK(cudaMalloc(&in, sizeof ones));
  OK(cudaMalloc(&out, sizeof ones));
  OK(cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice));
  if (strcmp(mode, "long") == 0)
    turn_until(stop, block);
  else if (strcmp(mode, "graph") == 0)
    replay_until(stop, block);
  else
    sum_until(stop, block);
  look_for_children();
  if (strcmp(mode, "fork") == 0) {
    pid_t child = fork();
    if (child == 0) {
      sum_until(words[4], block);     // by the code that the parent has
      sum_until(words[5], 2 * block); // by code of its own
      puts("child");
      exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    children_ended = 0;
    sum_until(words[6], 4 * block);
    look_for_children();
  } else if (strcmp(mode, "twice") == 0) {
    CHECK(system("exit 3") == 3 << 8);
    children_ended = 0;
    sum_until(words[4], 2 * block);
    look_for_children();
  } else if (strcmp(mode, "close") == 0) {
    int ends[2];
    close_and_take_descriptors(ends);
    sum_until(words[4], 2 * block);
    look_at_descriptors(ends);
  }
  puts("ok");
}
