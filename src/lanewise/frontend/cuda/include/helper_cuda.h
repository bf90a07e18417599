// SPDX-License-Identifier: Apache-2.0
// The names that programs take from the CUDA samples' helper_cuda.h: checked calls and device selection.
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include "cuda_runtime.h"
#include "helper_string.h"

#define checkCudaErrors(value) __lw_check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __lw_check(cudaGetLastError(), message, __FILE__, __LINE__)
#define printLastCudaError(message) __lw_check(cudaGetLastError(), message, __FILE__, __LINE__)

template <class Result> void __lw_check(Result result, const char *call, const char *file, int line) {
  if (result) {
    printf("%s:%d: %s failed with code %d\n", file, line, call, static_cast<int>(result));
    exit(1);
  }
}

int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int count, const char **arguments);
bool checkCudaCapabilities(int major, int minor);
int _ConvertSMVer2Cores(int major, int minor);

#endif
