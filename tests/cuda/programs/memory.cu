// Allocation, copies in all directions, fills, and information on pointers.
#include "check.h"
#include <vector>

__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

int main() {
  const int n = 1000;
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = i;
  int *d, *e;
  OK(cudaMalloc(&d, n * sizeof(int)));
  OK(cudaMalloc((void **)&e, n * sizeof(int)));
  CHECK(reinterpret_cast<size_t>(d) % 256 == 0);
  OK(cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  twice<<<(n + 127) / 128, 128>>>(d, n);
  OK(cudaMemcpy(e, d, n * sizeof(int), cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(b.data(), e, n * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i)
    CHECK(b[i] == 2 * i);
  OK(cudaMemset(e, 0xff, n * sizeof(int)));
  OK(cudaMemcpy(b.data(), e, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(b[0] == -1 && b[n - 1] == -1);

  int *managed, *pinned, *mapped, plain = 5;
  OK(cudaMallocManaged(&managed, n * sizeof(int)));
  managed[3] = 21;
  twice<<<1, 32>>>(managed, 32);
  OK(cudaDeviceSynchronize());
  CHECK(managed[3] == 42);
  OK(cudaMallocHost(&pinned, 64));
  OK(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped));
  mapped[1] = 4;
  int *view;
  OK(cudaHostGetDevicePointer(&view, mapped, 0));
  twice<<<1, 16>>>(view, 16);
  OK(cudaDeviceSynchronize());
  CHECK(mapped[1] == 8);
  OK(cudaHostRegister(&plain, sizeof plain, cudaHostRegisterDefault));
  twice<<<1, 1>>>(&plain, 1);
  OK(cudaDeviceSynchronize());
  CHECK(plain == 10);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, d + 5));
  CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == d + 5);
  OK(cudaPointerGetAttributes(&attributes, managed));
  CHECK(attributes.type == cudaMemoryTypeManaged);
  OK(cudaPointerGetAttributes(&attributes, &plain));
  CHECK(attributes.type == cudaMemoryTypeHost);
  OK(cudaHostUnregister(&plain));
  OK(cudaPointerGetAttributes(&attributes, &plain));
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  size_t available, total;
  OK(cudaMemGetInfo(&available, &total));
  CHECK(available > 0 && available < total);
  OK(cudaFree(d));
  OK(cudaFree(e));
  OK(cudaFree(managed));
  OK(cudaFree(nullptr));
  OK(cudaFreeHost(pinned));
  OK(cudaFreeHost(mapped));

  EXPECT(cudaErrorInvalidValue, cudaFree(&plain));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(&plain, a.data(), 4, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(nullptr, a.data(), 4, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(&plain, a.data(), 4, (cudaMemcpyKind)7));
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&d, size_t(1) << 45));
  EXPECT(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(&plain));
  EXPECT(cudaErrorHostMemoryNotRegistered, cudaGetLastError());
  OK(cudaGetLastError());
  printf("ok\n");
}
