// SPDX-License-Identifier: Apache-2.0
// The platform and its devices: what they are asked.
#include "cuda_device.h"
#include "devices.h"
#include "extension_names.h"
#include "extensions.h"
#include "images.h"
#include "mutable_commands.h"
#include "objects.h"
#include "processor.h"
#include "unified_memory.h"

#include <stdarg.h>
#include <sys/sysinfo.h>
#include <unistd.h>

namespace lw_opencl {

Platform the_platform = {dispatch_table};
void *loader_data;

static const char VERSION[] = "OpenCL 3.0 Lanewise " LW_VERSION;
// What all devices have.
static const char *extensions_of_platform() { return EXTENSIONS[all_have_images(chosen_devices())]; }

cl_int fail(cl_int code, const char *format, ...) {
  static const bool is_wanted = getenv("LANEWISE_LOG") != nullptr;
  if (is_wanted) {
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "lanewise: OpenCL error %d: %s\n", code, text);
  }
  return code;
}

// SPIR-V of each version that is taken.
static cl_int intermediate_languages(const Answer &answer) {
  static const cl_uint COUNT = 7;
  cl_name_version rows[COUNT] = {};
  for (cl_uint i = 0; i < COUNT; ++i) {
    rows[i].version = LW_OPENCL_1_0 | i << 12; // 10 bits of the major number, 10 of the minor one, 12 of the patch
    strcpy(rows[i].name, "SPIR-V");
  }
  return answer.bytes(rows, sizeof rows);
}

