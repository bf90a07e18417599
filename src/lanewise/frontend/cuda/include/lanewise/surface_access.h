// SPDX-License-Identifier: Apache-2.0
// Reading and writing surfaces, objects and references (CUDA C++ Programming Guide, "Surface Functions"). x counts
// bytes, y, z and layers count rows, slices and layers.
#ifndef LANEWISE_SURFACE_ACCESS_H
#define LANEWISE_SURFACE_ACCESS_H

#include "lanewise/texels.h"

// `access`: what the kernel takes an element for, as in texels.h, and in bits 24-25 the boundary mode.
#define __LW_ACCESS(name, ...)                                                                                   \
  __device__ __attribute__((pure, nothrow, noconvergent, nomerge)) __lw_words __lw_surf_read_##name(             \
      cudaSurfaceObject_t surface, unsigned int access, __VA_ARGS__);                                            \
  __device__ __attribute__((nothrow, noconvergent, nomerge)) void __lw_surf_write_##name(                        \
      cudaSurfaceObject_t surface, unsigned int access, __VA_ARGS__, __lw_words value);
extern "C" {
__LW_ACCESS(1d, int x)
__LW_ACCESS(2d, int x, int y)
__LW_ACCESS(3d, int x, int y, int z)
__LW_ACCESS(1d_layered, int x, int layer)
__LW_ACCESS(2d_layered, int x, int y, int layer)
}
#undef __LW_ACCESS

__LW_DEVICE__ cudaSurfaceObject_t __lw_surface(cudaSurfaceObject_t object) { return object; }
template <int dimensions> __LW_DEVICE__ cudaSurfaceObject_t __lw_surface(surface<void, dimensions> reference) {
  return (const cudaSurfaceObject_t &)reference;
}

// The functions for objects and references; a read also with the result's address first.
#define __LW_ACCESSES(name, function, parameters, ...)                                                           \
  template <class Type, class Surface>                                                                           \
  __LW_DEVICE__ Type name##read(Surface surface, __LW_UNPACK parameters,                                         \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
    typedef __lw_texel<Type> texel;                                                                              \
    return texel::in(__lw_surf_read_##function(__lw_surface(surface), texel::element | mode << 24, __VA_ARGS__)); \
  }                                                                                                              \
  template <class Type, class Surface>                                                                           \
  __LW_DEVICE__ void name##read(Type *result, Surface surface, __LW_UNPACK parameters,                           \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
    *result = name##read<Type>(surface, __VA_ARGS__, mode);                                                      \
  }                                                                                                              \
  template <class Type, class Surface>                                                                           \
  __LW_DEVICE__ void name##write(Type value, Surface surface, __LW_UNPACK parameters,                            \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
    typedef __lw_texel<Type> texel;                                                                              \
    __lw_surf_write_##function(__lw_surface(surface), texel::element | mode << 24, __VA_ARGS__, texel::out(value)); \
  }

__LW_ACCESSES(surf1D, 1d, (int x), x)
__LW_ACCESSES(surf2D, 2d, (int x, int y), x, y)
__LW_ACCESSES(surf3D, 3d, (int x, int y, int z), x, y, z)
__LW_ACCESSES(surf1DLayered, 1d_layered, (int x, int layer), x, layer)
__LW_ACCESSES(surf2DLayered, 2d_layered, (int x, int y, int layer), x, y, layer)
// Faces are layers: those of layer n of a layered cubemap are 6 * n and the five after it.
__LW_ACCESSES(surfCubemap, 2d_layered, (int x, int y, int face), x, y, face)
__LW_ACCESSES(surfCubemapLayered, 2d_layered, (int x, int y, int layer_and_face), x, y, layer_and_face)

#undef __LW_ACCESSES
#undef __LW_UNPACK

#endif
