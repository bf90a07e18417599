// SPDX-License-Identifier: Apache-2.0
// Host side: functions of the driver API by name.
#ifndef LANEWISE_HOST_ENTRY_POINTS_H
#define LANEWISE_HOST_ENTRY_POINTS_H

#include "lanewise/host_errors.h"
#include "lanewise/host_language.h"

#define cudaEnableDefault 0x0
#define cudaEnableLegacyStream 0x1
#define cudaEnablePerThreadDefaultStream 0x2

typedef enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2 // as NVIDIA spells it
} cudaDriverEntryPointQueryResult;

__LW_BEGIN_C
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *result __LW_OR(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *result __LW_OR(0));
__LW_END_C

#endif
