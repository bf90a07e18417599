// SPDX-License-Identifier: Apache-2.0
// The driver API for the host: its functions by name.
#ifndef LANEWISE_DRIVER_ENTRY_POINTS_H
#define LANEWISE_DRIVER_ENTRY_POINTS_H

typedef enum CUdriverProcAddressQueryResult_enum {
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;
typedef enum CUdriverProcAddress_flags_enum {
  CU_GET_PROC_ADDRESS_DEFAULT = 0,
  CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
  CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
} CUdriverProcAddress_flags;

// The plain name is that of the form before CUDA 12, which tells no result.
#define cuGetProcAddress cuGetProcAddress_v2

__LW_BEGIN_C
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, __UINT64_TYPE__ flags,
                             CUdriverProcAddressQueryResult *result);
__LW_END_C

#endif
