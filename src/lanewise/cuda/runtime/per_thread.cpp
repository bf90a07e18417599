// SPDX-License-Identifier: Apache-2.0
// The functions that programs call with per-thread default streams (nvcc's --default-stream per-thread): stream 0, and
// calls without a stream, mean the calling thread's own stream (CUDA Runtime API, "Stream synchronization behavior").
// `lanewise/per_thread_streams.h` gives programs these names.
#include "api.h"
#include "per_thread.h"

namespace lw_cudart {

#define PER_THREAD(name, suffix, parameters, arguments)                                                                \
  LW_API cudaError_t name##suffix parameters {                                                                         \
    OwnStreams scope;                                                                                                  \
    return name arguments;                                                                                             \
  }

PER_THREAD(cudaMemcpy, _ptds, (void *target, const void *source, size_t bytes, cudaMemcpyKind kind), (target, source,
           bytes, kind))
PER_THREAD(cudaMemcpyToSymbol, _ptds, (const void *symbol, const void *source, size_t bytes, size_t offset,
           cudaMemcpyKind kind), (symbol, source, bytes, offset, kind))
PER_THREAD(cudaMemcpyFromSymbol, _ptds, (void *target, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind
           kind), (target, symbol, bytes, offset, kind))
PER_THREAD(cudaMemcpy2D, _ptds, (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t
           width, size_t height, cudaMemcpyKind kind), (target, target_pitch, source, source_pitch, width, height,
           kind))
PER_THREAD(cudaMemcpyToArray, _ptds, (cudaArray_t target, size_t x, size_t y, const void *source, size_t bytes,
           cudaMemcpyKind kind), (target, x, y, source, bytes, kind))
PER_THREAD(cudaMemcpy2DToArray, _ptds, (cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch, size_t
           width, size_t height, cudaMemcpyKind kind), (target, x, y, source, pitch, width, height, kind))
PER_THREAD(cudaMemcpyFromArray, _ptds, (void *target, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
           cudaMemcpyKind kind), (target, source, x, y, bytes, kind))
PER_THREAD(cudaMemcpy2DFromArray, _ptds, (void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
           size_t width, size_t height, cudaMemcpyKind kind), (target, pitch, source, x, y, width, height, kind))
PER_THREAD(cudaMemcpyArrayToArray, _ptds, (cudaArray_t target, size_t target_x, size_t target_y, cudaArray_const_t
           source, size_t source_x, size_t source_y, size_t bytes, cudaMemcpyKind kind), (target, target_x, target_y,
           source, source_x, source_y, bytes, kind))
PER_THREAD(cudaMemcpy2DArrayToArray, _ptds, (cudaArray_t target, size_t target_x, size_t target_y, cudaArray_const_t
           source, size_t source_x, size_t source_y, size_t width, size_t height, cudaMemcpyKind kind), (target,
           target_x, target_y, source, source_x, source_y, width, height, kind))
PER_THREAD(cudaMemcpy3D, _ptds, (const cudaMemcpy3DParms *parameters), (parameters))
PER_THREAD(cudaMemcpy3DPeer, _ptds, (const cudaMemcpy3DPeerParms *parameters), (parameters))
PER_THREAD(cudaMemset, _ptds, (void *memory, int value, size_t bytes), (memory, value, bytes))
PER_THREAD(cudaMemset2D, _ptds, (void *memory, size_t pitch, int value, size_t width, size_t height), (memory, pitch,
           value, width, height))
PER_THREAD(cudaMemset3D, _ptds, (cudaPitchedPtr memory, int value, cudaExtent extent), (memory, value, extent))
PER_THREAD(cudaGraphUpload, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream), (executable, stream))
PER_THREAD(cudaGraphLaunch, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream), (executable, stream))
PER_THREAD(cudaStreamBeginCapture, _ptsz, (cudaStream_t stream, cudaStreamCaptureMode mode), (stream, mode))
PER_THREAD(cudaStreamEndCapture, _ptsz, (cudaStream_t stream, cudaGraph_t *graph), (stream, graph))
PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz, (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
           const cudaGraphEdgeData *edges, size_t count, cudaStreamCaptureMode mode), (stream, graph, after, edges,
           count, mode))
PER_THREAD(cudaStreamIsCapturing, _ptsz, (cudaStream_t stream, cudaStreamCaptureStatus *status), (stream, status))
PER_THREAD(cudaStreamGetCaptureInfo, _ptsz, (cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long
           *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count), (stream, status, id, graph, nodes,
           count))
PER_THREAD(cudaStreamGetCaptureInfo_v2, _ptsz, (cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long
           *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count), (stream, status, id, graph, nodes,
           count))
PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz, (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count,
           unsigned int flags), (stream, nodes, count, flags))
PER_THREAD(cudaStreamGetCaptureInfo_v3, _ptsz, (cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long
           *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t *count),
           (stream, status, id, graph, nodes, edges, count))
PER_THREAD(cudaStreamUpdateCaptureDependencies_v2, _ptsz, (cudaStream_t stream, cudaGraphNode_t *nodes, const
           cudaGraphEdgeData *edges, size_t count, unsigned int flags), (stream, nodes, edges, count, flags))
