// SPDX-License-Identifier: Apache-2.0
// Device attributes: nearly all are a field of cudaDeviceProp.
#include "api.h"
#include "gpu.h"

namespace lw_cudart {

struct AttributeField {
  cudaDeviceAttr attribute;
  unsigned short offset, bytes;
};

#define FIELD(attribute, member)                                                                                       \
  {attribute, (unsigned short)offsetof(cudaDeviceProp, member),                                                        \
   (unsigned short)sizeof(static_cast<cudaDeviceProp *>(nullptr)->member)}
static const AttributeField attribute_fields[] = {
    FIELD(cudaDevAttrMaxThreadsPerBlock, maxThreadsPerBlock),
    FIELD(cudaDevAttrMaxBlockDimX, maxThreadsDim[0]),
    FIELD(cudaDevAttrMaxBlockDimY, maxThreadsDim[1]),
    FIELD(cudaDevAttrMaxBlockDimZ, maxThreadsDim[2]),
    FIELD(cudaDevAttrMaxGridDimX, maxGridSize[0]),
    FIELD(cudaDevAttrMaxGridDimY, maxGridSize[1]),
    FIELD(cudaDevAttrMaxGridDimZ, maxGridSize[2]),
    FIELD(cudaDevAttrMaxSharedMemoryPerBlock, sharedMemPerBlock),
    FIELD(cudaDevAttrTotalConstantMemory, totalConstMem),
    FIELD(cudaDevAttrWarpSize, warpSize),
    FIELD(cudaDevAttrMaxPitch, memPitch),
    FIELD(cudaDevAttrMaxRegistersPerBlock, regsPerBlock),
    FIELD(cudaDevAttrClockRate, clockRate),
    FIELD(cudaDevAttrTextureAlignment, textureAlignment),
    FIELD(cudaDevAttrGpuOverlap, deviceOverlap),
    FIELD(cudaDevAttrMultiProcessorCount, multiProcessorCount),
    FIELD(cudaDevAttrKernelExecTimeout, kernelExecTimeoutEnabled),
    FIELD(cudaDevAttrIntegrated, integrated),
    FIELD(cudaDevAttrCanMapHostMemory, canMapHostMemory),
    FIELD(cudaDevAttrComputeMode, computeMode),
    FIELD(cudaDevAttrMaxTexture1DWidth, maxTexture1D),
    FIELD(cudaDevAttrMaxTexture2DWidth, maxTexture2D[0]),
    FIELD(cudaDevAttrMaxTexture2DHeight, maxTexture2D[1]),
    FIELD(cudaDevAttrMaxTexture3DWidth, maxTexture3D[0]),
    FIELD(cudaDevAttrMaxTexture3DHeight, maxTexture3D[1]),
    FIELD(cudaDevAttrMaxTexture3DDepth, maxTexture3D[2]),
    FIELD(cudaDevAttrMaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    FIELD(cudaDevAttrMaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    FIELD(cudaDevAttrMaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    FIELD(cudaDevAttrSurfaceAlignment, surfaceAlignment),
    FIELD(cudaDevAttrConcurrentKernels, concurrentKernels),
    FIELD(cudaDevAttrEccEnabled, ECCEnabled),
    FIELD(cudaDevAttrPciBusId, pciBusID),
    FIELD(cudaDevAttrPciDeviceId, pciDeviceID),
    FIELD(cudaDevAttrTccDriver, tccDriver),
    FIELD(cudaDevAttrMemoryClockRate, memoryClockRate),
    FIELD(cudaDevAttrGlobalMemoryBusWidth, memoryBusWidth),
    FIELD(cudaDevAttrL2CacheSize, l2CacheSize),
    FIELD(cudaDevAttrMaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    FIELD(cudaDevAttrAsyncEngineCount, asyncEngineCount),
    FIELD(cudaDevAttrUnifiedAddressing, unifiedAddressing),
    FIELD(cudaDevAttrMaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    FIELD(cudaDevAttrMaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    FIELD(cudaDevAttrMaxTexture2DGatherWidth, maxTexture2DGather[0]),
    FIELD(cudaDevAttrMaxTexture2DGatherHeight, maxTexture2DGather[1]),
    FIELD(cudaDevAttrPciDomainId, pciDomainID),
    FIELD(cudaDevAttrTexturePitchAlignment, texturePitchAlignment),
    FIELD(cudaDevAttrMaxTextureCubemapWidth, maxTextureCubemap),
    FIELD(cudaDevAttrMaxSurface1DWidth, maxSurface1D),
    FIELD(cudaDevAttrMaxSurface2DWidth, maxSurface2D[0]),
    FIELD(cudaDevAttrMaxSurface2DHeight, maxSurface2D[1]),
    FIELD(cudaDevAttrMaxSurface3DWidth, maxSurface3D[0]),
    FIELD(cudaDevAttrMaxSurface3DHeight, maxSurface3D[1]),
    FIELD(cudaDevAttrMaxSurface3DDepth, maxSurface3D[2]),
    FIELD(cudaDevAttrMaxTexture1DLinearWidth, maxTexture1DLinear),
    FIELD(cudaDevAttrMaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    FIELD(cudaDevAttrMaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    FIELD(cudaDevAttrMaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    FIELD(cudaDevAttrComputeCapabilityMajor, major),
    FIELD(cudaDevAttrComputeCapabilityMinor, minor),
    FIELD(cudaDevAttrStreamPrioritiesSupported, streamPrioritiesSupported),
    FIELD(cudaDevAttrGlobalL1CacheSupported, globalL1CacheSupported),
    FIELD(cudaDevAttrLocalL1CacheSupported, localL1CacheSupported),
    FIELD(cudaDevAttrMaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    FIELD(cudaDevAttrMaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    FIELD(cudaDevAttrManagedMemory, managedMemory),
    FIELD(cudaDevAttrIsMultiGpuBoard, isMultiGpuBoard),
    FIELD(cudaDevAttrMultiGpuBoardGroupID, multiGpuBoardGroupID),
    FIELD(cudaDevAttrHostNativeAtomicSupported, hostNativeAtomicSupported),
    FIELD(cudaDevAttrSingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    FIELD(cudaDevAttrPageableMemoryAccess, pageableMemoryAccess),
    FIELD(cudaDevAttrConcurrentManagedAccess, concurrentManagedAccess),
    FIELD(cudaDevAttrComputePreemptionSupported, computePreemptionSupported),
    FIELD(cudaDevAttrCanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    FIELD(cudaDevAttrCooperativeLaunch, cooperativeLaunch),
    FIELD(cudaDevAttrCooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    FIELD(cudaDevAttrMaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    FIELD(cudaDevAttrHostRegisterSupported, hostRegisterSupported),
    FIELD(cudaDevAttrPageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    FIELD(cudaDevAttrDirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    FIELD(cudaDevAttrMaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    FIELD(cudaDevAttrMaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    FIELD(cudaDevAttrMaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    FIELD(cudaDevAttrReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    FIELD(cudaDevAttrSparseCudaArraySupported, sparseCudaArraySupported),
    FIELD(cudaDevAttrHostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    FIELD(cudaDevAttrMemoryPoolsSupported, memoryPoolsSupported),
    FIELD(cudaDevAttrGPUDirectRDMASupported, gpuDirectRDMASupported),
    FIELD(cudaDevAttrGPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    FIELD(cudaDevAttrGPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    FIELD(cudaDevAttrMemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    FIELD(cudaDevAttrClusterLaunch, clusterLaunch),
    FIELD(cudaDevAttrDeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    FIELD(cudaDevAttrIpcEventSupport, ipcEventSupported),
};
#undef FIELD

void describe_by_attributes(cudaDeviceProp &described) {
  for (const AttributeField &row : attribute_fields) {
    int value;
    if (lw_gpu_attribute(row.attribute, &value) != LW_SUCCESS || value < 0)
      continue;
    size_t wide = static_cast<size_t>(value);
    memcpy(reinterpret_cast<char *>(&described) + row.offset, &wide, row.bytes);
  }
}

bool attribute_value(cudaDeviceAttr attribute, int *value) {
  if (lw_is_gpu())
    return lw_gpu_attribute(attribute, value) == LW_SUCCESS;
  if (attribute == cudaDevAttrCanFlushRemoteWrites || attribute == cudaDevAttrMemSyncDomainCount) {
    *value = attribute == cudaDevAttrMemSyncDomainCount;
    return true;
  }
  for (const AttributeField &row : attribute_fields)
    if (row.attribute == attribute) {
      size_t wide = 0; // little-endian: the low half is the value of a short field
      memcpy(&wide, reinterpret_cast<const char *>(&properties()) + row.offset, row.bytes);
      *value = static_cast<int>(wide);
      return true;
    }
  return false;
}

LW_API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  return PLAIN_CALL({
    REQUIRE_POINTER(value);
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE(attribute_value(attribute, value), cudaErrorInvalidValue, "there is no attribute %d", attribute);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
