// SPDX-License-Identifier: Apache-2.0
// Queues and events on a GPU: the driver's streams and events, whose order is the driver's.
#include "driver.h"
#include "host.h"

#include <stdlib.h>

static int32_t gpu_make_stream(uint32_t flags, int32_t priority, void **stream) {
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  return DRIVE(cuStreamCreateWithPriority, stream, flags & LW_NON_BLOCKING ? DRIVER_STREAM_NON_BLOCKING : 0, priority);
}

static void gpu_destroy_stream(void *stream) {
  ENTER_GPU(result);
  if (stream != DRIVER_LEGACY_STREAM && result == LW_SUCCESS)
    gpu.cuStreamDestroy_v2(stream);
}

static int32_t gpu_launch(lw_queue *queue, const lw_kernel_launch *launch) {
  enum { FEW = 64, LEAST_SHARED_LIMIT = 47 << 10 }; // 48 KiB need no wish, less what aligns the parts
  const lw_kernel_image *kernel = launch->kernel;
  void *function = NULL, *room[FEW], **parameters = room;
  ENTER_GPU(result);
  if (result == LW_SUCCESS)
    result = gpu_function(kernel, &function);
  if (result == LW_SUCCESS && launch->dynamic_shared + kernel->shared_bytes > LEAST_SHARED_LIMIT)
    result = DRIVE(cuFuncSetAttribute, function, DRIVER_FUNCTION_DYNAMIC_SHARED, (int32_t)launch->dynamic_shared);
  if (result != LW_SUCCESS)
    return result;
  if (kernel->num_parameters > FEW && (parameters = malloc(kernel->num_parameters * sizeof *parameters)) == NULL)
    return explain(LW_NO_MEMORY, "no memory for the arguments of kernel %s", kernel->name);
  for (uint32_t i = 0; i < kernel->num_parameters; ++i)
    parameters[i] = (char *)launch->args + kernel->parameters[i].offset;
  const uint32_t *grid = launch->grid, *block = launch->block;
  if (launch->flags & LW_COOPERATIVE)
    result = DRIVE(cuLaunchCooperativeKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                   launch->dynamic_shared, queue->stream, parameters);
  else
    result = DRIVE(cuLaunchKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                   launch->dynamic_shared, queue->stream, parameters, NULL);
  if (parameters != room)
    free(parameters);
  return result;
}

static bool is_on_gpu(const void *address) {
  lw_allocation found;
  if (!lw_memory_find(address, &found))
    return false;
  return gpu.on ? found.kind != LW_HOST_MEMORY && found.kind != LW_REGISTERED_MEMORY : found.kind == LW_GPU_MEMORY;
}

static struct driver_copy_end end_of_copy(const void *address, lw_pitch pitch) {
  bool of_device = is_on_gpu(address);
  return (struct driver_copy_end){
      .memory_type = of_device ? DRIVER_MEMORY_DEVICE : DRIVER_MEMORY_HOST,
      .host = of_device ? NULL : (void *)address,
      .device = of_device ? (uintptr_t)address : 0,
      .pitch = pitch.row,
      .height = pitch.row > 0 ? pitch.plane / pitch.row : 0,
  };
}

// Planes that don't start at a row of the one before are copied one by one.
static int32_t gpu_copy(lw_queue *queue, void *target, lw_pitch target_pitch, const void *source, lw_pitch source_pitch,
                        lw_box box) {
  ENTER_GPU(result);
  if (result != LW_SUCCESS || box.bytes == 0 || box.rows == 0 || box.planes == 0)
    return result;
  if (box.rows == 1 && box.planes == 1)
    return DRIVE(cuMemcpyAsync, (uintptr_t)target, (uintptr_t)source, box.bytes, queue->stream);
  bool whole = target_pitch.row > 0 && source_pitch.row > 0 && target_pitch.plane % target_pitch.row == 0 &&
               source_pitch.plane % source_pitch.row == 0;
  uint64_t at_once = whole ? box.planes : 1;
  for (uint64_t plane = 0; plane < box.planes && result == LW_SUCCESS; plane += at_once) {
    struct driver_copy copy = {
        .source = end_of_copy((const char *)source + plane * source_pitch.plane, source_pitch),
        .target = end_of_copy((char *)target + plane * target_pitch.plane, target_pitch),
        .width_bytes = box.bytes,
        .height = box.rows,
        .depth = at_once,
    };
    result = DRIVE(cuMemcpy3DAsync_v2, &copy, queue->stream);
  }
  return result;
}

