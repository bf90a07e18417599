// SPDX-License-Identifier: Apache-2.0
// lanewise run driver_by_name.cu opened
// Functions of the driver API by their names: of libcuda.so.1 that the program opens, and of the entry points' functions.
#include "check.h"
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>

typedef CUresult (*Init)(unsigned int);
typedef CUresult (*Create)(CUcontext *, unsigned int, CUdevice);
typedef CUresult (*CreateWithParameters)(CUcontext *, CUexecAffinityParam *, int, unsigned int, CUdevice);
typedef CUresult (*Allocate)(CUdeviceptr *, size_t);
typedef CUresult (*CopyToDevice)(CUdeviceptr, const void *, size_t);
typedef CUresult (*Find)(const char *, void **, int, uint64_t, CUdriverProcAddressQueryResult *);
typedef CUresult (*OlderFind)(const char *, void **, int, uint64_t);

static Find find;

template <class Function> static Function function(const char *name, int version = CUDA_VERSION) {
  void *found = nullptr;
  CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  CHECK(find(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &result) == CUDA_SUCCESS);
  CHECK(found && result == CU_GET_PROC_ADDRESS_SUCCESS);
  return (Function)found;
}

static void driver_that_is_opened() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(driver);
  find = (Find)dlsym(driver, "cuGetProcAddress_v2");
  CHECK(find);
  Allocate allocate = (Allocate)dlsym(driver, "cuMemAlloc_v2");
  CUdeviceptr memory;
  CHECK(allocate && allocate(&memory, 4) == CUDA_ERROR_NOT_INITIALIZED);
  OlderFind older = (OlderFind)dlsym(driver, "cuGetProcAddress");
  void *found;
  CHECK(older("cuMemAlloc", &found, 3020, 0) == CUDA_SUCCESS && found == function<void *>("cuMemAlloc"));
  CHECK(older("cuNothing", &found, 3020, 0) == CUDA_ERROR_NOT_FOUND);
}

static void functions_by_name() {
  CUcontext context, second;
  CUdeviceptr memory;
  int five = 5, result = 0;
  CHECK(function<Init>("cuInit", 2000)(0) == CUDA_SUCCESS);
  CHECK(function<Create>("cuCtxCreate", 3020)(&context, 0, 0) == CUDA_SUCCESS);
  CHECK(function<CreateWithParameters>("cuCtxCreate", 11040)(&second, nullptr, 0, 0, 0) == CUDA_SUCCESS);
  CHECK(function<CreateWithParameters>("cuCtxCreate")(&second, nullptr, 1, 0, 0) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(function<Allocate>("cuMemAlloc", 3020)(&memory, sizeof five) == CUDA_SUCCESS);
  CHECK(function<CopyToDevice>("cuMemcpyHtoD")(memory, &five, sizeof five) == CUDA_SUCCESS);
  OK(cudaMemcpy(&result, (void *)memory, sizeof result, cudaMemcpyDeviceToHost)); // the runtime's device is the same
  CHECK(result == 5);
  CHECK(function<Find>("cuGetProcAddress") == function<Find>("cuGetProcAddress", 12000));
  CHECK((void *)function<OlderFind>("cuGetProcAddress", 11030) != (void *)function<Find>("cuGetProcAddress"));
}

static void what_there_is_not() {
  void *found = &found;
  CUdriverProcAddressQueryResult result;
  CHECK(find("cuNothing", &found, CUDA_VERSION, 0, &result) == CUDA_SUCCESS);
  CHECK(!found && result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(function<CUresult (*)()>("cuTexRefCreate")() == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(find("cuMemAlloc", &found, 2000, 0, &result) == CUDA_SUCCESS);
  CHECK(!found && result == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK(find("cuMemAlloc", &found, CUDA_VERSION + 10, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(find("cuMemAlloc", &found, CUDA_VERSION, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr) ==
        CUDA_ERROR_NOT_SUPPORTED);
}

static void functions_of_the_runtime() {
  void *found;
  cudaDriverEntryPointQueryResult result;
  OK(cudaGetDriverEntryPoint("cuMemAlloc", &found, cudaEnableDefault, &result));
  CHECK(found && result == cudaDriverEntryPointSuccess);
  OK(cudaGetDriverEntryPoint("cuNothing", &found, cudaEnableDefault));
  CHECK(!found);
  OK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 2000, cudaEnableDefault, &result));
  CHECK(!found && result == cudaDriverEntryPointVersionNotSufficent);
}

int main(int argc, char **argv) {
  find = cuGetProcAddress;
  if (argc > 1 && strcmp(argv[1], "opened") == 0)
    driver_that_is_opened();
  functions_by_name();
  what_there_is_not();
  functions_of_the_runtime();
  puts("ok");
}
