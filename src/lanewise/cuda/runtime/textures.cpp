// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces, objects and references: descriptions that kernels read (runtime/core/texture.h).
#include "api.h"
#include "arrays.h"
#include "functions.h"
#include "gpu.h"
#include "ranges.h"
#include "reset.h"
#include "streams.h"

#include "../../runtime/core/texture.h"

namespace lw_cudart {

// The handle is the address of the description.
struct alignas(16) TextureObject {
  lw_texture description;
  uint32_t state; // of the handle
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaResourceViewDesc view;
};

static Handles<TextureObject, (size_t)1 << 18> objects;

static int channels_of(const cudaChannelFormatDesc &f) { return (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0); }

// Formats of memory, by the bits of a channel and the kind of its numbers.
static lw_format format_of(const cudaChannelFormatDesc &f, bool normalised) {
  bool is_signed = f.f == cudaChannelFormatKindSigned;
  if (f.x == 32)
    return LW_32_BITS;
  if (f.f == cudaChannelFormatKindFloat)
    return LW_HALF;
  if (f.x == 8)
    return is_signed ? normalised ? LW_S8_NORM : LW_S8 : normalised ? LW_U8_NORM : LW_U8;
  return is_signed ? normalised ? LW_S16_NORM : LW_S16 : normalised ? LW_U16_NORM : LW_U16;
}

struct Texels {
  char *start;
  cudaChannelFormatDesc format;
  size_t element;
  size_t extent[3];
  uint64_t stride[3];
  uint32_t geometry;
};

static cudaError_t texels_of_array(const Array *array, Texels *texels) {
  bool layered = array->flags & cudaArrayLayered;
  const cudaExtent &e = array->extent;
  *texels = {array->memory,
             array->format,
             array->element,
             {e.width, e.height ? e.height : 1, e.depth ? e.depth : 1},
             {array->element, array->pitch.row, array->pitch.plane},
             LW_1D};
  if (array->flags & cudaArrayCubemap)
    texels->geometry = layered ? LW_CUBE_LAYERED : LW_CUBE;
  else if (layered)
    texels->geometry = e.height ? LW_2D_LAYERED : LW_1D_LAYERED;
  else
    texels->geometry = e.depth ? LW_3D : e.height ? LW_2D : LW_1D;
  return cudaSuccess;
}

static cudaError_t texels_of_memory(void *memory, const cudaChannelFormatDesc &format, size_t width, size_t height,
                                    size_t pitch, uint32_t geometry, Texels *texels) {
  size_t element;
  REQUIRE_SUCCESS(bytes_of_format(format, &element));
  uint64_t bytes = height > 1 ? (height - 1) * pitch + width * element : width * element;
  REQUIRE_SUCCESS(require_device_memory({memory, bytes}, "texture's memory"));
  *texels = {static_cast<char *>(memory), format, element, {width, height, 1}, {element, pitch, 0}, geometry};
  return cudaSuccess;
}

static cudaError_t texels_of(const cudaResourceDesc &resource, Texels *texels) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    REQUIRE_ARRAY(array, resource.res.array.array);
    return texels_of_array(array, texels);
  }
  case cudaResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    size_t element;
    REQUIRE_SUCCESS(bytes_of_format(linear.desc, &element));
    return texels_of_memory(linear.devPtr, linear.desc, linear.sizeInBytes / element, 1, 0, LW_1D, texels);
  }
  case cudaResourceTypePitch2D: {
    const auto &pitched = resource.res.pitch2D;
    return texels_of_memory(pitched.devPtr, pitched.desc, pitched.width, pitched.height, pitched.pitchInBytes, LW_2D,
                            texels);
  }
  default:
    return fail(cudaErrorNotSupported, "textures of several levels are not supported");
  }
}

