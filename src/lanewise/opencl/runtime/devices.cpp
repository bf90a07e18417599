// SPDX-License-Identifier: Apache-2.0
// The devices: the processor; one of its threads, which does work-groups in order; a simulated GPU.
#include "devices.h"

namespace lw_opencl {

static const cl_bitfield ALL_SVM = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                   CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
enum : size_t { LOCAL_BYTES = 192 << 10, LOCAL_BYTES_OF_GPU = 163 << 10, MOST_WORK_ITEMS_OF_GPU = 1024 };

const DeviceKind cpu_kind = {"cpu", CL_DEVICE_TYPE_CPU, false, false, true,
                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
                             ALL_SVM, MOST_WORK_ITEMS, LOCAL_BYTES};
// Its commands come in the order of its queues, so that each run of a program is the same.
const DeviceKind basic_kind = {"basic", CL_DEVICE_TYPE_CPU, true, false, true, CL_QUEUE_PROFILING_ENABLE,
                               ALL_SVM, MOST_WORK_ITEMS, LOCAL_BYTES};
// The limits are those of NVIDIA's A100, as device/gpus.py has them.
const DeviceKind simt_kind = {"simt", CL_DEVICE_TYPE_GPU, false, true, false,
                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
                              0, MOST_WORK_ITEMS_OF_GPU, LOCAL_BYTES_OF_GPU};

Device root_devices[NUM_KINDS] = {
    {{dispatch_table, nullptr, 1, 1}, &cpu_kind, nullptr, 0, {}},
    {{dispatch_table, nullptr, 1, 1}, &basic_kind, nullptr, 0, {}},
    {{dispatch_table, nullptr, 1, 1}, &simt_kind, nullptr, 0, {}},
};

static List<Device *> chosen;

static Device *device_named(const char *name, size_t length) {
  for (Device &each : root_devices)
    if (strlen(each.kind->name) == length && strncmp(each.kind->name, name, length) == 0)
      return &each;
  return nullptr;
}

static void choose() {
  const char *names = getenv("LANEWISE_OPENCL_DEVICES");
  for (const char *at = names ? names : ""; *at;) {
    at += strspn(at, ", ");
    size_t length = strcspn(at, ", ");
    Device *found = device_named(at, length);
    if (found && !chosen.has(found))
      chosen.add(found);
    if (!found && length)
      fprintf(stderr, "lanewise: LANEWISE_OPENCL_DEVICES: there is no device '%.*s'; there are cpu, basic and simt\n",
              static_cast<int>(length), at);
    at += length;
  }
  if (!chosen.count)
    chosen.add(&root_devices[0]);
}

const List<Device *> &chosen_devices() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose);
  return chosen;
}

bool some_has_images(const List<Device *> &devices) {
  bool found = false;
  for (const Device *each : devices)
    found |= each->kind->has_images;
  return found;
}

bool all_have_images(const List<Device *> &devices) {
  bool found = true;
  for (const Device *each : devices)
    found &= each->kind->has_images;
  return found;
}

bool some_has_svm(const List<Device *> &devices) {
  bool found = false;
  for (const Device *each : devices)
    found |= each->kind->svm != 0;
  return found;
}

} // namespace lw_opencl
