// SPDX-License-Identifier: Apache-2.0
// Surfaces read and written at given places, in elements; `x` of the functions counts bytes.

#define SURFACES(type, mode)                                                                                     \
  extern "C" __global__ void read_1d_##type##_##mode(type *out, cudaSurfaceObject_t s, const int *x, int n) {    \
    for (int i = threadIdx.x; i < n; i += blockDim.x)                                                            \
      out[i] = surf1Dread<type>(s, x[i] * sizeof(type), cudaBoundaryMode##mode);                                 \
  }                                                                                                              \
  extern "C" __global__ void read_2d_##type##_##mode(type *out, cudaSurfaceObject_t s, const int *x,             \
                                                     const int *y, int n) {                                      \
    for (int i = threadIdx.x; i < n; i += blockDim.x)                                                            \
      surf2Dread(&out[i], s, x[i] * sizeof(type), y[i], cudaBoundaryMode##mode);                                 \
  }                                                                                                              \
  extern "C" __global__ void read_3d_##type##_##mode(type *out, cudaSurfaceObject_t s, const int *x,             \
                                                     const int *y, const int *z, int n) {                        \
    for (int i = threadIdx.x; i < n; i += blockDim.x)                                                            \
      out[i] = surf3Dread<type>(s, x[i] * sizeof(type), y[i], z[i], cudaBoundaryMode##mode);                     \
  }                                                                                                              \
  extern "C" __global__ void read_1d_layered_##type##_##mode(type *out, cudaSurfaceObject_t s, const int *x,     \
                                                             const int *layer, int n) {                          \
    for (int i = threadIdx.x; i < n; i += blockDim.x)                                                            \
      out[i] = surf1DLayeredread<type>(s, x[i] * sizeof(type), layer[i], cudaBoundaryMode##mode);                \
  }                                                                                                              \
  extern "C" __global__ void read_2d_layered_##type##_##mode(type *out, cudaSurfaceObject_t s, const int *x,     \
                                                             const int *y, const int *layer, int n) {            \
    for (int i = threadIdx.x; i < n; i += blockDim.x)                                                            \
      out[i] = surf2DLayeredread<type>(s, x[i] * sizeof(type), y[i], layer[i], cudaBoundaryMode##mode);          \
  }

SURFACES(float, Zero)
SURFACES(float, Clamp)
SURFACES(float, Trap)
SURFACES(short4, Zero)
SURFACES(short4, Clamp)

#define WRITES(type)                                                                                             \
  extern "C" __global__ void write_##type(const type *in, cudaSurfaceObject_t s, int width) {                    \
    const int x = threadIdx.x, y = threadIdx.y;                                                                  \
    surf2Dwrite(in[y * width + x], s, x * (int)sizeof(type), y, cudaBoundaryModeZero);                           \
  }
typedef unsigned char uchar;

WRITES(char)
WRITES(uchar)
WRITES(short)
WRITES(int)
WRITES(float)
WRITES(uchar2)
WRITES(ushort2)
WRITES(float2)
WRITES(uchar4)
WRITES(short4)
WRITES(uint4)
WRITES(float4)

extern "C" __global__ void write_everywhere(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
                                            cudaSurfaceObject_t one_layered, cudaSurfaceObject_t two_layered) {
  const int x = threadIdx.x, bytes = x * sizeof(int);
  surf1Dwrite(x, one, bytes);
  surf3Dwrite(100 + x, three, bytes, 1, 2);
  surf1DLayeredwrite(200 + x, one_layered, bytes, 1);
  surf2DLayeredwrite(300 + x, two_layered, bytes, 2, 1);
}

extern "C" __global__ void brighten(cudaSurfaceObject_t image, cudaTextureObject_t before) {
  const int x = threadIdx.x, y = blockIdx.x;
  uchar4 pixel = tex2D<uchar4>(before, x, y);
  pixel.x += 1;
  pixel.w = 255;
  surf2Dwrite(pixel, image, x * 4, y);
}

extern "C" __global__ void misaligned(cudaSurfaceObject_t s, int *out) { *out = surf1Dread<int>(s, 2); }