PER_THREAD(cudaMemcpyAsync, _ptsz, (void *target, const void *source, size_t bytes, cudaMemcpyKind kind, cudaStream_t
           stream), (target, source, bytes, kind, stream))
PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz, (const void *symbol, const void *source, size_t bytes, size_t offset,
           cudaMemcpyKind kind, cudaStream_t stream), (symbol, source, bytes, offset, kind, stream))
PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz, (void *target, const void *symbol, size_t bytes, size_t offset,
           cudaMemcpyKind kind, cudaStream_t stream), (target, symbol, bytes, offset, kind, stream))
PER_THREAD(cudaMemcpy2DAsync, _ptsz, (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t
           width, size_t height, cudaMemcpyKind kind, cudaStream_t stream), (target, target_pitch, source, source_pitch,
           width, height, kind, stream))
PER_THREAD(cudaMemcpyToArrayAsync, _ptsz, (cudaArray_t target, size_t x, size_t y, const void *source, size_t bytes,
           cudaMemcpyKind kind, cudaStream_t stream), (target, x, y, source, bytes, kind, stream))
PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz, (cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch,
           size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream), (target, x, y, source, pitch, width,
           height, kind, stream))
PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz, (void *target, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
           cudaMemcpyKind kind, cudaStream_t stream), (target, source, x, y, bytes, kind, stream))
PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz, (void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
           size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream), (target, pitch, source, x, y, width,
           height, kind, stream))
PER_THREAD(cudaMemcpy3DAsync, _ptsz, (const cudaMemcpy3DParms *parameters, cudaStream_t stream), (parameters, stream))
PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz, (const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream), (parameters,
           stream))
PER_THREAD(cudaMemcpyPeerAsync, _ptsz, (void *target, int target_device, const void *source, int source_device, size_t
           bytes, cudaStream_t stream), (target, target_device, source, source_device, bytes, stream))
PER_THREAD(cudaMemsetAsync, _ptsz, (void *memory, int value, size_t bytes, cudaStream_t stream), (memory, value, bytes,
           stream))
PER_THREAD(cudaMemset2DAsync, _ptsz, (void *memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t
           stream), (memory, pitch, value, width, height, stream))
PER_THREAD(cudaMemset3DAsync, _ptsz, (cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream),
           (memory, value, extent, stream))
PER_THREAD(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaStreamGetDevice, _ptsz, (cudaStream_t stream, int *device), (stream, device))
PER_THREAD(cudaStreamGetFlags, _ptsz, (cudaStream_t stream, unsigned int *flags), (stream, flags))
PER_THREAD(cudaStreamGetId, _ptsz, (cudaStream_t stream, unsigned long long *id), (stream, id))
PER_THREAD(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int *priority), (stream, priority))
PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))
PER_THREAD(cudaEventRecordWithFlags, _ptsz, (cudaEvent_t event, cudaStream_t stream, unsigned int flags), (event,
           stream, flags))
PER_THREAD(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned int flags), (stream, event,
           flags))
PER_THREAD(cudaStreamAddCallback, _ptsz, (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int
           flags), (stream, callback, data, flags))
PER_THREAD(cudaStreamAttachMemAsync, _ptsz, (cudaStream_t stream, void *memory, size_t bytes, unsigned int flags),
           (stream, memory, bytes, flags))
PER_THREAD(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaLaunchKernel, _ptsz, (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
           cudaStream_t stream), (kernel, grid, block, arguments, shared_bytes, stream))
PER_THREAD(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
           (config, kernel, arguments))
PER_THREAD(cudaLaunchHostFunc, _ptsz, (cudaStream_t stream, cudaHostFn_t function, void *data), (stream, function,
           data))
PER_THREAD(cudaMemPrefetchAsync, _ptsz, (const void *memory, size_t bytes, int device, cudaStream_t stream), (memory,
           bytes, device, stream))
PER_THREAD(cudaMemPrefetchAsync_v2, _ptsz, (const void *memory, size_t bytes, cudaMemLocation location, unsigned int
           flags, cudaStream_t stream), (memory, bytes, location, flags, stream))
PER_THREAD(cudaLaunchCooperativeKernel, _ptsz, (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t
           shared_bytes, cudaStream_t stream), (kernel, grid, block, arguments, shared_bytes, stream))
PER_THREAD(cudaStreamCopyAttributes, _ptsz, (cudaStream_t target, cudaStream_t source), (target, source))
PER_THREAD(cudaStreamGetAttribute, _ptsz, (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value),
           (stream, attribute, value))
PER_THREAD(cudaStreamSetAttribute, _ptsz, (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue
           *value), (stream, attribute, value))
PER_THREAD(cudaMallocAsync, _ptsz, (void **memory, size_t bytes, cudaStream_t stream), (memory, bytes, stream))
PER_THREAD(cudaFreeAsync, _ptsz, (void *memory, cudaStream_t stream), (memory, stream))
PER_THREAD(cudaMallocFromPoolAsync, _ptsz, (void **memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
           (memory, bytes, pool, stream))

#undef PER_THREAD

} // namespace lw_cudart
