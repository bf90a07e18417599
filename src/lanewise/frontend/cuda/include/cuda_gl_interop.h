// SPDX-License-Identifier: Apache-2.0
// Sharing of buffers and images with OpenGL: host functions, declared so that programs with them compile. They need
// OpenGL's own header, as NVIDIA's do; where it wasn't included, its types are what it makes of them.
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include "cuda_runtime.h"

typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

extern "C" {
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, unsigned int buffer, unsigned int flags);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, unsigned int image, unsigned int target,
                                        unsigned int flags);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream = 0);
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream = 0);
cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *size, cudaGraphicsResource_t resource);
cudaError_t cudaGLSetGLDevice(int device);
}

#endif
