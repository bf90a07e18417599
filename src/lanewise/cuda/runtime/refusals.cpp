// SPDX-License-Identifier: Apache-2.0
// Functions of the interface that are refused by name.
#include "runtime.h"

#define REFUSED(name, parameters, reason)                                                                        \
  CUDART cudaError_t name parameters { return done(objected(cudaErrorNotSupported, #name, reason)); }

#define NO_OTHER_PROCESS "memory and events are not shared between processes"

REFUSED(cudaIpcGetMemHandle, (cudaIpcMemHandle_t *, void *), NO_OTHER_PROCESS)
REFUSED(cudaIpcOpenMemHandle, (void **, cudaIpcMemHandle_t, unsigned int), NO_OTHER_PROCESS)
REFUSED(cudaIpcCloseMemHandle, (void *), NO_OTHER_PROCESS)
REFUSED(cudaIpcGetEventHandle, (cudaIpcEventHandle_t *, cudaEvent_t), NO_OTHER_PROCESS)
REFUSED(cudaIpcOpenEventHandle, (cudaEvent_t *, cudaIpcEventHandle_t), NO_OTHER_PROCESS)
REFUSED(cudaMemPoolExportToShareableHandle, (void *, cudaMemPool_t, cudaMemAllocationHandleType, unsigned int),
        NO_OTHER_PROCESS)
REFUSED(cudaMemPoolImportFromShareableHandle, (cudaMemPool_t *, void *, cudaMemAllocationHandleType, unsigned int),
        NO_OTHER_PROCESS)
REFUSED(cudaMemPoolExportPointer, (cudaMemPoolPtrExportData *, void *), NO_OTHER_PROCESS)
REFUSED(cudaMemPoolImportPointer, (void **, cudaMemPool_t, cudaMemPoolPtrExportData *), NO_OTHER_PROCESS)
REFUSED(cudaGraphAddChildGraphNode, (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaGraph_t),
        "graphs have no graphs as nodes yet")
REFUSED(cudaGraphAddEventRecordNode, (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaEvent_t),
        "graphs have no events as nodes yet")
REFUSED(cudaGraphAddEventWaitNode, (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaEvent_t),
        "graphs have no events as nodes yet")
REFUSED(cudaGraphAddMemAllocNode, (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                                   cudaMemAllocNodeParams *), "graphs have no allocations as nodes yet")
REFUSED(cudaGraphAddMemFreeNode, (cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *),
        "graphs have no allocations as nodes yet")
