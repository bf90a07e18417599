// SPDX-License-Identifier: Apache-2.0
// The names that programs take from the CUDA samples' helper_cuda.h: checked calls and device selection.
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include "cuda_runtime.h"
#include "helper_string.h"

#define checkCudaErrors(value) __lw_check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __lw_check(cudaGetLastError(), message, __FILE__, __LINE__)
#define printLastCudaError(message) __lw_tell(cudaGetLastError(), message, __FILE__, __LINE__)

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class Result> bool __lw_tell(Result result, const char *call, const char *file, int line) {
  int code = static_cast<int>(result);
  if (code)
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, code,
            cudaGetErrorName(static_cast<cudaError_t>(code)), call);
  return code != 0;
}
template <class Result> void __lw_check(Result result, const char *call, const char *file, int line) {
  if (__lw_tell(result, call, file, line))
    exit(EXIT_FAILURE);
}

// CUDA cores of a multiprocessor, by compute capability (CUDA C++ Programming Guide, "Arithmetic Instructions").
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (10 * major + minor) {
  case 60: case 70: case 72: case 75: case 80:
    return 64;
  default:
    return 128;
  }
}
inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
  case 5: return "Maxwell";
  case 6: return "Pascal";
  case 7: return minor == 5 ? "Turing" : "Volta";
  case 8: return minor == 9 ? "Ada" : "Ampere";
  case 9: return "Hopper";
  default: return "Blackwell";
  }
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0 || device >= count) {
    fprintf(stderr, "there is no CUDA device %d\n", device);
    exit(EXIT_FAILURE);
  }
  checkCudaErrors(cudaSetDevice(device < 0 ? 0 : device));
  return device < 0 ? 0 : device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }

inline int findCudaDevice(int count, const char **arguments) {
  int device = gpuDeviceInit(checkCmdLineFlag(count, arguments, "device")
                                 ? getCmdLineArgumentInt(count, arguments, "device")
                                 : gpuGetMaxGflopsDeviceId());
  int major = 0, minor = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor), major,
         minor);
  return device;
}
inline int findIntegratedGPU() { return -1; }

inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0, own_major = 0, own_minor = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&own_major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&own_minor, cudaDevAttrComputeCapabilityMinor, device));
  return own_major > major || (own_major == major && own_minor >= minor);
}

#endif