static cl_int platform_info(cl_enum what, const Answer &answer) {
  switch (what) {
  case CL_PLATFORM_PROFILE:
    return answer.text("FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return answer.text(VERSION);
  case CL_PLATFORM_NUMERIC_VERSION:
    return answer.value<cl_uint>(LW_OPENCL_3_0);
  case CL_PLATFORM_NAME:
  case CL_PLATFORM_VENDOR:
    return answer.text("Lanewise");
  case CL_PLATFORM_EXTENSIONS:
    return answer.text(extensions_of_platform());
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return extensions_with_versions(extensions_of_platform(), answer);
  case CL_PLATFORM_HOST_TIMER_RESOLUTION:
    return answer.value<cl_ulong>(1);
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return answer.text("LANEWISE");
  default:
    return fail(CL_INVALID_VALUE, "platforms have no property 0x%x", what);
  }
}

static cl_int device_name(const Device *device, const Answer &answer) {
  char name[256];
  const char *processor = device->kind->has_own_memory ? "simulated NVIDIA A100" : processor_name();
  snprintf(name, sizeof name, "lanewise-%s%s%s", device->kind->name, processor[0] ? ": " : "", processor);
  return answer.text(name);
}

struct Uuid {
  unsigned char bytes[16];
};

// A name-based one, of the version of the platform, of what tells machines apart, a file, and of a device.
static Uuid uuid_of(const char *path, const char *device) {
  uint64_t hash[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4}; // FNV-1a, twice
  char text[256];
  size_t length = static_cast<size_t>(snprintf(text, sizeof text, "Lanewise " LW_VERSION " %s ", device));
  FILE *file = path ? fopen(path, "re") : nullptr;
  if (file) {
    length += fread(text + length, 1, sizeof text - length, file);
    fclose(file);
  }
  for (size_t i = 0; i < length; ++i)
    for (uint64_t &each : hash)
      each = (each ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
  Uuid made;
  memcpy(made.bytes, hash, sizeof made.bytes);
  made.bytes[6] = static_cast<unsigned char>((made.bytes[6] & 0x0F) | 0x80); // version 8: of the maker's own
  made.bytes[8] = static_cast<unsigned char>((made.bytes[8] & 0x3F) | 0x80);
  return made;
}

static cl_ulong memory_bytes() {
  return static_cast<cl_ulong>(sysconf(_SC_PHYS_PAGES)) * static_cast<cl_ulong>(sysconf(_SC_PAGESIZE));
}

// A buffer of any device has a place in the host's memory.
uint64_t most_bytes_of_buffer(const Device *device) {
  uint64_t most = memory_bytes() / 2;
  return device->kind->has_driver && bytes_of_cuda_device() < most ? bytes_of_cuda_device() : most;
}

static cl_ulong cache_bytes() {
  long last = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return last > 0 ? static_cast<cl_ulong>(last) : 1 << 20;
}

enum : cl_bitfield {
  FLOATS = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA,
  DOUBLES = FLOATS | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF,
  ATOMICS = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
            CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
  FLOAT_ATOMICS = CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
                  CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
                  CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT,
};

static const cl_uint A100_MHZ = 1410;

struct Number {
  cl_enum what;
  uint64_t value;
  size_t bytes;
};
#define UINT(what, value) {what, value, sizeof(cl_uint)}
#define ULONG(what, value) {what, value, sizeof(cl_ulong)}
#define SIZE(what, value) {what, value, sizeof(size_t)}

// Properties that are one number, the same on each machine.
static const Number NUMBERS[] = {
    UINT(CL_DEVICE_VENDOR_ID, 0x10006),
    UINT(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, LW_CXX_1_0),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    // Lanes are found across work-items: kernels need no vectors.
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 1),
    UINT(CL_DEVICE_ADDRESS_BITS, 64),
    UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS, MOST_IMAGE_ARGUMENTS),
    UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, MOST_IMAGE_ARGUMENTS),
    UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, MOST_IMAGE_ARGUMENTS),
    SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH, MOST_IMAGE_EXTENT),
    SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, MOST_IMAGE_EXTENT),
    SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH, MOST_EXTENT_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, MOST_EXTENT_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH, MOST_EXTENT_3D),
    SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, MOST_BUFFER_TEXELS),
    SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, MOST_LAYERS),
    UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 1),
    UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 1),
    UINT(CL_DEVICE_IMAGE_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_MAX_SAMPLERS, MOST_SAMPLERS),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, 4096),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 128 * 8),
    UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128),
    ULONG(CL_DEVICE_SINGLE_FP_CONFIG, FLOATS),
    ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, DOUBLES),
    ULONG(CL_DEVICE_HALF_FP_CONFIG, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST),
    ULONG(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, FLOAT_ATOMICS),
    ULONG(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, FLOAT_ATOMICS),
    ULONG(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, 0),
    ULONG(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 64),
    UINT(CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL_MEMORY),
    UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1),
    UINT(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE),
    UINT(CL_DEVICE_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    ULONG(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 0),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 0),
    UINT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, 0),
    UINT(CL_DEVICE_MAX_ON_DEVICE_EVENTS, 0),
    ULONG(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0),
    UINT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),
    SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20),
    SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 64 << 20),
    SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 64 << 20),
    UINT(CL_DEVICE_LUID_VALID_KHR, CL_FALSE),
    UINT(CL_DEVICE_NODE_MASK_KHR, 0),
    ULONG(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
          CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
    ULONG(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0),
    ULONG(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, ALL_DISPATCH_FIELDS),
    UINT(CL_DEVICE_MAX_PIPE_ARGS, 0),
    UINT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 0),
    UINT(CL_DEVICE_PIPE_MAX_PACKET_SIZE, 0),
    UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_TRUE),
    UINT(CL_DEVICE_NUMERIC_VERSION, LW_OPENCL_3_0),
    ULONG(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, ATOMICS),
    ULONG(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, ATOMICS | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
    UINT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE),
    SIZE(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 64),
    UINT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE),
    ULONG(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0),
    UINT(CL_DEVICE_PIPE_SUPPORT, CL_FALSE),
};

// Limits on images, which are 0 where there are none.
static bool is_of_images(cl_enum what) {
  switch (what) {
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
  case CL_DEVICE_IMAGE2D_MAX_WIDTH:
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_DEPTH:
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
  case CL_DEVICE_IMAGE_SUPPORT:
  case CL_DEVICE_MAX_SAMPLERS:
    return true;
  default:
    return false;
  }
}

