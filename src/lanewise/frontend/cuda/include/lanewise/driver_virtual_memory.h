// SPDX-License-Identifier: Apache-2.0
// The driver API for the host: ranges of addresses, and memory that is mapped into them.
#ifndef LANEWISE_DRIVER_VIRTUAL_MEMORY_H
#define LANEWISE_DRIVER_VIRTUAL_MEMORY_H

typedef struct CUmemAllocationProp_st {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp;

typedef enum CUmemAllocationGranularity_flags_enum {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
  CU_MEM_ALLOCATION_COMP_NONE = 0,
  CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;

#define CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR cudaMemHandleTypePosixFileDescriptor
#define CU_MEM_HANDLE_TYPE_WIN32 cudaMemHandleTypeWin32
#define CU_MEM_HANDLE_TYPE_WIN32_KMT cudaMemHandleTypeWin32Kmt

__LW_BEGIN_C
CUresult cuMemGetAllocationGranularity(__SIZE_TYPE__ *bytes, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option);
CUresult cuMemAddressReserve(CUdeviceptr *start, __SIZE_TYPE__ bytes, __SIZE_TYPE__ alignment, CUdeviceptr wanted,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr start, __SIZE_TYPE__ bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *memory, __SIZE_TYPE__ bytes, const CUmemAllocationProp *properties,
                     unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle memory);
CUresult cuMemMap(CUdeviceptr start, __SIZE_TYPE__ bytes, __SIZE_TYPE__ offset, CUmemGenericAllocationHandle memory,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr start, __SIZE_TYPE__ bytes);
CUresult cuMemSetAccess(CUdeviceptr start, __SIZE_TYPE__ bytes, const CUmemAccessDesc *access, __SIZE_TYPE__ count);
CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr memory);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle memory);
CUresult cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle memory,
                                      CUmemAllocationHandleType type, unsigned long long flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *memory, void *shared,
                                        CUmemAllocationHandleType type);
__LW_END_C

#endif
