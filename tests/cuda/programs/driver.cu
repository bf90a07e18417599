// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc driver.cu -lcuda -o driver && ./driver
// The driver API: devices, contexts, memory, errors, and modules of PTX.
#include "check.h"
#include <cstring>
#include <cuda.h>

#define GIVES(code, call)                                                                                        \
  do {                                                                                                           \
    CUresult result_ = (call);                                                                                   \
    const char *name = "?";                                                                                      \
    cuGetErrorName(result_, &name);                                                                              \
    if (result_ != (code)) {                                                                                     \
      printf("%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, name, #code);                                  \
      exit(1);                                                                                                   \
    }                                                                                                            \
  } while (0)
#define DRIVER_OK(call) GIVES(CUDA_SUCCESS, call)

static const char *const PTX = R"(.version 7.5
.target sm_80
.address_size 64
.visible .global .u32 scale = 3;
.visible .entry fill(.param .u64 out, .param .u32 n) {
  .reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .pred %p;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r2, %r3, %r4, %r2;
  setp.ge.u32 %p, %r2, %r1; @%p bra DONE;
  ld.global.u32 %r5, [scale]; mul.lo.u32 %r5, %r5, %r2;
  mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r5;
DONE:
  ret;
}
.visible .entry nothing() { ret; }
)";

static void devices_and_contexts() {
  int count, value, major, minor;
  CUdevice device;
  CUcontext context, found;
  size_t free_bytes, total, of_device;
  char name[64];
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  DRIVER_OK(cuInit(0));
  DRIVER_OK(cuDeviceGetCount(&count));
  CHECK(count == 1);
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  DRIVER_OK(cuDeviceGet(&device, 0));
  DRIVER_OK(cuDeviceGetName(name, sizeof name, device));
  CHECK(strlen(name) > 3);
  DRIVER_OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(value == 32);
  DRIVER_OK(cuDeviceComputeCapability(&major, &minor, device));
  CHECK(major == 8);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemGetInfo(&free_bytes, &total));
  DRIVER_OK(cuCtxCreate(&context, 0, device));
  DRIVER_OK(cuCtxGetCurrent(&found));
  CHECK(found == context);
  DRIVER_OK(cuMemGetInfo(&free_bytes, &total));
  DRIVER_OK(cuDeviceTotalMem(&of_device, device));
  CHECK(free_bytes <= total && total == of_device);
}

static void modules() {
  CUmodule module, second;
  CUfunction fill, nothing;
  CUdeviceptr out, scale;
  size_t bytes;
  int n = 100, host[128], four = 4, threads;
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "nowhere.ptx"));
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, "no PTX"));
  GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, "\177ELF and more"));
  DRIVER_OK(cuModuleLoadData(&module, PTX));
  DRIVER_OK(cuModuleLoadDataEx(&second, PTX, 0, nullptr, nullptr));
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&fill, module, "fills"));
  DRIVER_OK(cuModuleGetFunction(&fill, module, "fill"));
  DRIVER_OK(cuModuleGetFunction(&nothing, second, "nothing"));
  DRIVER_OK(cuModuleGetGlobal(&scale, &bytes, second, "scale"));
  CHECK(bytes == 4);
  DRIVER_OK(cuMemsetD32(scale, 7, 1)); // that of the other module
  CUlinkState linker;
  CUmodule linked;
  void *image;
  DRIVER_OK(cuLinkCreate(0, nullptr, nullptr, &linker));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(linker, &image, &bytes));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuLinkAddData(linker, CU_JIT_INPUT_CUBIN, (void *)PTX, 8, "a", 0, nullptr, nullptr));
  DRIVER_OK(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void *)PTX, strlen(PTX), "a", 0, nullptr, nullptr));
  DRIVER_OK(cuLinkComplete(linker, &image, &bytes));
  CHECK(bytes == strlen((char *)image) + 1);
  DRIVER_OK(cuModuleLoadData(&linked, image));
  DRIVER_OK(cuLinkDestroy(linker));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLinkDestroy(linker));
  int least, best;
  DRIVER_OK(cuOccupancyMaxPotentialBlockSize(&least, &best, fill, nullptr, 0, 100));
  CHECK(least > 0 && best > 0 && best <= 100);
  DRIVER_OK(cuModuleUnload(linked));
  DRIVER_OK(cuMemAlloc(&out, sizeof host));
  DRIVER_OK(cuMemsetD32(out, 1, 128));
  void *arguments[] = {&out, &n};
  DRIVER_OK(cuLaunchKernel(fill, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER_OK(cuLaunchKernel(nothing, 4, 1, 1, 33, 1, 1, 0, nullptr, nullptr, nullptr));
  DRIVER_OK(cuCtxSynchronize());
  DRIVER_OK(cuMemcpyDtoH(host, out, sizeof host));
  for (int i = 0; i < 128; i++)
    CHECK(host[i] == (i < n ? 3 * i : 1));
  DRIVER_OK(cuModuleGetGlobal(&scale, nullptr, module, "scale"));
  DRIVER_OK(cuMemcpyHtoD(scale, &four, 4));
  struct {
    CUdeviceptr out;
    int n;
  } packed = {out, 128};
  size_t size = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  DRIVER_OK(cuLaunchKernel(fill, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  DRIVER_OK(cuMemcpyDtoH(host, out, sizeof host));
  for (int i = 0; i < 128; i++)
    CHECK(host[i] == 4 * i);
  int five = 5;
  DRIVER_OK(cuMemcpyHtoD(scale, &five, 4));
  DRIVER_OK(cuParamSetv(fill, 0, &out, sizeof out));
  DRIVER_OK(cuParamSeti(fill, sizeof out, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSeti(fill, 4094, 64));
  DRIVER_OK(cuParamSetSize(fill, sizeof out + sizeof n));
  DRIVER_OK(cuFuncSetBlockShape(fill, 32, 1, 1));
  DRIVER_OK(cuLaunchGrid(fill, 4, 1));
  DRIVER_OK(cuMemcpyDtoH(host, out, sizeof host));
  for (int i = 0; i < 128; i++)
    CHECK(host[i] == (i < 64 ? 5 : 4) * i);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER_OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill));
  CHECK(threads == 1024);
  DRIVER_OK(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(out + 4));
  DRIVER_OK(cuMemFree(out));
}

static void modules_that_are_linked() {
  static const char *const CALLER = R"(.version 7.5
.target sm_80
.address_size 64
.extern .func (.param .b32 r) twice(.param .b32 x);
.global .u32 own = 1;
.visible .entry fill(.param .u64 out) {
  .reg .b64 %rd; .reg .b32 %r<3>;
  ld.param.u64 %rd, [out];
  ld.global.u32 %r1, [own];
  { .param .b32 x; .param .b32 r; st.param.b32 [x], %r1; call (r), twice, (x); ld.param.b32 %r2, [r]; }
  st.global.u32 [%rd], %r2;
  ret;
}
)";
  static const char *const CALLEE = R"(.version 7.5
.target sm_80
.address_size 64
.global .u32 own = 20;
.visible .func (.param .b32 r) twice(.param .b32 x) {
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [x]; ld.global.u32 %r2, [own]; add.u32 %r1, %r1, %r2; add.u32 %r3, %r1, %r1;
  st.param.b32 [r], %r3;
  ret;
}
)";
  CUlinkState linker;
  CUmodule module;
  CUfunction fill;
  CUdeviceptr out;
  void *image;
  int result;
  char errors[200], information[20] = "nothing was told";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME};
  void *values[] = {errors, (void *)sizeof errors, information, (void *)sizeof information, nullptr};
  DRIVER_OK(cuLinkCreate(5, options, values, &linker));
  DRIVER_OK(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void *)CALLER, strlen(CALLER) + 1, "caller", 0, 0, 0));
  DRIVER_OK(cuLinkComplete(linker, &image, nullptr));
  CHECK(information[0] == 0 && values[3] == nullptr && values[4] != nullptr);
  values[1] = (void *)sizeof errors;
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, image, 2, options, values));
  CHECK(strstr(errors, "caller:") && strstr(errors, "twice") && values[1] == (void *)strlen(errors));
  DRIVER_OK(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void *)CALLEE, strlen(CALLEE), nullptr, 0, 0, 0));
  DRIVER_OK(cuLinkComplete(linker, &image, nullptr));
  DRIVER_OK(cuModuleLoadData(&module, image));
  DRIVER_OK(cuLinkDestroy(linker));
  DRIVER_OK(cuModuleGetFunction(&fill, module, "fill"));
  DRIVER_OK(cuMemAlloc(&out, sizeof result));
  void *arguments[] = {&out};
  DRIVER_OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER_OK(cuMemcpyDtoH(&result, out, sizeof result));
  CHECK(result == 42);
  DRIVER_OK(cuMemFree(out));
  DRIVER_OK(cuModuleUnload(module));
}

