// SPDX-License-Identifier: Apache-2.0
// Arrays, copies of boxes, texture and surface objects of the driver API. An array's handle is the runtime API's.
#include "api.h"
#include "driver.h"

namespace lw_cudart {

static cudaArray_t array_of_driver(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

struct FormatRow {
  CUarray_format driver;
  int bits;
  cudaChannelFormatKind kind;
};
static const FormatRow formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

static cudaError_t channels_of_driver(CUarray_format format, unsigned int channels, cudaChannelFormatDesc *found) {
  REQUIRE(channels == 1 || channels == 2 || channels == 4, cudaErrorInvalidValue, "%u channels: 1, 2 or 4 are allowed",
          channels);
  for (const FormatRow &row : formats)
    if (row.driver == format) {
      *found = {row.bits, channels > 1 ? row.bits : 0, channels > 2 ? row.bits : 0, channels > 2 ? row.bits : 0,
                row.kind};
      return cudaSuccess;
    }
  return fail(cudaErrorInvalidValue, "there is no format 0x%x", format);
}

LW_API CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *description) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(array);
    REQUIRE_POINTER(description);
    cudaChannelFormatDesc format;
    REQUIRE_SUCCESS(channels_of_driver(description->Format, description->NumChannels, &format));
    cudaExtent extent = {description->Width, description->Height, description->Depth};
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t *>(array), &format, extent, description->Flags);
  });
}

LW_API CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *description) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(array);
    REQUIRE_POINTER(description);
    cudaChannelFormatDesc format;
    REQUIRE_SUCCESS(channels_of_driver(description->Format, description->NumChannels, &format));
    return cudaMallocArray(reinterpret_cast<cudaArray_t *>(array), &format, description->Width, description->Height, 0);
  });
}

static cudaError_t describe_array(CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array) {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  REQUIRE_SUCCESS(cudaArrayGetInfo(&format, &extent, &description->Flags, array_of_driver(array)));
  description->Width = extent.width;
  description->Height = extent.height;
  description->Depth = extent.depth;
  description->NumChannels = format.w ? 4 : format.y ? 2 : 1;
  for (const FormatRow &row : formats)
    if (row.bits == format.x && row.kind == format.f)
      description->Format = row.driver;
  return cudaSuccess;
}

LW_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(description);
    return describe_array(description, array);
  });
}

LW_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *description, CUarray array) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(description);
    CUDA_ARRAY3D_DESCRIPTOR whole;
    REQUIRE_SUCCESS(describe_array(&whole, array));
    *description = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
    return cudaSuccess;
  });
}

LW_API CUresult cuArrayDestroy(CUarray array) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE(array, cudaErrorInvalidResourceHandle, "array is null");
    return cudaFreeArray(array_of_driver(array));
  });
}

// One end of a copy, as cudaMemcpy3DParms has it: positions and widths are bytes, but elements if an array takes part.
struct CopyEnd {
  CUmemorytype type;
  void *host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch, height, x, y, z;
};

static cudaError_t place_end(const CopyEnd &end, const CUDA_MEMCPY3D &copy, size_t element, const char *what,
                             cudaArray_t *array, cudaPos *position, cudaPitchedPtr *memory) {
  REQUIRE(end.x % element == 0, cudaErrorInvalidValue, "byte %zu of a row of the %s is the start of no element", end.x,
          what);
  *position = {end.x / element, end.y, end.z};
  if (end.type == CU_MEMORYTYPE_ARRAY) {
    *array = array_of_driver(end.array);
    return cudaSuccess;
  }
  REQUIRE(end.type == CU_MEMORYTYPE_HOST || end.type == CU_MEMORYTYPE_DEVICE || end.type == CU_MEMORYTYPE_UNIFIED,
          cudaErrorInvalidValue, "memory of type %d is unknown", end.type);
  void *start = end.type == CU_MEMORYTYPE_HOST ? end.host : pointer_of(end.device);
  size_t pitch = end.pitch ? end.pitch : end.x + copy.WidthInBytes, height = end.height ? end.height : end.y + copy.Height;
  position->x = end.x; // outside of arrays, bytes
  *memory = {start, pitch, pitch, height};
  return cudaSuccess;
}

static cudaError_t parameters_of(const CUDA_MEMCPY3D *given, cudaMemcpy3DParms *parameters) {
  REQUIRE(given, cudaErrorInvalidValue, "the description of the copy is null");
  const CUDA_MEMCPY3D &copy = *given;
  CUarray array = copy.srcMemoryType == CU_MEMORYTYPE_ARRAY   ? copy.srcArray
                  : copy.dstMemoryType == CU_MEMORYTYPE_ARRAY ? copy.dstArray
                                                              : nullptr;
  size_t element = 1;
  if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY)
    REQUIRE_SUCCESS(element_bytes(array_of_driver(array), &element));
  REQUIRE(copy.WidthInBytes % element == 0, cudaErrorInvalidValue, "%zu bytes are no whole elements of %zu bytes",
          copy.WidthInBytes, element);
  REQUIRE(!copy.srcLOD && !copy.dstLOD, cudaErrorInvalidValue, "levels of detail must be 0");
  *parameters = {};
  parameters->kind = cudaMemcpyDefault;
  parameters->extent = {copy.WidthInBytes / element, copy.Height, copy.Depth};
  CopyEnd source = {copy.srcMemoryType, const_cast<void *>(copy.srcHost), copy.srcDevice, copy.srcArray, copy.srcPitch,
                    copy.srcHeight, copy.srcXInBytes, copy.srcY, copy.srcZ};
  CopyEnd target = {copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray, copy.dstPitch,
                    copy.dstHeight, copy.dstXInBytes, copy.dstY, copy.dstZ};
  REQUIRE_SUCCESS(place_end(source, copy, element, "source", &parameters->srcArray, &parameters->srcPos,
                            &parameters->srcPtr));
  return place_end(target, copy, element, "target", &parameters->dstArray, &parameters->dstPos, &parameters->dstPtr);
}

static CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D &copy) {
  CUDA_MEMCPY3D box = {};
  box.srcXInBytes = copy.srcXInBytes;
  box.srcY = copy.srcY;
  box.srcMemoryType = copy.srcMemoryType;
  box.srcHost = copy.srcHost;
  box.srcDevice = copy.srcDevice;
  box.srcArray = copy.srcArray;
  box.srcPitch = copy.srcPitch;
  box.dstXInBytes = copy.dstXInBytes;
  box.dstY = copy.dstY;
  box.dstMemoryType = copy.dstMemoryType;
  box.dstHost = copy.dstHost;
  box.dstDevice = copy.dstDevice;
  box.dstArray = copy.dstArray;
  box.dstPitch = copy.dstPitch;
  box.WidthInBytes = copy.WidthInBytes;
  box.Height = copy.Height;
  box.Depth = 1;
  return box;
}

static cudaError_t copy_box(const CUDA_MEMCPY3D *copy, const CUstream *stream) {
  cudaMemcpy3DParms parameters;
  REQUIRE_SUCCESS(parameters_of(copy, &parameters));
  return stream ? cudaMemcpy3DAsync(&parameters, *stream) : cudaMemcpy3D(&parameters);
}

static cudaError_t copy_rows(const CUDA_MEMCPY2D *copy, const CUstream *stream) {
  REQUIRE_POINTER(copy);
  CUDA_MEMCPY3D box = box_of(*copy);
  return copy_box(&box, stream);
}

LW_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  return DRIVER_CALL(CONTEXT, { return copy_rows(copy, nullptr); });
}
LW_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
  return DRIVER_CALL(CONTEXT, { return copy_rows(copy, nullptr); });
}
LW_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return copy_rows(copy, &stream); });
}
LW_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) {
  return DRIVER_CALL(CONTEXT, { return copy_box(copy, nullptr); });
}
LW_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return copy_box(copy, &stream); });
}

static cudaError_t resource_of(const CUDA_RESOURCE_DESC *given, cudaResourceDesc *resource) {
  REQUIRE(given, cudaErrorInvalidValue, "resource is null");
  memset(resource, 0, sizeof *resource);
  resource->resType = static_cast<cudaResourceType>(given->resType); // the same numbers
  switch (given->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    resource->res.array.array = array_of_driver(given->res.array.hArray);
    return cudaSuccess;
  case CU_RESOURCE_TYPE_LINEAR: {
    const auto &linear = given->res.linear;
    resource->res.linear.devPtr = pointer_of(linear.devPtr);
    resource->res.linear.sizeInBytes = linear.sizeInBytes;
    return channels_of_driver(linear.format, linear.numChannels, &resource->res.linear.desc);
  }
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &pitched = given->res.pitch2D;
    resource->res.pitch2D.devPtr = pointer_of(pitched.devPtr);
    resource->res.pitch2D.width = pitched.width;
    resource->res.pitch2D.height = pitched.height;
    resource->res.pitch2D.pitchInBytes = pitched.pitchInBytes;
    return channels_of_driver(pitched.format, pitched.numChannels, &resource->res.pitch2D.desc);
  }
  default:
    return fail(cudaErrorNotSupported, "arrays of several levels are not supported");
  }
}

static cudaError_t is_read_as_float(const cudaResourceDesc &resource, bool *normalised) {
  cudaChannelFormatDesc format = resource.resType == cudaResourceTypeLinear ? resource.res.linear.desc
                                                                            : resource.res.pitch2D.desc;
  if (resource.resType == cudaResourceTypeArray)
    REQUIRE_SUCCESS(cudaGetChannelDesc(&format, resource.res.array.array));
  *normalised = format.f != cudaChannelFormatKindFloat && format.x < 32;
  return cudaSuccess;
}

LW_API CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *given, const CUDA_TEXTURE_DESC *modes,
                                  const CUDA_RESOURCE_VIEW_DESC *view) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(object);
    REQUIRE_POINTER(modes);
    REQUIRE(!view, cudaErrorNotSupported, "views of a resource are not supported");
    cudaResourceDesc resource;
    REQUIRE_SUCCESS(resource_of(given, &resource));
    bool normalised;
    REQUIRE_SUCCESS(is_read_as_float(resource, &normalised));
    cudaTextureDesc texture;
    memset(&texture, 0, sizeof texture);
    for (int i = 0; i < 3; ++i)
      texture.addressMode[i] = static_cast<cudaTextureAddressMode>(modes->addressMode[i]);
    texture.filterMode = static_cast<cudaTextureFilterMode>(modes->filterMode);
    texture.readMode = normalised && !(modes->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                                               : cudaReadModeElementType;
    texture.normalizedCoords = (modes->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    texture.sRGB = (modes->flags & CU_TRSF_SRGB) != 0;
    texture.maxAnisotropy = modes->maxAnisotropy;
    memcpy(texture.borderColor, modes->borderColor, sizeof texture.borderColor);
    return cudaCreateTextureObject(object, &resource, &texture, nullptr);
  });
}

LW_API CUresult cuTexObjectDestroy(CUtexObject object) {
  return DRIVER_CALL(CONTEXT, { return cudaDestroyTextureObject(object); });
}

LW_API CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *given) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(object);
    cudaResourceDesc resource;
    REQUIRE_SUCCESS(resource_of(given, &resource));
    return cudaCreateSurfaceObject(object, &resource);
  });
}

LW_API CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return DRIVER_CALL(CONTEXT, { return cudaDestroySurfaceObject(object); });
}

} // namespace lw_cudart
