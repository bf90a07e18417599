// SPDX-License-Identifier: Apache-2.0
// Arrays, and what kernels find under the handles of textures and surfaces.
#include "kernels.h"

#include "../../../../src/lanewise/runtime/core/texture.h"

static const lw_texture &description(unsigned long long handle) { return *(const lw_texture *)handle; }

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

TEST(copies_to_and_from_arrays) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), asked;
  cudaArray_t array, other;
  cudaExtent extent;
  unsigned int flags;
  float host[12], back[12] = {};
  for (int i = 0; i < 12; ++i)
    host[i] = (float)i;
  OK(cudaMallocArray(&array, &format, 4, 3));
  OK(cudaMallocArray(&other, &format, 4, 3, cudaArraySurfaceLoadStore));
  OK(cudaArrayGetInfo(&asked, &extent, &flags, other));
  CHECK(asked.x == 32 && extent.width == 4 && extent.height == 3 && flags == cudaArraySurfaceLoadStore);
  OK(cudaGetChannelDesc(&asked, array));
  EQUAL(asked.f, cudaChannelFormatKindFloat);
  OK(cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 16, 3));
  OK(cudaMemcpy2DFromArray(back, 8, other, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 6 && back[1] == 7 && back[2] == 10 && back[3] == 11);
  OK(cudaMemcpyToArray(other, 0, 0, host + 1, 44, cudaMemcpyHostToDevice));
  OK(cudaMemcpyFromArray(back, other, 0, 0, 44, cudaMemcpyDeviceToHost));
  CHECK(back[10] == 11);
  OK(cudaMemcpyArrayToArray(array, 0, 0, other, 4, 0, 8));
  OK(cudaMemcpyToArrayAsync(array, 0, 0, host, 48, cudaMemcpyHostToDevice));
  OK(cudaMemcpyFromArrayAsync(back, array, 0, 0, 48, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArrayAsync(back, 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
  EQUAL(memcmp(host, back, sizeof host), 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 4, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpyToArray(array, 0, 0, host, 52, cudaMemcpyHostToDevice));
  OK(cudaFreeArray(array));
  GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  OK(cudaFreeArray(nullptr));
}

TEST(arrays_in_three_dimensions) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>(), odd = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t array;
  unsigned char host[64], back[64];
  for (int i = 0; i < 64; ++i)
    host[i] = (unsigned char)i;
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 2, 2)));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, 16, 16, 2);
  p.dstArray = array;
  p.extent = make_cudaExtent(4, 2, 2);
  p.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&p));
  cudaMemcpy3DParms q = {};
  q.srcArray = array;
  q.srcPos = make_cudaPos(1, 1, 1);
  q.dstPtr = make_cudaPitchedPtr(back, 4, 4, 1);
  q.extent = make_cudaExtent(1, 1, 1);
  q.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&q));
  EQUAL(back[0], 32 + 16 + 4);
  q.extent = make_cudaExtent(4, 1, 1);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&q));
  GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4));
  GIVES(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 0));
  GIVES(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 5), cudaArrayCubemap));
  cudaMipmappedArray_t levels;
  GIVES(cudaErrorNotSupported, cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(4, 4, 0), 2));
  GIVES(cudaErrorNotSupported, cudaGetMipmappedArrayLevel(&array, nullptr, 0));
  GIVES(cudaErrorNotSupported, cudaFreeMipmappedArray(nullptr));
}

