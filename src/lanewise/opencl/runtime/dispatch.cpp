// SPDX-License-Identifier: Apache-2.0
// The table of functions that the loader of cl_khr_icd calls, in its order.
#include "devices.h"

using namespace lw_opencl;

// The names in the order of the loader (the table of cl_khr_icd). NONE is a function of an extension that the
// platform doesn't have: OpenGL's, Direct3D's, EGL's. TAGGED ones no loader calls: there, tags say that the platform
// has the functions of cl_khr_icd 2.0.
#define FUNCTIONS(F, NONE, TAGGED)                                                                                     \
  TAGGED(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo) F(clCreateContext)                     \
  F(clCreateContextFromType) F(clRetainContext) F(clReleaseContext) F(clGetContextInfo) F(clCreateCommandQueue)        \
  F(clRetainCommandQueue) F(clReleaseCommandQueue) F(clGetCommandQueueInfo) F(clSetCommandQueueProperty)               \
  F(clCreateBuffer) F(clCreateImage2D) F(clCreateImage3D) F(clRetainMemObject) F(clReleaseMemObject)                   \
  F(clGetSupportedImageFormats) F(clGetMemObjectInfo) F(clGetImageInfo) F(clCreateSampler) F(clRetainSampler)          \
  F(clReleaseSampler) F(clGetSamplerInfo) F(clCreateProgramWithSource) F(clCreateProgramWithBinary)                    \
  F(clRetainProgram) F(clReleaseProgram) F(clBuildProgram) TAGGED(clUnloadCompiler) F(clGetProgramInfo)                     \
  F(clGetProgramBuildInfo) F(clCreateKernel) F(clCreateKernelsInProgram) F(clRetainKernel) F(clReleaseKernel)          \
  F(clSetKernelArg) F(clGetKernelInfo) F(clGetKernelWorkGroupInfo) F(clWaitForEvents) F(clGetEventInfo)                \
  F(clRetainEvent) F(clReleaseEvent) F(clGetEventProfilingInfo) F(clFlush) F(clFinish) F(clEnqueueReadBuffer)          \
  F(clEnqueueWriteBuffer) F(clEnqueueCopyBuffer) F(clEnqueueReadImage) F(clEnqueueWriteImage) F(clEnqueueCopyImage)    \
  F(clEnqueueCopyImageToBuffer) F(clEnqueueCopyBufferToImage) F(clEnqueueMapBuffer) F(clEnqueueMapImage)               \
  F(clEnqueueUnmapMemObject) F(clEnqueueNDRangeKernel) F(clEnqueueTask) F(clEnqueueNativeKernel) F(clEnqueueMarker)    \
  F(clEnqueueWaitForEvents) F(clEnqueueBarrier) F(clGetExtensionFunctionAddress)                                       \
  NONE NONE NONE NONE NONE NONE NONE NONE NONE /* OpenGL */                                                            \
  NONE NONE NONE NONE NONE NONE                /* Direct3D 10 */                                                       \
  F(clSetEventCallback) F(clCreateSubBuffer) F(clSetMemObjectDestructorCallback) F(clCreateUserEvent)                  \
  F(clSetUserEventStatus) F(clEnqueueReadBufferRect) F(clEnqueueWriteBufferRect) F(clEnqueueCopyBufferRect)            \
  NONE NONE NONE /* device fission */                                                                                  \
  NONE           /* OpenGL events */                                                                                   \
  F(clCreateSubDevices) F(clRetainDevice) F(clReleaseDevice) F(clCreateImage) F(clCreateProgramWithBuiltInKernels)     \
  F(clCompileProgram) F(clLinkProgram) F(clUnloadPlatformCompiler) F(clGetKernelArgInfo) F(clEnqueueFillBuffer)        \
  F(clEnqueueFillImage) F(clEnqueueMigrateMemObjects) F(clEnqueueMarkerWithWaitList) F(clEnqueueBarrierWithWaitList)   \
  F(clGetExtensionFunctionAddressForPlatform)                                                                          \
  NONE                               /* OpenGL textures */                                                             \
  NONE NONE NONE NONE NONE NONE NONE /* Direct3D 11 */                                                                 \
  NONE NONE NONE                     /* DirectX 9 */                                                                   \
  NONE NONE NONE NONE                /* EGL */                                                                         \
  F(clCreateCommandQueueWithProperties) F(clCreatePipe) F(clGetPipeInfo) F(clSVMAlloc) F(clSVMFree)                    \
  F(clEnqueueSVMFree) F(clEnqueueSVMMemcpy) F(clEnqueueSVMMemFill) F(clEnqueueSVMMap) F(clEnqueueSVMUnmap)             \
  F(clCreateSamplerWithProperties) F(clSetKernelArgSVMPointer) F(clSetKernelExecInfo)                                  \
  F(clGetKernelSubGroupInfoKHR)                                                                                        \
  F(clCloneKernel) F(clCreateProgramWithIL) F(clEnqueueSVMMigrateMem) F(clGetDeviceAndHostTimer) F(clGetHostTimer)     \
  F(clGetKernelSubGroupInfo) F(clSetDefaultDeviceCommandQueue) F(clSetProgramReleaseCallback)                          \
  F(clSetProgramSpecializationConstant) F(clCreateBufferWithProperties) F(clCreateImageWithProperties)                 \
  F(clSetContextDestructorCallback)

