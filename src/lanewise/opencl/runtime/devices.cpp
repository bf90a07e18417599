// SPDX-License-Identifier: Apache-2.0
// The devices: the processor; one of its threads, which does work-groups in order; a simulated GPU; a real one.
#include "devices.h"
#include "cuda_device.h"

namespace lw_opencl {

static const cl_bitfield ALL_SVM = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                   CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
enum : size_t { LOCAL_BYTES = 192 << 10, LOCAL_BYTES_OF_GPU = 163 << 10, MOST_WORK_ITEMS_OF_GPU = 1024 };
enum : uint64_t { MOST_GROUPS = INT32_MAX };

const DeviceKind cpu_kind = {"cpu", CL_DEVICE_TYPE_CPU, false, false, false, true,
                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
                             ALL_SVM, MOST_WORK_ITEMS, MOST_WORK_ITEMS, LOCAL_BYTES, MOST_GROUPS};
// Its commands come in the order of its queues, so that each run of a program is the same.
const DeviceKind basic_kind = {"basic", CL_DEVICE_TYPE_CPU, true, false, false, true, CL_QUEUE_PROFILING_ENABLE,
                               ALL_SVM, MOST_WORK_ITEMS, MOST_WORK_ITEMS, LOCAL_BYTES, MOST_GROUPS};
// The limits are those of NVIDIA's A100, as device/gpus.py has them.
const DeviceKind simt_kind = {"simt", CL_DEVICE_TYPE_GPU, false, true, false, false,
                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
                              0, MOST_WORK_ITEMS_OF_GPU, MOST_WORK_ITEMS_OF_GPU, LOCAL_BYTES_OF_GPU, MOST_GROUPS};

Device root_devices[NUM_KINDS] = {
    {{dispatch_table, nullptr, 1, 1}, &cpu_kind, nullptr, 0, {}},
    {{dispatch_table, nullptr, 1, 1}, &basic_kind, nullptr, 0, {}},
    {{dispatch_table, nullptr, 1, 1}, &simt_kind, nullptr, 0, {}},
    {{dispatch_table, nullptr, 1, 1}, &cuda_kind, nullptr, 0, {}},
};

static List<Device *> chosen;

static bool is_name(const char *expected, const char *name, size_t length) {
  return strlen(expected) == length && strncmp(expected, name, length) == 0;
}

static bool is_known(const char *name, size_t length) {
  bool found = false;
  for (const Device &each : root_devices)
    found |= is_root(&each) && is_name(each.kind->name, name, length);
  return found;
}

static void choose() {
  const char *names = getenv("LANEWISE_OPENCL_DEVICES");
  for (const char *at = names ? names : ""; *at;) {
    at += strspn(at, ", ");
    size_t length = strcspn(at, ", ");
    bool is_all = is_name("all", at, length), is_cuda = is_name("cuda", at, length);
    bool has_gpu = (is_all || is_cuda) && open_cuda_device();
    for (Device &each : root_devices)
      if (is_root(&each) && (is_all || is_name(each.kind->name, at, length)) && !chosen.has(&each))
        chosen.add(&each);
    if (is_cuda && !has_gpu)
      fprintf(stderr, "lanewise: there is no device cuda: %s\n", lw_explanation());
    else if (length && !is_all && !is_known(at, length))
      fprintf(stderr,
              "lanewise: LANEWISE_OPENCL_DEVICES: there is no device '%.*s'; there are cpu, basic, simt and cuda\n",
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

bool cover(const List<Device *> &devices, const Device *device) {
  for (const Device *at = device; at; at = at->parent)
    for (const Device *each : devices)
      if (each == at)
        return true;
  return false;
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
