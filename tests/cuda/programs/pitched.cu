// Rows and planes: pitched memory, copies and fills of two and three dimensions.
#include "check.h"
#include <cstring>

int main() {
  const int width = 100, height = 7, depth = 3;
  char host[depth][height][width], back[depth][height][width];
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        host[z][y][x] = char(x + 3 * y + 11 * z);
  char *d;
  size_t pitch;
  OK(cudaMallocPitch(&d, &pitch, width, height));
  CHECK(pitch >= width && pitch % 256 == 0);
  OK(cudaMemcpy2D(d, pitch, host, width, width, height, cudaMemcpyHostToDevice));
  memset(back, 0, sizeof back);
  OK(cudaMemcpy2D(back, width, d, pitch, width, height, cudaMemcpyDeviceToHost));
  CHECK(memcmp(host[0], back[0], sizeof host[0]) == 0);
  OK(cudaMemset2D(d, pitch, 9, 10, 2));
  OK(cudaMemcpy2D(back, width, d, pitch, width, height, cudaMemcpyDeviceToHost));
  CHECK(back[0][1][9] == 9 && back[0][1][10] == host[0][1][10] && back[0][2][0] == host[0][2][0]);
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 50, host, width, width, height, cudaMemcpyHostToDevice));

  cudaExtent extent = make_cudaExtent(width, height, depth);
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, width, width, height);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms part = {};
  part.srcPtr = box;
  part.srcPos = make_cudaPos(10, 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back, width, width, height);
  part.extent = make_cudaExtent(5, 2, 2);
  part.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&part));
  CHECK(back[1][1][4] == host[2][2][14] && back[0][0][0] == host[1][1][10]);
  OK(cudaFree(box.ptr));
  OK(cudaFree(d));
  // Sizes that no integer holds.
  void *huge;
  size_t huge_pitch;
  cudaPitchedPtr huge_box;
  cudaArray_t huge_array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  EXPECT(cudaErrorMemoryAllocation, cudaMallocPitch(&huge, &huge_pitch, 2147483647, size_t(1) << 33));
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc3D(&huge_box, make_cudaExtent(1 << 20, size_t(1) << 30, size_t(1) << 30)));
  const char *device = getenv("LANEWISE_DEVICE");
  bool has_arrays = !device || strcmp(device, "cuda");
  EXPECT(has_arrays ? cudaErrorMemoryAllocation : cudaErrorNotSupported,
         cudaMallocArray(&huge_array, &format, size_t(1) << 62, 8));
  char far_too_small[64];
  cudaMemcpy3DParms far = {};
  far.srcPtr = make_cudaPitchedPtr(far_too_small, 64, 64, 1);
  OK(cudaMalloc3D(&far.dstPtr, make_cudaExtent(64, 1, 1)));
  far.extent = make_cudaExtent(64, 1, size_t(1) << 58);
  far.kind = cudaMemcpyHostToDevice;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&far));
  cudaGetLastError();
  printf("ok\n");
}
