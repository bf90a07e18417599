// SPDX-License-Identifier: Apache-2.0
// Host side: arrays, and what binds memory to texture references and objects.
#ifndef LANEWISE_HOST_TEXTURES_H
#define LANEWISE_HOST_TEXTURES_H

#include "lanewise/texture_types.h"

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
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_t array, unsigned int level);
cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t source, __SIZE_TYPE__ x, __SIZE_TYPE__ y,
                                __SIZE_TYPE__ bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *target, __SIZE_TYPE__ pitch, cudaArray_const_t source, __SIZE_TYPE__ x,
                                  __SIZE_TYPE__ y, __SIZE_TYPE__ width, __SIZE_TYPE__ height, cudaMemcpyKind kind);
cudaError_t cudaGetTextureReference(const textureReference **texture, const void *symbol);
cudaError_t cudaGetTextureAlignmentOffset(__SIZE_TYPE__ *offset, const textureReference *texture);
}
template <class Type> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned int levels, unsigned int flags = 0);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                   __SIZE_TYPE__ bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, __SIZE_TYPE__ x, __SIZE_TYPE__ y, const void *source,
                                     __SIZE_TYPE__ pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                                     cudaMemcpyKind kind, cudaStream_t stream = 0);
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
cudaError_t cudaUnbindTexture(const textureReference *texture);
template <int dimensions>
cudaError_t cudaBindSurfaceToArray(const surface<void, dimensions> &surface, cudaArray_const_t array);
template <int dimensions>
cudaError_t cudaBindSurfaceToArray(const surface<void, dimensions> &surface, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &format);

#endif
