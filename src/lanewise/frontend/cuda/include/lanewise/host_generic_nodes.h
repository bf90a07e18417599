// SPDX-License-Identifier: Apache-2.0
// Host side: nodes of graphs of any type by one struct, conditional nodes, and edges with data (CUDA 12.3 and later).
#ifndef LANEWISE_HOST_GENERIC_NODES_H
#define LANEWISE_HOST_GENERIC_NODES_H

#include "lanewise/host_graphs.h"

typedef struct cudaKernelNodeParamsV2 {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
} cudaKernelNodeParamsV2;
typedef struct cudaMemcpyNodeParams {
  int flags;
  int reserved[3];
  cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;
typedef struct cudaMemsetParamsV2 {
  void *dst;
  __SIZE_TYPE__ pitch;
  unsigned int value;
  unsigned int elementSize;
  __SIZE_TYPE__ width;
  __SIZE_TYPE__ height;
} cudaMemsetParamsV2;
typedef struct cudaHostNodeParamsV2 {
  cudaHostFn_t fn;
  void *userData;
} cudaHostNodeParamsV2;
typedef struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
} cudaChildGraphNodeParams;
typedef struct cudaEventWaitNodeParams {
  cudaEvent_t event;
} cudaEventWaitNodeParams;
typedef struct cudaEventRecordNodeParams {
  cudaEvent_t event;
} cudaEventRecordNodeParams;
typedef struct cudaMemAllocNodeParamsV2 {
  cudaMemPoolProps poolProps;
  const cudaMemAccessDesc *accessDescs;
  __SIZE_TYPE__ accessDescCount;
  __SIZE_TYPE__ bytesize;
  void *dptr;
} cudaMemAllocNodeParamsV2;
typedef struct cudaMemFreeNodeParams {
  void *dptr;
} cudaMemFreeNodeParams;

typedef unsigned long long cudaGraphConditionalHandle;
typedef enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 } cudaGraphConditionalHandleFlags;
typedef enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf = 0,
  cudaGraphCondTypeWhile = 1,
  cudaGraphCondTypeSwitch = 2
} cudaGraphConditionalNodeType;
typedef struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t *phGraph_out;
} cudaConditionalNodeParams;

// The first member of the union is its largest: braces around a type alone set all of it to 0.
typedef struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParamsV2 kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParamsV2 memset;
    cudaHostNodeParamsV2 host;
    cudaChildGraphNodeParams graph;
    cudaEventWaitNodeParams eventWait;
    cudaEventRecordNodeParams eventRecord;
    cudaMemAllocNodeParamsV2 alloc;
    cudaMemFreeNodeParams free;
    cudaConditionalNodeParams conditional;
  };
  long long reserved2;
} cudaGraphNodeParams;

typedef enum cudaGraphDependencyType {
  cudaGraphDependencyTypeDefault = 0,
  cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;
typedef struct cudaGraphEdgeData {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
} cudaGraphEdgeData;
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2

__LW_BEGIN_C
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int first __LW_OR(0), unsigned int flags __LW_OR(0));
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             __SIZE_TYPE__ count, cudaGraphNodeParams *parameters);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                const cudaGraphEdgeData *edges, __SIZE_TYPE__ count, cudaGraphNodeParams *parameters);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams *parameters);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges, __SIZE_TYPE__ count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, __SIZE_TYPE__ count);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, __SIZE_TYPE__ *count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *after, cudaGraphEdgeData *edges,
                                            __SIZE_TYPE__ *count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *before, cudaGraphEdgeData *edges,
                                              __SIZE_TYPE__ *count);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, __SIZE_TYPE__ count,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                        unsigned long long *id __LW_OR(0), cudaGraph_t *graph __LW_OR(0),
                                        const cudaGraphNode_t **nodes __LW_OR(0),
                                        const cudaGraphEdgeData **edges __LW_OR(0), __SIZE_TYPE__ *count __LW_OR(0));
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                   const cudaGraphEdgeData *edges, __SIZE_TYPE__ count,
                                                   unsigned int flags __LW_OR(0));
__LW_END_C

#ifdef __cplusplus
// The forms of CUDA 13, with data of edges.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    const cudaGraphEdgeData *edges, __SIZE_TYPE__ count,
                                    cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode_v2(node, graph, after, edges, count, parameters);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *edges, __SIZE_TYPE__ count) {
  return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                               __SIZE_TYPE__ count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     cudaGraphEdgeData *edges, __SIZE_TYPE__ *count) {
  return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *after, cudaGraphEdgeData *edges,
                                                __SIZE_TYPE__ *count) {
  return cudaGraphNodeGetDependencies_v2(node, after, edges, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *before,
                                                  cudaGraphEdgeData *edges, __SIZE_TYPE__ *count) {
  return cudaGraphNodeGetDependentNodes_v2(node, before, edges, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes,
                                            const cudaGraphEdgeData **edges, __SIZE_TYPE__ *count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, edges, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                       const cudaGraphEdgeData *edges, __SIZE_TYPE__ count,
                                                       unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, edges, count, flags);
}
#endif

#ifdef __CUDA__
// A handle is the address of the number that the host's side reads.
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(unsigned int *)handle = value;
}
#endif

#endif