static void describe(lw_texture *d, const Texels &given, uint32_t magic, int channel_bytes, int kind) {
  Texels t = given;
  bool is_cube = t.geometry == LW_CUBE || t.geometry == LW_CUBE_LAYERED;
  if (is_cube && magic == LW_SURFACE_MAGIC)
    t.geometry = LW_2D_LAYERED; // surfaces have faces as layers
  memset(static_cast<void *>(d), 0, sizeof *d);
  int channels = channels_of(t.format);
  d->element = static_cast<uint32_t>(channel_bytes | channels << LW_CHANNELS_SHIFT | kind << LW_KIND_SHIFT) |
               t.geometry << LW_GEOMETRY_SHIFT;
  d->magic = magic;
  d->texels = t.start;
  for (int i = 0; i < 3; ++i) {
    d->stride[i] = static_cast<int64_t>(t.stride[i]);
    d->extent[i] = static_cast<int32_t>(t.extent[i]);
  }
  // Layers stand in z.
  if (t.geometry == LW_1D_LAYERED)
    d->stride[1] = 0;
  d->bytes = static_cast<uint32_t>(t.element);
  d->channels = static_cast<uint8_t>(channels);
}

static cudaError_t describe_texture(lw_texture *d, const Texels &t, const cudaTextureDesc &modes) {
  bool is_normalised = modes.readMode == cudaReadModeNormalizedFloat && t.format.f != cudaChannelFormatKindFloat;
  REQUIRE(!is_normalised || t.format.x < 32, cudaErrorInvalidNormSetting,
          "integers of 32 bits can't be read as normalised floats");
  bool is_float = is_normalised || t.format.f == cudaChannelFormatKindFloat;
  REQUIRE(is_float || modes.filterMode == cudaFilterModePoint, cudaErrorInvalidFilterSetting,
          "linear filtering is for floats; these elements are read as integers");
  describe(d, t, LW_TEXTURE_MAGIC, is_float ? 4 : t.format.x / 8, is_float ? 2 : t.format.f);
  d->format = static_cast<uint8_t>(format_of(t.format, is_normalised));
  d->linear = modes.filterMode == cudaFilterModeLinear;
  bool is_cube = t.geometry == LW_CUBE || t.geometry == LW_CUBE_LAYERED;
  d->normalized = modes.normalizedCoords || is_cube; // where a direction meets a face is always a fraction of it
  for (int i = 0; i < 3; ++i) {
    bool wraps = modes.addressMode[i] == cudaAddressModeWrap || modes.addressMode[i] == cudaAddressModeMirror;
    // Without normalised coordinates, these modes mean clamping.
    d->address[i] =
        static_cast<uint8_t>(wraps && !d->normalized ? cudaAddressModeClamp : modes.addressMode[i]);
  }
  d->address[3] = cudaAddressModeClamp;
  for (int i = 0; i < 4; ++i) {
    int32_t word;
    if (is_float)
      memcpy(&word, &modes.borderColor[i], sizeof word);
    else
      word = static_cast<int32_t>(modes.borderColor[i]);
    d->border[i] = word;
  }
  return cudaSuccess;
}

static void destroy_object(TextureObject *object) {
  object->description.magic = 0;
  objects.destroy(object);
}

// Objects that programs have destroyed while kernels may still fetch from them. Their handles are not valid any more.
static Lock retired_lock;
static List<TextureObject *> retired;

static void destroy_retired() {
  if (!__atomic_load_n(&retired.count, __ATOMIC_RELAXED) || !lw_is_idle())
    return;
  Held held(retired_lock);
  for (TextureObject *object : retired)
    destroy_object(object);
  retired.clear();
}

static cudaError_t create_object(unsigned long long *handle, TextureObject **made) {
  REQUIRE(handle, cudaErrorInvalidValue, "object is null");
  destroy_retired();
  TextureObject *object = objects.create();
  REQUIRE(object, cudaErrorMemoryAllocation, "there are too many textures");
  *handle = reinterpret_cast<unsigned long long>(object);
  *made = object;
  return cudaSuccess;
}

// Destroys an object as soon as no work is left that may use it.
static void retire(TextureObject *object) {
  destroy_retired();
  if (!lw_is_idle()) {
    Held held(retired_lock);
    if (retired.add(object)) {
      __atomic_store_n(&object->state, 0, __ATOMIC_RELEASE);
      return;
    }
  }
  destroy_object(object);
}

static TextureObject *object_of(unsigned long long handle, uint32_t magic) {
  TextureObject *object = objects.find(handle);
  return object && object->description.magic == magic ? object : nullptr;
}

