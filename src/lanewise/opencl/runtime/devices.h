// SPDX-License-Identifier: Apache-2.0
// Kinds of devices, and those that programs find.
#ifndef LANEWISE_OPENCL_DEVICES_H
#define LANEWISE_OPENCL_DEVICES_H

#include "types.h"

namespace lw_opencl {

// What devices differ in.
struct DeviceKind {
  const char *name; // as LANEWISE_OPENCL_DEVICES has it
  cl_bitfield type;
  bool has_one_thread;
  bool has_own_memory; // a GPU: kernels come by way of PTX, buffers are copied, and the host's pointers mean nothing
  bool has_driver;     // NVIDIA's: the GPU is a real one
  bool has_images;
  cl_bitfield queues; // properties that queues may have
  cl_bitfield svm;
  size_t most_work_items, most_along_z, local_bytes;
  uint64_t most_groups; // along y and z
};

enum : size_t { NUM_KINDS = 4 };
extern Device root_devices[NUM_KINDS]; // all that are no sub-devices
extern const DeviceKind cpu_kind, basic_kind, simt_kind;
extern DeviceKind cuda_kind; // zeros where there is no GPU

inline bool is_root(const Device *device) {
  return device >= root_devices && device < root_devices + NUM_KINDS && device->kind->most_work_items;
}
inline bool is_device(const Device *device) { return is_root(device) || lives(device); }

// The devices that LANEWISE_OPENCL_DEVICES names, in its order; the processor, if it isn't set or names none. What is no
// name of a device, or of one that there isn't, is said on standard error, once.
const List<Device *> &chosen_devices();

// The limit on threads of the host runtime's launches; 0: all.
inline uint32_t thread_limit(const Device *device) {
  return device->kind->has_one_thread ? 1 : device->parent ? device->threads : 0;
}

// Forms of programs that the device runs (enum lw_opencl_form).
inline uint32_t form_for(const Device *device) {
  return device->kind->has_driver ? LW_OPENCL_GPU : device->kind->has_own_memory ? LW_OPENCL_SIMULATED : 0;
}

// Work-items that a group of a kernel has at most on a device.
size_t most_items(const Kernel *kernel, const Device *device);

// True if some device of a context, or of the platform, has it.
bool some_has_images(const List<Device *> &devices);
bool some_has_svm(const List<Device *> &devices);
bool all_have_images(const List<Device *> &devices);

} // namespace lw_opencl

#endif