static void called(CUstream, CUresult status, void *data) { *(int *)data += status == CUDA_SUCCESS; }

static void settings_and_pools() {
  CUcontext context;
  CUstream stream;
  CUmemoryPool pool;
  CUdeviceptr memory;
  CUdevice found;
  CUfunc_cache cache;
  char bus[32];
  unsigned int flags, version;
  int calls = 0;
  size_t limit;
  static int registered[4096];
  DRIVER_OK(cuCtxGetCurrent(&context));
  DRIVER_OK(cuCtxGetFlags(&flags));
  CHECK(flags == 0);
  DRIVER_OK(cuCtxGetApiVersion(context, &version));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion((CUcontext)&calls, &version));
  DRIVER_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  DRIVER_OK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  CHECK(limit == 2048);
  GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&limit, (CUlimit)99));
  DRIVER_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  DRIVER_OK(cuCtxGetCacheConfig(&cache));
  CHECK(cache == CU_FUNC_CACHE_PREFER_L1);
  DRIVER_OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  DRIVER_OK(cuDeviceGetByPCIBusId(&found, bus));
  DRIVER_OK(cuMemHostRegister(registered, sizeof registered, CU_MEMHOSTREGISTER_DEVICEMAP));
  GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(registered, sizeof registered, 0));
  DRIVER_OK(cuMemHostUnregister(registered));
  GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(registered));
  DRIVER_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DRIVER_OK(cuStreamGetFlags(stream, &flags));
  CHECK(flags == CU_STREAM_NON_BLOCKING);
  DRIVER_OK(cuStreamAddCallback(stream, called, &calls, 0));
  DRIVER_OK(cuDeviceGetDefaultMemPool(&pool, 0));
  DRIVER_OK(cuMemAllocFromPoolAsync(&memory, 64, pool, stream));
  DRIVER_OK(cuMemFreeAsync(memory, stream));
  DRIVER_OK(cuStreamSynchronize(stream));
  CHECK(calls == 1);
  DRIVER_OK(cuDevicePrimaryCtxReset(0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
}

static void libraries_and_pointers() {
  CUlibrary library, again;
  CUkernel kernel;
  CUfunction function;
  CUmodule module;
  CUdeviceptr memory, scale, start;
  size_t bytes;
  const char *name;
  int value, n = 8, host[8];
  void *where, *pinned;
  unsigned int kind, managed;
  DRIVER_OK(cuLibraryLoadData(&library, PTX, nullptr, nullptr, 0, nullptr, nullptr, 0));
  DRIVER_OK(cuLibraryGetKernel(&kernel, library, "fill"));
  GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "none"));
  DRIVER_OK(cuKernelGetName(&name, kernel));
  CHECK(strcmp(name, "fill") == 0);
  DRIVER_OK(cuKernelGetLibrary(&again, kernel));
  CHECK(again == library);
  DRIVER_OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  CHECK(value == 1024);
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 1));
  DRIVER_OK(cuLibraryGetGlobal(&scale, &bytes, library, "scale"));
  CHECK(bytes == 4);
  GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&scale, &bytes, library, "scale"));
  DRIVER_OK(cuLibraryGetModule(&module, library));
  DRIVER_OK(cuModuleGetFunction(&function, module, "fill"));
  DRIVER_OK(cuKernelGetFunction(&function, kernel));
  DRIVER_OK(cuFuncLoad(function));
  DRIVER_OK(cuMemAlloc(&memory, sizeof host));
  void *arguments[] = {&memory, &n};
  DRIVER_OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER_OK(cuMemcpyDtoH(host, memory, sizeof host));
  for (int i = 0; i < 8; i++)
    CHECK(host[i] == 3 * i);
  DRIVER_OK(cuLibraryUnload(library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, library, "fill"));
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuLibraryLoadFromFile(&library, "/none.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));

  DRIVER_OK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 4));
  CHECK(kind == CU_MEMORYTYPE_DEVICE);
  DRIVER_OK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 4));
  CHECK(start == memory);
  DRIVER_OK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 4));
  CHECK(bytes == sizeof host);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&where, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
  DRIVER_OK(cuMemAllocHost(&pinned, 64));
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                      CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *values[] = {&kind, &where, &managed, &value};
  DRIVER_OK(cuPointerGetAttributes(4, attributes, values, (CUdeviceptr)pinned));
  CHECK(kind == CU_MEMORYTYPE_HOST && where == pinned && managed == 0 && value == 0);
  DRIVER_OK(cuPointerGetAttributes(4, attributes, values, (CUdeviceptr)host));
  CHECK(kind == 0 && where == nullptr && managed == 0 && value == -2);
  DRIVER_OK(cuMemFreeHost(pinned));
  DRIVER_OK(cuMemFree(memory));
}

int main() {
  const char *text;
  devices_and_contexts();
  modules();
  modules_that_are_linked();
  libraries_and_pointers();
  settings_and_pools();
  DRIVER_OK(cuGetErrorName(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, &text));
  CHECK(strcmp(text, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND") == 0);
  DRIVER_OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(strcmp(text, "out of memory") == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
  puts("ok");
}