#define REQUIRE_OBJECT(name, handle, magic)                                                                            \
  TextureObject *name = object_of(handle, magic);                                                                      \
  REQUIRE(name, cudaErrorInvalidValue, "object 0x%llx does not exist (any more)", handle)

LW_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle, const cudaResourceDesc *resource,
                                           const cudaTextureDesc *texture, const cudaResourceViewDesc *view) {
  return CALL({
    REQUIRE_SUCCESS(refuse_on_gpu("textures and surfaces"));
    REQUIRE_POINTER(resource);
    REQUIRE_POINTER(texture);
    REQUIRE(!view || view->format == cudaResViewFormatNone, cudaErrorNotSupported,
            "views of a resource are not supported");
    REQUIRE(!texture->seamlessCubemap, cudaErrorNotSupported, "filtering over the edges of cubemaps is not supported");
    Texels texels;
    lw_texture description;
    REQUIRE_SUCCESS(texels_of(*resource, &texels));
    REQUIRE_SUCCESS(describe_texture(&description, texels, *texture));
    TextureObject *object;
    REQUIRE_SUCCESS(create_object(handle, &object));
    object->description = description;
    object->resource = *resource;
    object->texture = *texture;
    if (view)
      object->view = *view;
    return cudaSuccess;
  });
}

void destroy_texture_objects() {
  destroy_retired();
  objects.each(destroy_object);
}

LW_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return CALL({
    if (!handle)
      return cudaSuccess;
    REQUIRE_OBJECT(object, handle, LW_TEXTURE_MAGIC);
    retire(object);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle, const cudaResourceDesc *resource) {
  return CALL({
    REQUIRE_SUCCESS(refuse_on_gpu("textures and surfaces"));
    REQUIRE_POINTER(resource);
    REQUIRE(resource->resType == cudaResourceTypeArray, cudaErrorInvalidValue, "a surface needs an array");
    Texels texels;
    REQUIRE_SUCCESS(texels_of(*resource, &texels));
    TextureObject *object;
    REQUIRE_SUCCESS(create_object(handle, &object));
    describe(&object->description, texels, LW_SURFACE_MAGIC, texels.format.x / 8, texels.format.f);
    object->resource = *resource;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return CALL({
    if (!handle)
      return cudaSuccess;
    REQUIRE_OBJECT(object, handle, LW_SURFACE_MAGIC);
    retire(object);
    return cudaSuccess;
  });
}

#define GET_OBJECT_CALL(target, member, magic)                                                                         \
  CALL({                                                                                                               \
    REQUIRE_POINTER(target);                                                                                           \
    REQUIRE_OBJECT(object, handle, magic);                                                                             \
    *target = object->member;                                                                                          \
    return cudaSuccess;                                                                                                \
  })

LW_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t handle) {
  return GET_OBJECT_CALL(resource, resource, LW_TEXTURE_MAGIC);
}
LW_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t handle) {
  return GET_OBJECT_CALL(texture, texture, LW_TEXTURE_MAGIC);
}
LW_API cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view, cudaTextureObject_t handle) {
  return GET_OBJECT_CALL(view, view, LW_TEXTURE_MAGIC);
}
LW_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t handle) {
  return GET_OBJECT_CALL(resource, resource, LW_SURFACE_MAGIC);
}

// ---- References
// ------------------------------------------------------------------------------------------------------

// The variable of the device that stands for a reference: it holds the handle of what is bound.
static cudaError_t handle_of_reference(const void *reference, unsigned long long **place) {
  void *address;
  uint64_t bytes;
  cudaError_t error = find_variable(reference, &address, &bytes);
  REQUIRE(error == cudaSuccess && bytes >= sizeof **place, cudaErrorInvalidTexture,
          "%p is no texture or surface reference of this program", reference);
  *place = static_cast<unsigned long long *>(address);
  return cudaSuccess;
}

static cudaTextureDesc modes_of(const textureReference &reference, int mode) {
  cudaTextureDesc modes = {};
  memcpy(modes.addressMode, reference.addressMode, sizeof modes.addressMode);
  modes.filterMode = reference.filterMode;
  modes.readMode = static_cast<cudaTextureReadMode>(mode);
  modes.normalizedCoords = reference.normalized;
  return modes;
}