// Properties in which kinds of devices differ; `is_known`: whether it is one of them.
static cl_int kind_info(const DeviceKind &kind, cl_enum what, const Answer &answer, bool &is_known) {
  switch (what) {
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return answer.value(kind.most_work_items);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    size_t sizes[3] = {kind.most_work_items, kind.most_work_items, kind.most_work_items};
    return answer.value(sizes);
  }
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return answer.value<cl_ulong>(kind.local_bytes);
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    return answer.value<cl_bitfield>(CL_EXEC_KERNEL | (kind.has_own_memory ? 0 : CL_EXEC_NATIVE_KERNEL));
  case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
    return answer.value(kind.queues);
  case CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR:
    return answer.value(kind.queues);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return answer.value<cl_bool>(!kind.has_own_memory);
  case CL_DEVICE_SVM_CAPABILITIES:
    return answer.value(kind.svm);
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    return answer.value<cl_bitfield>(kind.svm ? LW_ALL_UNIFIED_ACCESS : 0);
  case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    return answer.value(static_cast<cl_uint>(kind.most_work_items / USUAL_SUB_GROUP_SIZE));
  default:
    is_known = false;
    return CL_SUCCESS;
  }
}

static cl_int device_info(const Device *device, cl_enum what, const Answer &answer) {
  bool is_known = true;
  cl_int result = partition_info(device, what, answer, is_known);
  if (is_known)
    return result;
  is_known = device->kind->has_driver;
  result = is_known ? cuda_device_info(what, answer, is_known) : CL_SUCCESS;
  if (is_known)
    return result;
  is_known = true;
  result = kind_info(*device->kind, what, answer, is_known);
  if (is_known)
    return result;
  static const uint64_t nothing = 0;
  for (const Number &each : NUMBERS)
    if (each.what == what)
      return answer.bytes(device->kind->has_images || !is_of_images(what) ? &each.value : &nothing, each.bytes); // little-endian
  switch (what) {
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return answer.value(device->kind->has_own_memory ? A100_MHZ : processor_mhz());
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return answer.value(memory_bytes());
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return answer.value<cl_ulong>(most_bytes_of_buffer(device));
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return answer.value(cache_bytes());
  case CL_DEVICE_NAME:
    return device_name(device, answer);
  case CL_DEVICE_VENDOR:
    return answer.text("Lanewise");
  case CL_DRIVER_VERSION:
    return answer.text(LW_VERSION);
  case CL_DEVICE_PROFILE:
    return answer.text("FULL_PROFILE");
  case CL_DEVICE_VERSION:
    return answer.text(VERSION);
  case CL_DEVICE_OPENCL_C_VERSION:
    return answer.text("OpenCL C 1.2 Lanewise");
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS: {
    cl_name_version versions[] = {{LW_OPENCL_1_0, "OpenCL C"},
                                  {LW_OPENCL_1_1, "OpenCL C"},
                                  {LW_OPENCL_1_2, "OpenCL C"},
                                  {LW_OPENCL_3_0, "OpenCL C"}};
    return answer.value(versions);
  }
  case CL_DEVICE_OPENCL_C_FEATURES:
    return features_with_versions(FEATURES[device->kind->has_images], answer);
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL: {
    size_t sizes[] = {8, 16, USUAL_SUB_GROUP_SIZE, 64};
    bool is_ptx = device->kind->has_own_memory; // which has warps of 32 at most
    return answer.bytes(sizes, is_ptx ? sizeof sizes - sizeof *sizes : sizeof sizes);
  }
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
    return answer.value(cl_device_integer_dot_product_acceleration_properties_khr()); // compiled as other arithmetic
  case CL_DEVICE_UUID_KHR:
    return answer.value(uuid_of("/etc/machine-id", device->kind->name));
  case CL_DRIVER_UUID_KHR:
    return answer.value(uuid_of(nullptr, ""));
  case CL_DEVICE_LUID_KHR:
    return answer.value<cl_ulong>(0); // there is none: CL_DEVICE_LUID_VALID_KHR
  case CL_DEVICE_EXTENSIONS:
    return answer.text(EXTENSIONS[device->kind->has_images]);
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return extensions_with_versions(EXTENSIONS[device->kind->has_images], answer);
  case CL_DEVICE_PLATFORM:
    return answer.value<cl_platform_id>(&the_platform);
  case CL_DEVICE_BUILT_IN_KERNELS:
    return answer.text("");
  case CL_DEVICE_IL_VERSION:
    return answer.text("SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6");
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
    return answer.text("v0000-01-01-00"); // none, in the form that programs read
  case CL_DEVICE_ILS_WITH_VERSION:
    return intermediate_languages(answer);
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    return answer.nothing();
  default:
    return fail(CL_INVALID_VALUE, "devices have no property 0x%x", what);
  }
}