// Functions that loaders and programs get by their names alone.
#define BY_NAME(F)                                                                                                     \
  F(clIcdGetPlatformIDsKHR) F(clIcdGetFunctionAddressForPlatformKHR) F(clIcdSetPlatformDispatchDataKHR)                \
  F(clGetKernelSuggestedLocalWorkSizeKHR) F(clCreateProgramWithILKHR)                                                  \
  F(clCreateCommandBufferKHR) F(clFinalizeCommandBufferKHR) F(clRetainCommandBufferKHR) F(clReleaseCommandBufferKHR)   \
  F(clEnqueueCommandBufferKHR) F(clGetCommandBufferInfoKHR) F(clCommandBarrierWithWaitListKHR)                         \
  F(clCommandCopyBufferKHR) F(clCommandCopyBufferRectKHR) F(clCommandCopyBufferToImageKHR) F(clCommandCopyImageKHR)    \
  F(clCommandCopyImageToBufferKHR) F(clCommandFillBufferKHR) F(clCommandFillImageKHR) F(clCommandNDRangeKernelKHR)     \
  F(clCommandSVMMemcpyKHR) F(clCommandSVMMemFillKHR) F(clUpdateMutableCommandsKHR) F(clGetMutableCommandInfoKHR)      \
  F(clHostMemAllocINTEL) F(clDeviceMemAllocINTEL) F(clSharedMemAllocINTEL) F(clMemFreeINTEL)                           \
  F(clMemBlockingFreeINTEL) F(clGetMemAllocInfoINTEL) F(clSetKernelArgMemPointerINTEL) F(clEnqueueMemFillINTEL)        \
  F(clEnqueueMemcpyINTEL) F(clEnqueueMigrateMemINTEL) F(clEnqueueMemAdviseINTEL)

// Functions whose types are their own business.
#define DECLARED(name) LW_CL void lw_table_##name() __asm__(#name);
FUNCTIONS(DECLARED, , DECLARED)
BY_NAME(DECLARED)
#undef DECLARED

struct NamedFunction {
  const char *name;
  void (*address)();
};
#define NAMED(name) {#name, lw_table_##name},
static const NamedFunction named_functions[] = {FUNCTIONS(NAMED, , NAMED) BY_NAME(NAMED)};
#undef NAMED

LW_CL void *clGetExtensionFunctionAddress(const char *name) {
  for (const NamedFunction &each : named_functions)
    if (name && strcmp(each.name, name) == 0)
      return reinterpret_cast<void *>(each.address);
  return nullptr;
}

LW_CL void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  return platform == &the_platform ? clGetExtensionFunctionAddress(name) : nullptr;
}

LW_CL void *clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *name) {
  return clGetExtensionFunctionAddressForPlatform(platform, name);
}

// Loaders call it before anything is created.
LW_CL cl_int clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *data) {
  REQUIRE(platform == &the_platform, CL_INVALID_PLATFORM, "%p is no platform", static_cast<const void *>(platform));
  loader_data = the_platform.loader_data = data;
  for (Device &each : root_devices)
    each.loader_data = data;
  return CL_SUCCESS;
}

static const uintptr_t ICD2_TAG = 0x4F50454E434C3331; // "OPENCL31"
#define ENTRY(name) lw_table_##name,
#define ENTRY_OF_NONE nullptr,
#define ENTRY_OF_TAG(name) reinterpret_cast<void (*)()>(ICD2_TAG),
static void (*const functions[])() = {FUNCTIONS(ENTRY, ENTRY_OF_NONE, ENTRY_OF_TAG)};
#undef ENTRY_OF_TAG
#undef ENTRY_OF_NONE
#undef ENTRY

namespace lw_opencl {
const void *const dispatch_table = functions;
}
