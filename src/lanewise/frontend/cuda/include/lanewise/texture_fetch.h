// SPDX-License-Identifier: Apache-2.0
// Texture fetches, of objects and of references (CUDA C++ Programming Guide, "Texture Functions"). Each becomes one
// call of a function that the device provides, whose constant `element` says what the kernel takes a texel for.
#ifndef LANEWISE_TEXTURE_FETCH_H
#define LANEWISE_TEXTURE_FETCH_H

#include "lanewise/texels.h"

// `nomerge`: where two calls became one, `element` would no longer be a constant.
#define __LW_FETCH(name, ...)                                                                                    \
  __device__ __attribute__((pure, nothrow, noconvergent, nomerge)) __lw_words __lw_tex_##name(                   \
      cudaTextureObject_t texture, unsigned int element, __VA_ARGS__);
extern "C" {
__LW_FETCH(fetch, int x)
__LW_FETCH(gather, int channel, float x, float y)
__LW_FETCH(1d, float x)
__LW_FETCH(1d_level, float x, float level)
__LW_FETCH(1d_grad, float x, float dx, float dy)
__LW_FETCH(1d_layered, int layer, float x)
__LW_FETCH(1d_layered_level, int layer, float x, float level)
__LW_FETCH(1d_layered_grad, int layer, float x, float dx, float dy)
__LW_FETCH(2d, float x, float y)
__LW_FETCH(2d_level, float x, float y, float level)
__LW_FETCH(2d_grad, float x, float y, float dx_x, float dx_y, float dy_x, float dy_y)
__LW_FETCH(2d_layered, int layer, float x, float y)
__LW_FETCH(2d_layered_level, int layer, float x, float y, float level)
__LW_FETCH(2d_layered_grad, int layer, float x, float y, float dx_x, float dx_y, float dy_x, float dy_y)
__LW_FETCH(3d, float x, float y, float z)
__LW_FETCH(3d_level, float x, float y, float z, float level)
__LW_FETCH(3d_grad, float x, float y, float z, float dx_x, float dx_y, float dx_z, float dy_x, float dy_y, float dy_z)
__LW_FETCH(cube, float x, float y, float z)
__LW_FETCH(cube_level, float x, float y, float z, float level)
__LW_FETCH(cube_layered, int layer, float x, float y, float z)
__LW_FETCH(cube_layered_level, int layer, float x, float y, float z, float level)
}
#undef __LW_FETCH

// What fetches of a reference give: the texel itself, or its channels as floating-point numbers.
template <class Type, cudaTextureReadMode mode> struct __lw_fetched {
  typedef Type type;
};
template <class Type> struct __lw_fetched<Type, cudaReadModeNormalizedFloat> {
  static constexpr int channels = __lw_texel<Type>::channels;
  typedef __type_pack_element<channels / 2, float, float2, float4> type;
};

// One function for objects, also with the result's address first.
#define __LW_OBJECTS(name, function, parameters, ...)                                                            \
  template <class Type> __LW_DEVICE__ Type name(cudaTextureObject_t texture, __LW_UNPACK parameters) {           \
    return __lw_texel<Type>::in(__lw_tex_##function(texture, __lw_texel<Type>::element, __VA_ARGS__));           \
  }                                                                                                              \
  template <class Type> __LW_DEVICE__ void name(Type *result, cudaTextureObject_t texture, __LW_UNPACK parameters) { \
    *result = __lw_texel<Type>::in(__lw_tex_##function(texture, __lw_texel<Type>::element, __VA_ARGS__));        \
  }
// The same, and for references.
#define __LW_FETCHES(name, function, dimensions, parameters, ...)                                                \
  __LW_OBJECTS(name, function, parameters, __VA_ARGS__)                                                          \
  template <class Type, cudaTextureReadMode mode>                                                                \
  __LW_DEVICE__ typename __lw_fetched<Type, mode>::type name(texture<Type, dimensions, mode> reference,          \
                                                             __LW_UNPACK parameters) {                           \
    typedef __lw_texel<typename __lw_fetched<Type, mode>::type> texel;                                           \
    return texel::in(__lw_tex_##function((const cudaTextureObject_t &)reference, texel::element, __VA_ARGS__));  \
  }
#define __LW_UNPACK(...) __VA_ARGS__

__LW_FETCHES(tex1Dfetch, fetch, cudaTextureType1D, (int x), x)
__LW_FETCHES(tex1D, 1d, cudaTextureType1D, (float x), x)
__LW_FETCHES(tex2D, 2d, cudaTextureType2D, (float x, float y), x, y)
__LW_FETCHES(tex3D, 3d, cudaTextureType3D, (float x, float y, float z), x, y, z)
__LW_FETCHES(tex1DLayered, 1d_layered, cudaTextureType1DLayered, (float x, int layer), layer, x)
__LW_FETCHES(tex2DLayered, 2d_layered, cudaTextureType2DLayered, (float x, float y, int layer), layer, x, y)
__LW_FETCHES(texCubemap, cube, cudaTextureTypeCubemap, (float x, float y, float z), x, y, z)
__LW_FETCHES(texCubemapLayered, cube_layered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer),
             layer, x, y, z)

__LW_OBJECTS(tex2Dgather, gather, (float x, float y, int channel = 0), channel, x, y)

__LW_OBJECTS(tex1DLod, 1d_level, (float x, float level), x, level)
__LW_OBJECTS(tex2DLod, 2d_level, (float x, float y, float level), x, y, level)
__LW_OBJECTS(tex3DLod, 3d_level, (float x, float y, float z, float level), x, y, z, level)
__LW_OBJECTS(tex1DLayeredLod, 1d_layered_level, (float x, int layer, float level), layer, x, level)
__LW_OBJECTS(tex2DLayeredLod, 2d_layered_level, (float x, float y, int layer, float level), layer, x, y, level)
__LW_OBJECTS(texCubemapLod, cube_level, (float x, float y, float z, float level), x, y, z, level)
__LW_OBJECTS(texCubemapLayeredLod, cube_layered_level, (float x, float y, float z, int layer, float level), layer, x, y,
             z, level)

__LW_OBJECTS(tex1DGrad, 1d_grad, (float x, float dx, float dy), x, dx, dy)
__LW_OBJECTS(tex2DGrad, 2d_grad, (float x, float y, float2 dx, float2 dy), x, y, dx.x, dx.y, dy.x, dy.y)
__LW_OBJECTS(tex3DGrad, 3d_grad, (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx.x, dx.y, dx.z, dy.x,
             dy.y, dy.z)
__LW_OBJECTS(tex1DLayeredGrad, 1d_layered_grad, (float x, int layer, float dx, float dy), layer, x, dx, dy)
__LW_OBJECTS(tex2DLayeredGrad, 2d_layered_grad, (float x, float y, int layer, float2 dx, float2 dy), layer, x, y, dx.x,
             dx.y, dy.x, dy.y)

#undef __LW_FETCHES
#undef __LW_OBJECTS

#define __LW_NO_GRADIENTS(name)                                                                                  \
  template <class Type> __device__ __attribute__((unavailable("gradients in cubemaps are not supported"))) Type name(...);
__LW_NO_GRADIENTS(texCubemapGrad)
__LW_NO_GRADIENTS(texCubemapLayeredGrad)
#undef __LW_NO_GRADIENTS

#endif
