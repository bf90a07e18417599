// SPDX-License-Identifier: Apache-2.0
// Copies and fills.
#include "kernels.h"

static int host[16], back[16];
static int *device, *other;

static void prepare() {
  for (int i = 0; i < 16; ++i)
    host[i] = i + 1;
  OK(cudaMalloc(&device, sizeof host));
  OK(cudaMalloc(&other, sizeof host));
}

TEST(copies_go_in_all_directions) {
  prepare();
  OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(other, device, sizeof host, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, other, sizeof host, cudaMemcpyDeviceToHost));
  EQUAL(memcmp(host, back, sizeof host), 0);
  memset(back, 0, sizeof back);
  OK(cudaMemcpy(back, device, sizeof host, cudaMemcpyDefault));
  EQUAL(memcmp(host, back, sizeof host), 0);
  memset(back, 0, sizeof back);
  OK(cudaMemcpy(back, host, sizeof host, cudaMemcpyHostToHost));
  EQUAL(memcmp(host, back, sizeof host), 0);
  OK(cudaMemcpyPeer(other, 0, device, 0, sizeof host));
  OK(cudaMemcpyPeerAsync(other, 0, device, 0, sizeof host));
  GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(other, 1, device, 0, sizeof host));
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
}

// stderr: lanewise: cudaMemcpy: cudaMemcpyHostToDevice: the target, 0x
// stderr: is in no memory of the device (cudaErrorInvalidValue)
TEST(ends_must_be_what_the_kind_says) {
  prepare();
  GIVES(cudaErrorInvalidValue, cudaMemcpy(back, host, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(back, host, 4, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, host, 4, cudaMemcpyDeviceToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, other, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, other, 4, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 4, (cudaMemcpyKind)9));
  GIVES(cudaErrorInvalidValue, cudaMemcpyAsync(back, host, 4, cudaMemcpyHostToDevice));
}

// stderr: the target ends after 64 of them
TEST(copies_stay_in_their_allocations) {
  prepare();
  static char much[4096];
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, much, 4096, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(much, device, 4096, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(much, device, 256, cudaMemcpyDeviceToHost)); // as on a GPU, where memory comes in such pieces
  GIVES(cudaErrorInvalidValue, cudaMemset(device, 0, 4096));
}

TEST(an_asynchronous_copy_takes_the_source_as_it_is) {
  prepare();
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream));
  host[0] = 99;
  OK(cudaMemcpyAsync(back, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  EQUAL(back[0], 1); // of pageable memory: done on return
}

TEST(an_asynchronous_copy_of_pinned_memory_is_done_later) {
  prepare();
  int *pinned;
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMallocHost(&pinned, sizeof host));
  pinned[0] = 5;
  OK(cudaMemcpyAsync(device, pinned, sizeof host, cudaMemcpyHostToDevice, stream));
  OK(launch(KERNEL(add), 1, 1, stream, device, 3));
  OK(cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  EQUAL(pinned[0], 8);
}

TEST(copies_of_rows) {
  prepare();
  OK(cudaMemset(device, 0, sizeof host));
  OK(cudaMemcpy2D(device + 1, 16, host, 8, 8, 3, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(back, 16, device, 16, 16, 4, cudaMemcpyDeviceToHost));
  const int wanted[] = {0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0};
  EQUAL(memcmp(back, wanted, sizeof wanted), 0);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 4, host, 8, 8, 3, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy2D(device, 512, host, 8, 8, 3, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DAsync(back, 8, device + 1, 16, 8, 3, cudaMemcpyDeviceToHost));
  EQUAL(memcmp(back, host, 24), 0);
}

TEST(copies_of_boxes) {
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, make_cudaExtent(8, 2, 2)));
  for (int i = 0; i < 8; ++i)
    host[i] = i;
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, 8, 8, 2);
  p.dstPtr = box;
  p.extent = make_cudaExtent(8, 2, 2);
  p.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&p));
  cudaMemcpy3DParms q = {};
  q.srcPtr = box;
  q.dstPtr = make_cudaPitchedPtr(back, 8, 8, 2);
  q.srcPos = make_cudaPos(4, 0, 0);
  q.extent = make_cudaExtent(4, 2, 2);
  q.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3DAsync(&q));
  EQUAL(back[0], 1);
  EQUAL(back[2], 3);
  EQUAL(back[6], 7);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
  q.srcPtr.ptr = nullptr;
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&q));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = peer.dstPtr = box;
  peer.extent = make_cudaExtent(8, 2, 2);
  OK(cudaMemcpy3DPeer(&peer));
  OK(cudaMemcpy3DPeerAsync(&peer));
  peer.dstDevice = 2;
  GIVES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer));
}

TEST(fills) {
  prepare();
  OK(cudaMemset(device, 0x01020304, sizeof host)); // its lowest byte
  OK(cudaMemsetAsync(device + 1, 5, 4));
  OK(cudaMemset2D(device + 4, 16, 7, 4, 3));
  OK(cudaMemset2DAsync(device + 5, 16, 8, 4, 2));
  OK(cudaMemcpy(back, device, sizeof host, cudaMemcpyDeviceToHost));
  EQUAL(back[0], 0x04040404);
  EQUAL(back[1], 0x05050505);
  EQUAL(back[4], 0x07070707);
  EQUAL(back[5], 0x08080808);
  EQUAL(back[12], 0x07070707);
  EQUAL(back[13], 0x04040404);
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, make_cudaExtent(8, 2, 2)));
  OK(cudaMemset3DAsync(box, 3, make_cudaExtent(8, 2, 2)));
  GIVES(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
  GIVES(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4));
  OK(cudaMemset(device, 0, 0));
  GIVES(cudaErrorInvalidPitchValue, cudaMemset2D(device, 4, 0, 8, 2));
}

TEST(pinned_memory_is_filled_at_once) {
  int *pinned;
  OK(cudaMallocHost(&pinned, 64));
  OK(cudaMemset(pinned, 1, 64));
  EQUAL(pinned[3], 0x01010101);
}