static cl_int require_device(cl_device_id device) {
  REQUIRE(is_device(device), CL_INVALID_DEVICE, "%p is no device", static_cast<const void *>(device));
  return CL_SUCCESS;
}

static const cl_bitfield KINDS = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;

cl_int devices_of_type(cl_bitfield type, cl_uint room, cl_device_id *devices, cl_uint *count) {
  REQUIRE(type == CL_DEVICE_TYPE_ALL || (type && !(type & ~KINDS)), CL_INVALID_DEVICE_TYPE,
          "0x%llx is no type of device", static_cast<unsigned long long>(type));
  REQUIRE(!devices || room, CL_INVALID_VALUE, "no room for devices");
  REQUIRE(devices || count, CL_INVALID_VALUE, "nothing is asked for");
  cl_uint found = 0;
  const List<Device *> &chosen = chosen_devices();
  for (Device *each : chosen) {
    cl_bitfield own = each->kind->type | (each == chosen[0] ? CL_DEVICE_TYPE_DEFAULT : 0);
    if (type != CL_DEVICE_TYPE_ALL && !(type & own))
      continue;
    if (devices && found < room)
      devices[found] = each;
    ++found;
  }
  if (count)
    *count = found;
  REQUIRE(found, CL_DEVICE_NOT_FOUND, "no such device");
  return CL_SUCCESS;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  REQUIRE(!platforms || room, CL_INVALID_VALUE, "no room for platforms");
  REQUIRE(platforms || count, CL_INVALID_VALUE, "nothing is asked for");
  if (platforms)
    platforms[0] = &the_platform;
  if (count)
    *count = 1;
  return CL_SUCCESS;
}

LW_CL cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  return clGetPlatformIDs(room, platforms, count);
}

LW_CL cl_int clGetPlatformInfo(cl_platform_id platform, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE(!platform || platform == &the_platform, CL_INVALID_PLATFORM, "%p is no platform",
          static_cast<const void *>(platform));
  return platform_info(what, {room, place, size});
}

LW_CL cl_int clGetDeviceIDs(cl_platform_id platform, cl_bitfield type, cl_uint room, cl_device_id *devices,
                            cl_uint *count) {
  REQUIRE(!platform || platform == &the_platform, CL_INVALID_PLATFORM, "%p is no platform",
          static_cast<const void *>(platform));
  return devices_of_type(type, room, devices, count);
}

LW_CL cl_int clGetDeviceInfo(cl_device_id device, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_device(device));
  return device_info(device, what, {room, place, size});
}

LW_CL cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time) {
  REQUIRE_SUCCESS(require_device(device));
  REQUIRE(device_time && host_time, CL_INVALID_VALUE, "no place for a time");
  *device_time = *host_time = now_ns();
  return CL_SUCCESS;
}

LW_CL cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_time) {
  REQUIRE_SUCCESS(require_device(device));
  REQUIRE(host_time, CL_INVALID_VALUE, "no place for a time");
  *host_time = now_ns();
  return CL_SUCCESS;
}

LW_CL cl_int clUnloadCompiler() { return CL_SUCCESS; }
LW_CL cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  REQUIRE(platform == &the_platform, CL_INVALID_PLATFORM, "%p is no platform", static_cast<const void *>(platform));
  return CL_SUCCESS;
}
