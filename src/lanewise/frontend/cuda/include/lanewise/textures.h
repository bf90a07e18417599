// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: the types, the host calls, and the fetches as declarations only. Programs that use them are
// understood; a kernel that fetches calls a function that the module doesn't define.
#ifndef LANEWISE_TEXTURES_H
#define LANEWISE_TEXTURES_H

#include "lanewise/host_memory.h"
#include "lanewise/vector_types.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02

struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <class Type, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      __SIZE_TYPE__ sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      __SIZE_TYPE__ width;
      __SIZE_TYPE__ height;
      __SIZE_TYPE__ pitchInBytes;
    } pitch2D;
  } res;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
};

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                              __SIZE_TYPE__ bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                __SIZE_TYPE__ pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height, cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const void *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
}
template <class Type> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, __SIZE_TYPE__ width,
                            __SIZE_TYPE__ height = 0, unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const textureReference *texture, const void *memory,
                            const cudaChannelFormatDesc *format, __SIZE_TYPE__ bytes = 0xffffffff);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture, const void *memory,
                            __SIZE_TYPE__ bytes = 0xffffffff);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture, const void *memory,
                            const cudaChannelFormatDesc &format, __SIZE_TYPE__ bytes = 0xffffffff);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture,
                              const void *memory, const cudaChannelFormatDesc &format, __SIZE_TYPE__ width,
                              __SIZE_TYPE__ height, __SIZE_TYPE__ pitch);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<Type, dimensions, mode> &texture, cudaArray_const_t array);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<Type, dimensions, mode> &texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &format);
template <class Type, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<Type, dimensions, mode> &texture);

template <class Type, cudaTextureReadMode mode>
__device__ Type tex1Dfetch(texture<Type, cudaTextureType1D, mode> texture, int x);
template <class Type, cudaTextureReadMode mode>
__device__ Type tex1D(texture<Type, cudaTextureType1D, mode> texture, float x);
template <class Type, cudaTextureReadMode mode>
__device__ Type tex2D(texture<Type, cudaTextureType2D, mode> texture, float x, float y);
template <class Type, cudaTextureReadMode mode>
__device__ Type tex3D(texture<Type, cudaTextureType3D, mode> texture, float x, float y, float z);
template <class Type> __device__ Type tex1Dfetch(cudaTextureObject_t texture, int x);
template <class Type> __device__ Type tex1D(cudaTextureObject_t texture, float x);
template <class Type> __device__ Type tex2D(cudaTextureObject_t texture, float x, float y);
template <class Type> __device__ Type tex3D(cudaTextureObject_t texture, float x, float y, float z);
template <class Type> __device__ Type tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer);

#endif
