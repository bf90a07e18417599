// Textures by objects and by references, and surfaces, on arrays and on linear memory.
#include "check.h"
#include <unistd.h>

texture<float, 2, cudaReadModeElementType> reference;
texture<float4, 1, cudaReadModeElementType> vectors;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;

__global__ void by_object(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}
__global__ void by_reference(float *out) {
  out[threadIdx.x] = tex2D(reference, threadIdx.x + 0.5f, 2.5f) + tex1Dfetch(vectors, 1).y + tex1Dfetch(bytes, 2);
}
__global__ void on_surface(cudaSurfaceObject_t s) {
  float x = surf2Dread<float>(s, threadIdx.x * 4, 3);
  surf2Dwrite(x + 100, s, threadIdx.x * 4, 0);
}

__global__ void towards(cudaTextureObject_t cube, float *out) {
  float side = threadIdx.x % 2 ? -1 : 1, x = 0, y = 0, z = 0;
  (threadIdx.x / 2 == 0 ? x : threadIdx.x / 2 == 1 ? y : z) = 3 * side;
  out[threadIdx.x] = texCubemapLayered<float>(cube, x, y, z, 1);
}
__global__ void on_faces(cudaSurfaceObject_t surface) {
  surfCubemapLayeredwrite(100.0f + blockIdx.x, surface, 4 * (int)threadIdx.x, 1, 6 + blockIdx.x);
}

// Two cubes with faces of 3 * 3 texels.
static void cubemaps() {
  enum { FACES = 12, SIDE = 3 };
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  EXPECT(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(3, 4, 6), cudaArrayCubemap));
  EXPECT(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(3, 3, 12), cudaArrayCubemap));
  unsigned int flags = cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore;
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(SIDE, SIDE, FACES), flags));
  float host[FACES][SIDE][SIDE], out[6], *on_device;
  for (int i = 0; i < FACES * SIDE * SIDE; ++i)
    host[0][0][i] = i;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, sizeof host[0][0], SIDE, SIDE);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(SIDE, SIDE, FACES);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc modes = {};
  modes.normalizedCoords = 1;
  modes.seamlessCubemap = 1;
  cudaTextureObject_t cube;
  EXPECT(cudaErrorNotSupported, cudaCreateTextureObject(&cube, &resource, &modes, nullptr));
  modes.seamlessCubemap = 0;
  OK(cudaCreateTextureObject(&cube, &resource, &modes, nullptr));
  OK(cudaMalloc(&on_device, sizeof out));
  for (int written = 0; written < 2; ++written) {
    towards<<<1, 6>>>(cube, on_device); // the middle of each face
    OK(cudaMemcpy(out, on_device, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; ++i)
      CHECK(out[i] == (written ? 100 + i : host[6 + i][1][1]));
    cudaSurfaceObject_t surface;
    OK(cudaCreateSurfaceObject(&surface, &resource));
    on_faces<<<6, SIDE>>>(surface);
    OK(cudaDestroySurfaceObject(surface));
  }
  OK(cudaDestroyTextureObject(cube));
  OK(cudaFreeArray(array));
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float host[4][8], row[8];
  for (int i = 0; i < 32; ++i)
    host[i / 8][i % 8] = i;
  OK(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof row, sizeof row, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  OK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  float *out;
  OK(cudaMalloc(&out, sizeof row));
  by_object<<<1, 8>>>(object, out);
  OK(cudaMemcpy(row, out, sizeof row, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i)
    CHECK(row[i] == 8 + i);
  // Work that is under way still fetches from a texture that is destroyed.
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemset(out, 0, sizeof row));
  OK(cudaLaunchHostFunc(stream, [](void *) { usleep(20000); }, nullptr));
  by_object<<<1, 8, 0, stream>>>(object, out);
  OK(cudaDestroyTextureObject(object));
  EXPECT(cudaErrorInvalidValue, cudaDestroyTextureObject(object));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(row, out, sizeof row, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i)
    CHECK(row[i] == 8 + i);

  cudaChannelFormatDesc own[] = {reference.channelDesc, vectors.channelDesc, bytes.channelDesc};
  CHECK(own[0].x == 32 && own[0].y == 0 && own[0].f == cudaChannelFormatKindFloat);
  CHECK(own[1].x == 32 && own[1].w == 32 && own[1].f == cudaChannelFormatKindFloat);
  CHECK(own[2].x == 8 && own[2].y == 0 && own[2].f == cudaChannelFormatKindUnsigned);
  OK(cudaBindTextureToArray(reference, array));
  float4 four[2] = {{1, 2, 3, 4}, {5, 600, 7, 8}}, *on_device;
  OK(cudaMalloc(&on_device, sizeof four));
  OK(cudaMemcpy(on_device, four, sizeof four, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(nullptr, vectors, on_device, sizeof four));
  unsigned char text[4] = {0, 0, 255, 0}, *text_on_device;
  OK(cudaMalloc(&text_on_device, sizeof text));
  OK(cudaMemcpy(text_on_device, text, sizeof text, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(nullptr, bytes, text_on_device, sizeof text));
  by_reference<<<1, 8>>>(out);
  OK(cudaMemcpy(row, out, sizeof row, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i)
    CHECK(row[i] == 16 + i + 600 + 1);
  OK(cudaUnbindTexture(vectors));

  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  on_surface<<<1, 8>>>(surface);
  OK(cudaMemcpy2DFromArray(host, sizeof row, array, 0, 0, sizeof row, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i)
    CHECK(host[0][i] == 124 + i);
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(array));
  cubemaps();
  printf("ok\n");
}