static void bind(unsigned long long *place, const lw_texture &description) {
  TextureObject *old = objects.find(*place), *object = old ? old : objects.create();
  if (!object)
    return;
  lw_synchronize(); // launches before this one fetch from what was bound before
  object->description = description;
  *place = reinterpret_cast<unsigned long long>(object);
}

LW_API cudaError_t __lwBindTexture(size_t *offset, const textureReference *reference, int mode, const void *memory,
                                   const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
  return call(height ? "cudaBindTexture2D" : "cudaBindTexture", [&]() -> cudaError_t {
    REQUIRE_SUCCESS(refuse_on_gpu("texture references"));
    REQUIRE(reference && format && memory, cudaErrorInvalidValue, "an argument is null");
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(reference, &place));
    void *start = const_cast<void *>(memory);
    Texels texels;
    lw_texture description;
    if (height) {
      REQUIRE_SUCCESS(texels_of_memory(start, *format, width, height, pitch, LW_2D, &texels));
    } else {
      lw_allocation found;
      size_t element;
      REQUIRE_SUCCESS(bytes_of_format(*format, &element));
      REQUIRE(lw_memory_find(memory, &found), cudaErrorInvalidValue, "%p is in no memory of the device", memory);
      size_t left = static_cast<size_t>(static_cast<char *>(found.address) + found.bytes - static_cast<char *>(start));
      REQUIRE_SUCCESS(texels_of_memory(start, *format, (width < left ? width : left) / element, 1, 0, LW_1D, &texels));
    }
    REQUIRE_SUCCESS(describe_texture(&description, texels, modes_of(*reference, mode)));
    bind(place, description);
    if (offset)
      *offset = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t __lwBindTextureToArray(const textureReference *reference, int mode, cudaArray_const_t handle) {
  return call("cudaBindTextureToArray", [&]() -> cudaError_t {
    REQUIRE(reference, cudaErrorInvalidTexture, "the reference is null");
    REQUIRE_ARRAY(array, handle);
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(reference, &place));
    Texels texels;
    lw_texture description;
    REQUIRE_SUCCESS(texels_of_array(array, &texels));
    REQUIRE_SUCCESS(describe_texture(&description, texels, modes_of(*reference, mode)));
    bind(place, description);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference, const void *memory,
                                   const cudaChannelFormatDesc *format, size_t bytes) {
  return __lwBindTexture(offset, reference, cudaReadModeElementType, memory, format, bytes, 0, 0);
}

LW_API cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference, const void *memory,
                                     const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
  return __lwBindTexture(offset, reference, cudaReadModeElementType, memory, format, width, height, pitch);
}

LW_API cudaError_t cudaBindTextureToArray(const textureReference *reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc *) {
  return __lwBindTextureToArray(reference, cudaReadModeElementType, array);
}

LW_API cudaError_t cudaUnbindTexture(const textureReference *reference) {
  return CALL({
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(reference, &place));
    REQUIRE_SUCCESS(synchronize_device());
    if (TextureObject *object = objects.find(*place))
      destroy_object(object);
    *place = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol) {
  return CALL({
    REQUIRE_POINTER(reference);
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(symbol, &place));
    *reference = static_cast<const textureReference *>(symbol);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *reference) {
  return CALL({
    REQUIRE_POINTER(offset);
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(reference, &place));
    REQUIRE(*place, cudaErrorInvalidTextureBinding, "nothing is bound to the reference");
    *offset = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference, cudaArray_const_t handle,
                                          const cudaChannelFormatDesc *) {
  return CALL({
    REQUIRE(reference, cudaErrorInvalidSurface, "the reference is null");
    REQUIRE_ARRAY(array, handle);
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(reference, &place));
    Texels texels;
    lw_texture description;
    REQUIRE_SUCCESS(texels_of_array(array, &texels));
    describe(&description, texels, LW_SURFACE_MAGIC, texels.format.x / 8, texels.format.f);
    bind(place, description);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetSurfaceReference(const surfaceReference **reference, const void *symbol) {
  return CALL({
    REQUIRE_POINTER(reference);
    unsigned long long *place;
    REQUIRE_SUCCESS(handle_of_reference(symbol, &place));
    *reference = static_cast<const surfaceReference *>(symbol);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
