// SPDX-License-Identifier: Apache-2.0
// A fetch of each kind at given coordinates.

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define AT_EACH const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i]

#define FETCHES(type)                                                                                            \
  extern "C" __global__ void fetch_##type(type *out, cudaTextureObject_t t, const int *x, int n) {               \
    AT_EACH = tex1Dfetch<type>(t, x[i]);                                                                         \
  }                                                                                                              \
  extern "C" __global__ void point_##type(type *out, cudaTextureObject_t t, const float *x, const float *y, int n) { \
    AT_EACH = tex2D<type>(t, x[i], y[i]);                                                                        \
  }

FETCHES(char)
FETCHES(uchar)
FETCHES(short)
FETCHES(ushort)
FETCHES(int)
FETCHES(uint)
FETCHES(float)
FETCHES(char2)
FETCHES(uchar2)
FETCHES(short2)
FETCHES(ushort2)
FETCHES(int2)
FETCHES(uint2)
FETCHES(float2)
FETCHES(char4)
FETCHES(uchar4)
FETCHES(short4)
FETCHES(ushort4)
FETCHES(int4)
FETCHES(uint4)
FETCHES(float4)

#define GEOMETRIES(type)                                                                                         \
  extern "C" __global__ void sample_1d_##type(type *out, cudaTextureObject_t t, const float *x, int n) {         \
    AT_EACH = tex1D<type>(t, x[i]);                                                                              \
  }                                                                                                              \
  extern "C" __global__ void sample_2d_##type(type *out, cudaTextureObject_t t, const float *x, const float *y,  \
                                              int n) {                                                           \
    AT_EACH = tex2D<type>(t, x[i], y[i]);                                                                        \
  }                                                                                                              \
  extern "C" __global__ void sample_3d_##type(type *out, cudaTextureObject_t t, const float *x, const float *y,  \
                                              const float *z, int n) {                                           \
    AT_EACH = tex3D<type>(t, x[i], y[i], z[i]);                                                                  \
  }                                                                                                              \
  extern "C" __global__ void sample_cube_##type(type *out, cudaTextureObject_t t, const float *x, const float *y, \
                                                const float *z, int n) {                                         \
    AT_EACH = texCubemap<type>(t, x[i], y[i], z[i]);                                                             \
  }                                                                                                              \
  extern "C" __global__ void sample_cube_layered_##type(type *out, cudaTextureObject_t t, const float *x,        \
                                                        const float *y, const float *z, const int *layer, int n) { \
    AT_EACH = texCubemapLayered<type>(t, x[i], y[i], z[i], layer[i]);                                            \
  }                                                                                                              \
  extern "C" __global__ void sample_1d_layered_##type(type *out, cudaTextureObject_t t, const float *x,          \
                                                      const int *layer, int n) {                                 \
    AT_EACH = tex1DLayered<type>(t, x[i], layer[i]);                                                             \
  }                                                                                                              \
  extern "C" __global__ void sample_2d_layered_##type(type *out, cudaTextureObject_t t, const float *x,          \
                                                      const float *y, const int *layer, int n) {                 \
    AT_EACH = tex2DLayered<type>(t, x[i], y[i], layer[i]);                                                       \
  }

GEOMETRIES(float)
GEOMETRIES(float4)

extern "C" __global__ void gather_float(float4 *out, cudaTextureObject_t t, const float *x, const float *y, int n) {
  AT_EACH = tex2Dgather<float4>(t, x[i], y[i]);
}
extern "C" __global__ void gather_third(float4 *out, cudaTextureObject_t t, const float *x, const float *y, int n) {
  AT_EACH = tex2Dgather<float4>(t, x[i], y[i], 2);
}

// Every other form of a fetch gives the same as the plain one.
extern "C" __global__ void forms(int *same, cudaTextureObject_t one, cudaTextureObject_t two, cudaTextureObject_t three,
                                 cudaTextureObject_t layers, const float *x, const float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float result;
  bool equal = true;
  tex1Dfetch(&result, one, i);
  equal &= result == tex1Dfetch<float>(one, i);
  tex1D(&result, one, x[i]);
  equal &= result == tex1D<float>(one, x[i]);
  equal &= result == tex1DLod<float>(one, x[i], 0) && result == tex1DGrad<float>(one, x[i], 0.5f, 0.5f);
  tex2D(&result, two, x[i], y[i]);
  equal &= result == tex2D<float>(two, x[i], y[i]);
  equal &= result == tex2DLod<float>(two, x[i], y[i], 3);
  equal &= result == tex2DGrad<float>(two, x[i], y[i], make_float2(1, 2), make_float2(3, 4));
  tex3D(&result, three, x[i], y[i], x[i]);
  equal &= result == tex3D<float>(three, x[i], y[i], x[i]);
  equal &= result == tex3DLod<float>(three, x[i], y[i], x[i], 0);
  equal &= result == tex3DGrad<float>(three, x[i], y[i], x[i], make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0));
  tex2DLayered(&result, layers, x[i], y[i], i);
  equal &= result == tex2DLayered<float>(layers, x[i], y[i], i);
  equal &= result == tex2DLayeredLod<float>(layers, x[i], y[i], i, 0);
  equal &= result == tex2DLayeredGrad<float>(layers, x[i], y[i], i, make_float2(0, 0), make_float2(0, 0));
  same[i] = equal;
}
