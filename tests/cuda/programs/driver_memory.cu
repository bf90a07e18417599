// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc driver_memory.cu -lcuda -o driver_memory && ./driver_memory
// The driver API: memory that is mapped into ranges of addresses, arrays, copies of boxes, textures and surfaces.
#include "check.h"
#include <cstring>
#include <cuda.h>

#define GIVES(code, call)                                                                                        \
  do {                                                                                                           \
    CUresult result_ = (call);                                                                                   \
    const char *name = "?";                                                                                      \
    cuGetErrorName(result_, &name);                                                                              \
    if (result_ != (code)) {                                                                                     \
      printf("%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, name, #code);                                  \
      exit(1);                                                                                                   \
    }                                                                                                            \
  } while (0)
#define DRIVER_OK(call) GIVES(CUDA_SUCCESS, call)

__global__ void count_up(int *p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    p[i] = i;
}
__global__ void fetch(float *out, cudaTextureObject_t texture) { out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 1); }
__global__ void mark(cudaSurfaceObject_t surface) { surf2Dwrite(7.0f, surface, 4 * (int)threadIdx.x, 1); }

static CUmemAllocationProp pinned() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  return properties;
}

static void mapped() {
  CUmemAllocationProp properties = pinned(), found;
  size_t piece;
  CUdeviceptr range;
  CUmemGenericAllocationHandle first, second;
  int supported;
  DRIVER_OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK(supported == 1);
  DRIVER_OK(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&range, piece + 1, 0, 0, 0));
  DRIVER_OK(cuMemAddressReserve(&range, 3 * piece, 4 * piece, 0, 0));
  CHECK(range % (4 * piece) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&first, 100, &properties, 0));
  DRIVER_OK(cuMemCreate(&first, piece, &properties, 0));
  DRIVER_OK(cuMemCreate(&second, piece, &properties, 0));
  DRIVER_OK(cuMemGetAllocationPropertiesFromHandle(&found, first));
  CHECK(found.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_GENERIC);
  DRIVER_OK(cuMemMap(range + piece, piece, 0, second, 0));
  DRIVER_OK(cuMemMap(range, piece, 0, first, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, piece, 0, second, 0)); // there is some already
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(range + 3 * piece, piece, 0, second, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(range, 1, 8)); // no access yet
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(range, 3 * piece, &access, 1)); // a third isn't mapped
  DRIVER_OK(cuMemSetAccess(range, 2 * piece, &access, 1));
  unsigned long long flags;
  DRIVER_OK(cuMemGetAccess(&flags, &access.location, range + piece));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  DRIVER_OK(cuMemRelease(first)); // its memory stays
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRelease(first));

  int n = (int)(2 * piece / sizeof(int)), host[8];
  count_up<<<64, 64>>>((int *)range, n);
  DRIVER_OK(cuMemcpyDtoH(host, range + piece - 16, sizeof host)); // over both
  for (int i = 0; i < 8; ++i)
    CHECK(host[i] == (int)(piece / 4) - 4 + i);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(range));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(range, 3 * piece)); // something is mapped
  DRIVER_OK(cuMemUnmap(range, piece));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, range, 8));
  DRIVER_OK(cuMemMap(range + 2 * piece, piece, 0, second, 0)); // the same memory a second time
  DRIVER_OK(cuMemSetAccess(range + 2 * piece, piece, &access, 1));
  DRIVER_OK(cuMemsetD32(range + piece, 5, 1));
  DRIVER_OK(cuMemcpyDtoH(host, range + 2 * piece, 8));
  CHECK(host[0] == 5 && host[1] == (int)(piece / 4) + 1);
  DRIVER_OK(cuMemUnmap(range + piece, 2 * piece));
  DRIVER_OK(cuMemRelease(second));
  DRIVER_OK(cuMemAddressFree(range, 3 * piece));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, piece, 0, second, 0));
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&first, piece, &properties, 0));
}

enum { WIDTH = 8, HEIGHT = 3 };

static void arrays() {
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR wanted = {WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1}, found;
  DRIVER_OK(cuArrayCreate(&array, &wanted));
  DRIVER_OK(cuArrayGetDescriptor(&found, array));
  CHECK(found.Width == WIDTH && found.Height == HEIGHT && found.Format == CU_AD_FORMAT_FLOAT && found.NumChannels == 1);
  wanted.NumChannels = 3;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wanted));

  float host[HEIGHT][WIDTH + 2], back[HEIGHT][WIDTH] = {};
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH + 2; ++x)
      host[y][x] = 10 * y + x;
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = sizeof host[0];
  copy.srcXInBytes = 8; // from the third column on
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = sizeof back[0];
  copy.Height = HEIGHT;
  DRIVER_OK(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC modes = {};
  modes.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CUtexObject texture;
  CUsurfObject surface;
  CUdeviceptr out;
  DRIVER_OK(cuMemAlloc(&out, sizeof back));
  DRIVER_OK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  fetch<<<1, WIDTH>>>((float *)out, texture); // halfway between rows and columns
  DRIVER_OK(cuMemcpyDtoH(back[0], out, sizeof back[0]));
  for (int x = 1; x < WIDTH; ++x)
    CHECK(back[0][x] == 5 + x + 1.5f);
  DRIVER_OK(cuTexObjectDestroy(texture));
  DRIVER_OK(cuSurfObjectCreate(&surface, &resource));
  mark<<<1, 2>>>(surface);
  DRIVER_OK(cuSurfObjectDestroy(surface));

  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 4;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = out;
  copy.dstPitch = sizeof back[0];
  copy.WidthInBytes = 12;
  copy.Height = 2;
  DRIVER_OK(cuMemcpy2D(&copy));
  DRIVER_OK(cuMemcpyDtoH(back, out, sizeof back));
  CHECK(back[0][0] == 7 && back[0][1] == 14 && back[1][0] == 23 && back[1][2] == 25);
  copy.WidthInBytes = 13;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  copy.WidthInBytes = 12;
  copy.Height = 3;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy)); // below the last row
  DRIVER_OK(cuArrayDestroy(array));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));

  // Bytes that are read as fractions, from pitched memory.
  unsigned char bytes[2 * WIDTH];
  for (int i = 0; i < 2 * WIDTH; ++i)
    bytes[i] = 17 * i;
  DRIVER_OK(cuMemcpyHtoD(out, bytes, sizeof bytes));
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {out, CU_AD_FORMAT_UNSIGNED_INT8, 1, WIDTH, 2, WIDTH};
  modes = {};
  DRIVER_OK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  fetch<<<1, WIDTH>>>((float *)out + WIDTH, texture);
  DRIVER_OK(cuMemcpyDtoH(back, out, sizeof back));
  for (int x = 0; x < WIDTH; ++x)
    CHECK(back[1][x] == (float)bytes[WIDTH + x] / 255);
  DRIVER_OK(cuTexObjectDestroy(texture));
  DRIVER_OK(cuMemFree(out));
}

int main() {
  CUcontext context;
  CUctxCreateParams parameters = {};
  DRIVER_OK(cuInit(0));
  DRIVER_OK(cuCtxCreate(&context, &parameters, 0, 0));
  mapped();
  arrays();
  OK(cudaDeviceReset());
  puts("ok");
}