static int32_t gpu_fill(lw_queue *queue, void *target, lw_pitch pitch, uint32_t value, uint32_t value_bytes,
                        lw_box box) {
  ENTER_GPU(result);
  if (box.bytes == 0 || box.rows == 0)
    return result;
  for (uint64_t plane = 0; plane < box.planes && result == LW_SUCCESS; ++plane) {
    uint64_t memory = (uintptr_t)target + plane * pitch.plane, width = box.bytes / value_bytes;
    if (value_bytes == 1)
      result = DRIVE(cuMemsetD2D8Async, memory, pitch.row, (uint8_t)value, width, box.rows, queue->stream);
    else if (value_bytes == 2)
      result = DRIVE(cuMemsetD2D16Async, memory, pitch.row, (uint16_t)value, width, box.rows, queue->stream);
    else
      result = DRIVE(cuMemsetD2D32Async, memory, pitch.row, value, width, box.rows, queue->stream);
  }
  return result;
}

struct gpu_call {
  lw_host_function function;
  void *data;
};

static void run_gpu_call(void *data) {
  struct gpu_call call = *(struct gpu_call *)data;
  free(data);
  in_function = true;
  call.function(call.data);
  in_function = false;
}

static int32_t gpu_call(lw_queue *queue, lw_host_function function, void *data) {
  struct gpu_call *call = malloc(sizeof *call);
  if (call == NULL)
    return explain(LW_NO_MEMORY, "no memory for a call");
  *call = (struct gpu_call){function, data};
  ENTER_GPU(result);
  if (result == LW_SUCCESS)
    result = DRIVE(cuLaunchHostFunc, queue->stream, run_gpu_call, call);
  if (result != LW_SUCCESS)
    free(call);
  return result;
}

static int32_t enter_gpu_to_wait(struct gpu_visit *visit) {
  if (gpu.on && in_function) // else the function is in a queue of the CPU, which may wait for the GPU
    return explain(LW_NOT_PERMITTED, "a function in a queue can't wait for queues");
  return enter_gpu(visit);
}

static int32_t gpu_synchronize_queue(lw_queue *queue) {
  ENTER_GPU_BY(enter_gpu_to_wait, result);
  return result == LW_SUCCESS ? DRIVE(cuStreamSynchronize, queue->stream) : result;
}

static int32_t gpu_synchronize(void) {
  ENTER_GPU_BY(enter_gpu_to_wait, result);
  return result == LW_SUCCESS ? DRIVE(cuCtxSynchronize) : result;
}

static int32_t gpu_query(lw_queue *queue) {
  ENTER_GPU_BY(enter_gpu_to_wait, result);
  return result == LW_SUCCESS ? DRIVE(cuStreamQuery, queue->stream) : result;
}

static int32_t gpu_make_event(lw_event *event) {
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  return DRIVE(cuEventCreate, &event->driver, event->flags & LW_NO_TIMING ? DRIVER_EVENT_NO_TIMING : 0);
}

static void gpu_destroy_event(lw_event *event) {
  ENTER_GPU(result);
  if (result == LW_SUCCESS)
    gpu.cuEventDestroy_v2(event->driver);
}

static int32_t gpu_record(lw_event *event, lw_queue *queue) {
  ENTER_GPU(result);
  return result == LW_SUCCESS ? DRIVE(cuEventRecord, event->driver, queue->stream) : result;
}

static int32_t gpu_wait_for_event(lw_queue *queue, lw_event *event) {
  ENTER_GPU(result);
  return result == LW_SUCCESS ? DRIVE(cuStreamWaitEvent, queue->stream, event->driver, 0) : result;
}

static int32_t gpu_synchronize_event(lw_event *event) {
  ENTER_GPU_BY(enter_gpu_to_wait, result);
  return result == LW_SUCCESS ? DRIVE(cuEventSynchronize, event->driver) : result;
}

static int32_t gpu_query_event(lw_event *event) {
  ENTER_GPU(result);
  return result == LW_SUCCESS ? DRIVE(cuEventQuery, event->driver) : result;
}

static int32_t gpu_elapsed(float *milliseconds, lw_event *start, lw_event *end) {
  ENTER_GPU(result);
  return result == LW_SUCCESS ? DRIVE(cuEventElapsedTime, milliseconds, start->driver, end->driver) : result;
}
