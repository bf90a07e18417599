// SPDX-License-Identifier: Apache-2.0
// Sub-devices: a number of the processor's threads. Any thread may be one of them; so they are no domain of affinity.
#include "devices.h"

namespace lw_opencl {

void use_device(Device *device) {
  if (device->parent)
    use(device);
}

void drop_device(Device *device) {
  if (device->parent)
    drop(device);
}

void Device::finish() {
  partition.release();
  drop_device(parent);
}

cl_uint threads_of(const Device *device) {
  bool has_own = device->parent || device->kind->has_driver;
  return device->kind->has_one_thread ? 1 : has_own ? device->threads : lw_num_threads();
}

// Whether it can be partitioned: GPUs can't.
static bool has_parts(const Device *device) { return threads_of(device) > 1 && !device->kind->has_own_memory; }

cl_int partition_info(const Device *device, cl_enum what, const Answer &answer, bool &is_known) {
  cl_uint threads = threads_of(device);
  switch (what) {
  case CL_DEVICE_TYPE:
    return answer.value(device->kind->type); // without the bit of the default: programs compare it
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return answer.value(threads);
  case CL_DEVICE_PARENT_DEVICE:
    return answer.value(device->parent);
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    return answer.value<cl_uint>(has_parts(device) ? threads : 0);
  case CL_DEVICE_PARTITION_PROPERTIES: {
    cl_properties known[] = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS}, none = 0;
    return has_parts(device) ? answer.value(known) : answer.value(none);
  }
  case CL_DEVICE_PARTITION_TYPE:
    return device->partition.count
               ? answer.bytes(device->partition.items, device->partition.count * sizeof(cl_properties))
               : answer.value<cl_properties>(0);
  case CL_DEVICE_REFERENCE_COUNT:
    return answer.value(references_of(device));
  default:
    is_known = false;
    return CL_SUCCESS;
  }
}

// ---- Partitions ----------------------------------------------------------------------------------------------

static cl_int split_equally(cl_uint threads, cl_properties part, List<cl_uint> &parts) {
  REQUIRE(part > 0, CL_INVALID_VALUE, "sub-devices of %lld threads", static_cast<long long>(part));
  REQUIRE(part <= threads, CL_INVALID_DEVICE_PARTITION_COUNT, "sub-devices have more than the device's %u threads",
          threads);
  REQUIRE(part < threads, CL_DEVICE_PARTITION_FAILED, "a part has fewer threads than the device's %u", threads);
  for (cl_uint left = threads; left >= part; left -= static_cast<cl_uint>(part))
    REQUIRE(parts.add(static_cast<cl_uint>(part)), CL_OUT_OF_HOST_MEMORY, "no memory for sub-devices");
  return CL_SUCCESS;
}

static cl_int split_by_counts(cl_uint threads, const cl_properties *counts, List<cl_uint> &parts) {
  cl_uint left = threads;
  for (; *counts; ++counts) {
    REQUIRE(*counts > 0 && *counts <= left, CL_INVALID_DEVICE_PARTITION_COUNT,
            "sub-devices have more than the device's %u threads", threads);
    REQUIRE(parts.add(static_cast<cl_uint>(*counts)), CL_OUT_OF_HOST_MEMORY, "no memory for sub-devices");
    left -= static_cast<cl_uint>(*counts);
  }
  REQUIRE(parts.count, CL_INVALID_VALUE, "no sub-devices are asked for");
  return CL_SUCCESS;
}

// The threads of each sub-device, and how many properties there are, the 0 at the end included.
static cl_int read_partition(const Device *device, const cl_properties *properties, List<cl_uint> &parts,
                             size_t &length) {
  REQUIRE(properties && *properties, CL_INVALID_VALUE, "no way of partition");
  bool equally = properties[0] == CL_DEVICE_PARTITION_EQUALLY, by_counts = properties[0] == CL_DEVICE_PARTITION_BY_COUNTS;
  REQUIRE(equally || by_counts, CL_INVALID_VALUE, "0x%llx is no way of partition that the device supports",
          static_cast<unsigned long long>(properties[0]));
  cl_uint threads = threads_of(device);
  REQUIRE(has_parts(device), CL_DEVICE_PARTITION_FAILED, "the device has one thread, or is a GPU");
  if (equally) {
    length = 3;
    REQUIRE_SUCCESS(split_equally(threads, properties[1], parts));
    REQUIRE(!properties[2], CL_INVALID_VALUE, "a device is partitioned in one way");
    return CL_SUCCESS;
  }
  REQUIRE_SUCCESS(split_by_counts(threads, properties + 1, parts));
  length = parts.count + 3; // the list of counts ends with 0, too
  return CL_SUCCESS;
}

static cl_int create_sub_device(Device *parent, cl_uint threads, const cl_properties *properties, size_t length,
                                Device *&made) {
  List<cl_properties> partition = {};
  for (size_t i = 0; i < length; ++i)
    if (!partition.add(i + 1 < length ? properties[i] : 0)) {
      partition.release();
      return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a sub-device");
    }
  made = created<Device>();
  if (!made) {
    partition.release();
    return fail(CL_OUT_OF_HOST_MEMORY, "too many sub-devices");
  }
  use_device(parent);
  made->kind = parent->kind;
  made->parent = parent;
  made->threads = threads;
  made->partition = partition;
  return CL_SUCCESS;
}

static cl_int create_sub_devices(Device *parent, const List<cl_uint> &parts, const cl_properties *properties,
                                 size_t length, cl_uint room, cl_device_id *devices, cl_uint *count) {
  REQUIRE(devices || count, CL_INVALID_VALUE, "nothing is asked for");
  REQUIRE(!devices || room >= parts.count, CL_INVALID_VALUE, "room for %u sub-devices of %zu", room, parts.count);
  cl_int result = CL_SUCCESS;
  for (size_t i = 0; devices && result == CL_SUCCESS && i < parts.count; ++i) {
    result = create_sub_device(parent, parts[i], properties, length, devices[i]);
    for (size_t made = 0; result != CL_SUCCESS && made < i; ++made)
      release(devices[made], CL_INVALID_DEVICE);
  }
  if (count && result == CL_SUCCESS)
    *count = static_cast<cl_uint>(parts.count);
  return result;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clCreateSubDevices(cl_device_id device, const cl_properties *properties, cl_uint room,
                                cl_device_id *devices, cl_uint *count) {
  REQUIRE(is_device(device), CL_INVALID_DEVICE, "%p is no device", static_cast<const void *>(device));
  List<cl_uint> parts = {};
  size_t length = 0;
  cl_int result = read_partition(device, properties, parts, length);
  if (result == CL_SUCCESS)
    result = create_sub_devices(device, parts, properties, length, room, devices, count);
  parts.release();
  return result;
}

LW_CL cl_int clRetainDevice(cl_device_id device) {
  return is_root(device) ? CL_SUCCESS : retain(device, CL_INVALID_DEVICE);
}
LW_CL cl_int clReleaseDevice(cl_device_id device) {
  return is_root(device) ? CL_SUCCESS : release(device, CL_INVALID_DEVICE);
}
