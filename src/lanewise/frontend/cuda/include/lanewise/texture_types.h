// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: enumerations, descriptions, references and objects (CUDA Runtime API, "Data types used by CUDA
// Runtime").
#ifndef LANEWISE_TEXTURE_TYPES_H
#define LANEWISE_TEXTURE_TYPES_H

#include "lanewise/host_memory.h"
#include "lanewise/vector_types.h"

typedef enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
} cudaChannelFormatKind;
typedef enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
} cudaTextureAddressMode;
typedef enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 } cudaTextureFilterMode;
typedef enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 } cudaTextureReadMode;
typedef enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 } cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 } cudaSurfaceFormatMode;
typedef enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
} cudaResourceType;

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

typedef struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
} cudaChannelFormatDesc;

typedef struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
} textureReference;
typedef struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
} surfaceReference;

#ifdef __CUDA__
#define __LW_REFERENCE__ __host__ __device__ __attribute__((nodebug)) constexpr

// The format of an element, a number or a vector of some.
template <class Type, class Part> __LW_REFERENCE__ cudaChannelFormatDesc __lw_format_of_parts() {
  int bits = 8 * sizeof(Part), parts = sizeof(Type) / sizeof(Part);
  return {bits, parts > 1 ? bits : 0, parts > 2 ? bits : 0, parts > 3 ? bits : 0,
          __is_floating_point(Part)                        ? cudaChannelFormatKindFloat
          : static_cast<Part>(-1) < static_cast<Part>(0) ? cudaChannelFormatKindSigned
                                                         : cudaChannelFormatKindUnsigned};
}
template <class Type> __LW_REFERENCE__ cudaChannelFormatDesc __lw_format(decltype(Type::x) *) {
  return __lw_format_of_parts<Type, decltype(Type::x)>();
}
template <class Type> __LW_REFERENCE__ cudaChannelFormatDesc __lw_format(...) {
  return __lw_format_of_parts<Type, Type>();
}

// On the device a reference is a variable of 8 bytes that holds the handle of what is bound to it.
template <class Type, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __LW_REFERENCE__ texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                           cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized, filter, {address, address, address}, __lw_format<Type>(nullptr)} {}
  __LW_REFERENCE__ texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                           cudaChannelFormatDesc format)
      : textureReference{normalized, filter, {address, address, address}, format} {}
};
template <class Type, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int dimensions>
struct __attribute__((device_builtin_surface_type)) surface<void, dimensions> : surfaceReference {};
#undef __LW_REFERENCE__
#endif

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

typedef struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
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
} cudaResourceDesc;
typedef enum cudaResourceViewFormat { cudaResViewFormatNone = 0 } cudaResourceViewFormat;
typedef struct cudaResourceViewDesc {
  cudaResourceViewFormat format;
  __SIZE_TYPE__ width;
  __SIZE_TYPE__ height;
  __SIZE_TYPE__ depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
} cudaResourceViewDesc;
typedef struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
} cudaTextureDesc;

#endif