TEST(texture_objects) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, 8, 5));
  cudaResourceDesc resource = resource_of(array), asked;
  cudaTextureDesc modes = {}, asked_modes;
  modes.addressMode[0] = cudaAddressModeBorder;
  modes.addressMode[1] = cudaAddressModeWrap;
  modes.filterMode = cudaFilterModeLinear;
  modes.readMode = cudaReadModeNormalizedFloat;
  modes.borderColor[0] = 0.5f;
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &modes, nullptr));
  const lw_texture &d = description(texture);
  EQUAL(d.magic, LW_TEXTURE_MAGIC);
  EQUAL(d.element, 4 | 1 << LW_CHANNELS_SHIFT | 2 << LW_KIND_SHIFT | LW_2D << LW_GEOMETRY_SHIFT);
  EQUAL(d.format, LW_U8_NORM);
  CHECK(d.extent[0] == 8 && d.extent[1] == 5 && d.stride[1] == 8 && d.linear == 1 && d.normalized == 0);
  EQUAL(d.address[0], LW_BORDER);
  EQUAL(d.address[1], LW_CLAMP); // wrapping needs normalised coordinates
  float border;
  memcpy(&border, (const char *)&d.border, sizeof border);
  CHECK(border == 0.5f);
  OK(cudaGetTextureObjectResourceDesc(&asked, texture));
  CHECK(asked.res.array.array == array);
  OK(cudaGetTextureObjectTextureDesc(&asked_modes, texture));
  EQUAL(asked_modes.readMode, cudaReadModeNormalizedFloat);
  cudaResourceViewDesc view;
  OK(cudaGetTextureObjectResourceViewDesc(&view, texture));
  modes.readMode = cudaReadModeElementType;
  cudaTextureObject_t wrong;
  GIVES(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&wrong, &resource, &modes, nullptr));
  OK(cudaDestroyTextureObject(texture));
  EQUAL(d.magic, 0);
  GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
}

TEST(textures_of_memory) {
  float4 *memory;
  OK(cudaMalloc(&memory, 1024));
  cudaResourceDesc resource = {};
  cudaTextureDesc modes = {};
  cudaTextureObject_t texture;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = 1024;
  OK(cudaCreateTextureObject(&texture, &resource, &modes, nullptr));
  CHECK(description(texture).extent[0] == 64 && description(texture).channels == 4);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 512;
  OK(cudaCreateTextureObject(&texture, &resource, &modes, nullptr));
  CHECK(description(texture).stride[1] == 512 && description(texture).extent[1] == 2);
  resource.res.pitch2D.height = 3;
  GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &modes, nullptr));
  resource.resType = cudaResourceTypeMipmappedArray;
  GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &resource, &modes, nullptr));
}

TEST(surface_objects) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
  cudaArray_t array;
  cudaSurfaceObject_t surface;
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 4, 3), cudaArrayLayered));
  cudaResourceDesc resource = resource_of(array), asked;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  const lw_texture &d = description(surface);
  EQUAL(d.magic, LW_SURFACE_MAGIC);
  EQUAL(d.element >> LW_GEOMETRY_SHIFT & 7, LW_2D_LAYERED);
  CHECK(d.extent[2] == 3 && d.stride[2] == 8 * 4 * 4 && d.bytes == 4);
  OK(cudaGetSurfaceObjectResourceDesc(&asked, surface));
  OK(cudaDestroySurfaceObject(surface));
  resource.resType = cudaResourceTypeLinear;
  GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
}

TEST(texture_references) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float *memory;
  size_t offset = 9;
  unsigned long long &handle = *(unsigned long long *)device_handle;
  OK(cudaMallocArray(&array, &format, 8, 4));
  OK(cudaMalloc(&memory, 64));
  GIVES(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &reference));
  reference.filterMode = cudaFilterModeLinear;
  reference.addressMode[0] = cudaAddressModeClamp;
  OK(cudaBindTextureToArray(&reference, array, &format));
  CHECK(description(handle).linear == 1 && description(handle).extent[1] == 4);
  OK(cudaGetTextureAlignmentOffset(&offset, &reference));
  reference.filterMode = cudaFilterModePoint;
  OK(cudaBindTexture(&offset, &reference, memory, &format));
  EQUAL(offset, 0);
  EQUAL(description(handle).extent[0], 16);
  OK(cudaBindTexture2D(&offset, &reference, memory, &format, 4, 2, 32));
  EQUAL(description(handle).stride[1], 32);
  const textureReference *found;
  OK(cudaGetTextureReference(&found, &reference));
  CHECK(found == &reference);
  OK(cudaBindSurfaceToArray((const surfaceReference *)&reference, array, nullptr));
  EQUAL(description(handle).magic, LW_SURFACE_MAGIC);
  const surfaceReference *surface;
  OK(cudaGetSurfaceReference(&surface, &reference));
  OK(cudaUnbindTexture(&reference));
  EQUAL(handle, 0);
  textureReference unknown = {};
  GIVES(cudaErrorInvalidTexture, cudaBindTexture(&offset, &unknown, memory, &format));
}
