// SPDX-License-Identifier: Apache-2.0
// Host side: arrays, and what binds memory to texture references and objects.
#ifndef LANEWISE_HOST_TEXTURES_H
#define LANEWISE_HOST_TEXTURES_H

#include "lanewise/texture_types.h"

__LW_BEGIN_C
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, __SIZE_TYPE__ width,
                            __SIZE_TYPE__ height __LW_OR(0), unsigned int flags __LW_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                              unsigned int flags __LW_OR(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned int levels, unsigned int flags __LW_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_t array, unsigned int level);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);

cudaError_t cudaMemcpyToArray(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                              __SIZE_TYPE__ bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t source, __SIZE_TYPE__ x, __SIZE_TYPE__ y,
                                __SIZE_TYPE__ bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                   __SIZE_TYPE__ bytes, cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void *target, cudaArray_const_t source, __SIZE_TYPE__ x, __SIZE_TYPE__ y,
                                     __SIZE_TYPE__ bytes, cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                __SIZE_TYPE__ pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *target, __SIZE_TYPE__ pitch, cudaArray_const_t source, __SIZE_TYPE__ x,
                                  __SIZE_TYPE__ y, __SIZE_TYPE__ width, __SIZE_TYPE__ height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                     __SIZE_TYPE__ pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                                     cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *target, __SIZE_TYPE__ pitch, cudaArray_const_t source, __SIZE_TYPE__ x,
                                       __SIZE_TYPE__ y, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                                       cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t target, __SIZE_TYPE__ target_x, __SIZE_TYPE__ target_y,
                                   cudaArray_const_t source, __SIZE_TYPE__ source_x, __SIZE_TYPE__ source_y,
                                   __SIZE_TYPE__ bytes, cudaMemcpyKind kind __LW_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, __SIZE_TYPE__ target_x, __SIZE_TYPE__ target_y,
                                     cudaArray_const_t source, __SIZE_TYPE__ source_x, __SIZE_TYPE__ source_y,
                                     __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                                     cudaMemcpyKind kind __LW_OR(cudaMemcpyDeviceToDevice));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view, cudaTextureObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object);

cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const textureReference *texture, const void *memory,
                            const cudaChannelFormatDesc *format, __SIZE_TYPE__ bytes __LW_OR(0xffffffff));
cudaError_t cudaBindTexture2D(__SIZE_TYPE__ *offset, const textureReference *texture, const void *memory,
                              const cudaChannelFormatDesc *format, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                              __SIZE_TYPE__ pitch);
cudaError_t cudaBindTextureToArray(const textureReference *texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format);
cudaError_t cudaUnbindTexture(const textureReference *texture);
cudaError_t cudaGetTextureReference(const textureReference **texture, const void *symbol);
cudaError_t cudaGetTextureAlignmentOffset(__SIZE_TYPE__ *offset, const textureReference *texture);
cudaError_t cudaBindSurfaceToArray(const surfaceReference *surface, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format);
cudaError_t cudaGetSurfaceReference(const surfaceReference **surface, const void *symbol);

// What cudaBindTexture of a reference's type calls: `mode` is of enum cudaTextureReadMode.
cudaError_t __lwBindTexture(__SIZE_TYPE__ *offset, const textureReference *texture, int mode, const void *memory,
                            const cudaChannelFormatDesc *format, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                            __SIZE_TYPE__ pitch);
cudaError_t __lwBindTextureToArray(const textureReference *texture, int mode, cudaArray_const_t array);
__LW_END_C

#ifdef __cplusplus
template <class Type> inline cudaChannelFormatDesc cudaCreateChannelDesc();
#define __LW_CHANNELS(name, type, kind)                                                                          \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                                       \
    return cudaCreateChannelDesc(8 * (int)sizeof(type), 0, 0, 0, kind);                                          \
  }                                                                                                              \
  __LW_CHANNELS_OF_VECTORS(name, type, kind)
#define __LW_CHANNELS_OF_VECTORS(name, type, kind)                                                               \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<name##1>() {                                    \
    return cudaCreateChannelDesc(8 * (int)sizeof(type), 0, 0, 0, kind);                                          \
  }                                                                                                              \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>() {                                    \
    return cudaCreateChannelDesc(8 * (int)sizeof(type), 8 * (int)sizeof(type), 0, 0, kind);                      \
  }                                                                                                              \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>() {                                    \
    return cudaCreateChannelDesc(8 * (int)sizeof(type), 8 * (int)sizeof(type), 8 * (int)sizeof(type),            \
                                 8 * (int)sizeof(type), kind);                                                   \
  }
template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<char>() {
  return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}
__LW_CHANNELS(char, signed char, cudaChannelFormatKindSigned)
__LW_CHANNELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
__LW_CHANNELS(short, short, cudaChannelFormatKindSigned)
__LW_CHANNELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
__LW_CHANNELS(int, int, cudaChannelFormatKindSigned)
__LW_CHANNELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
__LW_CHANNELS(float, float, cudaChannelFormatKindFloat)
#undef __LW_CHANNELS
#undef __LW_CHANNELS_OF_VECTORS

#ifdef __CUDA__
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture,
                                   const void *memory, const cudaChannelFormatDesc &format,
                                   __SIZE_TYPE__ bytes = 0xffffffff) {
  return __lwBindTexture(offset, &texture, mode, memory, &format, bytes, 0, 0);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture,
                                   const void *memory, __SIZE_TYPE__ bytes = 0xffffffff) {
  return cudaBindTexture(offset, texture, memory, cudaCreateChannelDesc<Type>(), bytes);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture,
                                     const void *memory, const cudaChannelFormatDesc &format, __SIZE_TYPE__ width,
                                     __SIZE_TYPE__ height, __SIZE_TYPE__ pitch) {
  return __lwBindTexture(offset, &texture, mode, memory, &format, width, height, pitch);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(__SIZE_TYPE__ *offset, const texture<Type, dimensions, mode> &texture,
                                     const void *memory, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                                     __SIZE_TYPE__ pitch) {
  return cudaBindTexture2D(offset, texture, memory, cudaCreateChannelDesc<Type>(), width, height, pitch);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<Type, dimensions, mode> &texture, cudaArray_const_t array) {
  return __lwBindTextureToArray(&texture, mode, array);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<Type, dimensions, mode> &texture, cudaArray_const_t array,
                                          const cudaChannelFormatDesc &) {
  return __lwBindTextureToArray(&texture, mode, array);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<Type, dimensions, mode> &texture) {
  return cudaUnbindTexture((const textureReference *)&texture);
}
template <class Type, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(__SIZE_TYPE__ *offset,
                                                 const texture<Type, dimensions, mode> &texture) {
  return cudaGetTextureAlignmentOffset(offset, (const textureReference *)&texture);
}
template <int dimensions>
inline cudaError_t cudaBindSurfaceToArray(const surface<void, dimensions> &surface, cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const surfaceReference *)&surface, array, (const cudaChannelFormatDesc *)0);
}
template <int dimensions>
inline cudaError_t cudaBindSurfaceToArray(const surface<void, dimensions> &surface, cudaArray_const_t array,
                                          const cudaChannelFormatDesc &format) {
  return cudaBindSurfaceToArray((const surfaceReference *)&surface, array, &format);
}
#endif
#endif

#endif
