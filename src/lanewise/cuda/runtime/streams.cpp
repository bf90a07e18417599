// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "gpu.h"
#include "per_thread.h"
#include "reset.h"
#include "streams.h"

#include <pthread.h>

namespace lw_cudart {

enum { GREATEST_PRIORITY = -5, LEAST_PRIORITY = 0 };

static Handles<Stream> streams;
static Stream legacy;
static unsigned long long last_id = 2;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;
static thread_local Stream *own;
static unsigned int resets; // so often all streams have been destroyed
static thread_local unsigned int own_since;

Stream *legacy_stream() {
  if (__builtin_expect(!__atomic_load_n(&legacy.state, __ATOMIC_ACQUIRE), 0)) {
    legacy.id = 1;
    __atomic_store_n(&legacy.queue, lw_default_queue(), __ATOMIC_RELEASE);
    __atomic_store_n(&legacy.state, 1, __ATOMIC_RELEASE);
  }
  return &legacy;
}

static void give_up(Stream *stream) {
  lw_queue_destroy(stream->queue);
  stream->last.release();
  streams.destroy(stream);
}

static cudaError_t create(unsigned int flags, int priority, Stream **created) {
  lw_queue *queue;
  REQUIRE_SUCCESS(error_of(lw_queue_create(flags & cudaStreamNonBlocking ? LW_NON_BLOCKING : 0, priority, &queue)));
  Stream *stream = streams.create();
  if (!stream) {
    lw_queue_destroy(queue);
    return fail(cudaErrorMemoryAllocation, "there are too many streams");
  }
  stream->queue = queue;
  stream->flags = flags;
  stream->priority = priority;
  stream->policy = cudaSyncPolicyAuto;
  stream->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
  *created = stream;
  return cudaSuccess;
}

static void make_own_key() {
  pthread_key_create(&own_key, [](void *stream) {
    if (own_since == __atomic_load_n(&resets, __ATOMIC_RELAXED))
      give_up(static_cast<Stream *>(stream));
  });
}

// The thread's default stream, which lives as long as the thread, or until a reset.
static Stream *own_stream() {
  unsigned int now = __atomic_load_n(&resets, __ATOMIC_RELAXED);
  if (!own || own_since != now) {
    pthread_once(&own_once, make_own_key);
    own = nullptr;
    if (create(0, 0, &own) != cudaSuccess)
      return legacy_stream();
    own_since = now;
    pthread_setspecific(own_key, own);
  }
  return own;
}

thread_local bool owns_stream_0;

Stream *default_stream() { return __builtin_expect(owns_stream_0, 0) ? own_stream() : legacy_stream(); }

Stream *stream_of(cudaStream_t stream) {
  if (stream == nullptr)
    return default_stream();
  if (stream == cudaStreamLegacy)
    return legacy_stream();
  if (stream == cudaStreamPerThread)
    return own_stream();
  return streams.find(stream);
}

bool is_blocking(const Stream *stream) { return !(stream->flags & cudaStreamNonBlocking); }

void destroy_streams() {
  __atomic_add_fetch(&resets, 1, __ATOMIC_RELAXED);
  streams.each(give_up);
  lw_queue_clear_failure(legacy_stream()->queue);
}

LW_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  return CALL({
    REQUIRE_POINTER(stream);
    REQUIRE(flags <= cudaStreamNonBlocking, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    int limited = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                  : priority > LEAST_PRIORITY  ? static_cast<int>(LEAST_PRIORITY)
                                               : priority;
    Stream *created;
    REQUIRE_SUCCESS(create(flags, limited, &created));
    *stream = reinterpret_cast<cudaStream_t>(created);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

LW_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

LW_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return PLAIN_CALL({
    REQUIRE(handle && handle != cudaStreamLegacy && handle != cudaStreamPerThread, cudaErrorInvalidResourceHandle,
            "default streams can't be destroyed");
    REQUIRE_STREAM(stream, handle);
    REQUIRE_SUCCESS(leave_capture(stream));
    give_up(stream);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    REQUIRE_SUCCESS(require_uncaptured(stream));
    return synchronize(stream);
  });
}

LW_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    REQUIRE_SUCCESS(require_uncaptured(stream));
    int32_t result = lw_queue_query(stream->queue);
    if (result == LW_NOT_READY)
      return cudaErrorNotReady;
    flush_output();
    cudaError_t broken = sticky_error();
    return broken != cudaSuccess ? broken : error_of(result);
  });
}

LW_API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int *flags) {
  return CALL({
    REQUIRE_POINTER(flags);
    REQUIRE_STREAM(stream, handle);
    *flags = stream->flags;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
  return CALL({
    REQUIRE_POINTER(priority);
    REQUIRE_STREAM(stream, handle);
    *priority = stream->priority;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
  return CALL({
    REQUIRE_POINTER(id);
    REQUIRE_STREAM(stream, handle);
    *id = stream->id;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) {
  return CALL({
    REQUIRE_POINTER(device);
    REQUIRE_STREAM(stream, handle);
    (void)stream;
    *device = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return CALL({
    if (least)
      *least = LEAST_PRIORITY;
    if (greatest)
      *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_STREAM(stream, handle);
    if (attribute == cudaLaunchAttributeAccessPolicyWindow)
      stream->window = value->accessPolicyWindow;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
      stream->policy = value->syncPolicy;
    else
      REQUIRE(attribute == cudaLaunchAttributePriority || attribute == cudaLaunchAttributeMemSyncDomain ||
                  attribute == cudaLaunchAttributeMemSyncDomainMap,
              cudaErrorInvalidValue, "streams have no attribute %d", attribute);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute, cudaStreamAttrValue *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_STREAM(stream, handle);
    memset(value, 0, sizeof *value);
    if (attribute == cudaLaunchAttributeAccessPolicyWindow)
      value->accessPolicyWindow = stream->window;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
      value->syncPolicy = stream->policy;
    else if (attribute == cudaLaunchAttributePriority)
      value->priority = stream->priority;
    else
      REQUIRE(attribute == cudaLaunchAttributeMemSyncDomain || attribute == cudaLaunchAttributeMemSyncDomainMap,
              cudaErrorInvalidValue, "streams have no attribute %d", attribute);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamCopyAttributes(cudaStream_t target, cudaStream_t source) {
  return CALL({
    REQUIRE_STREAM(to, target);
    REQUIRE_STREAM(from, source);
    to->window = from->window;
    to->policy = from->policy;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *memory, size_t, unsigned int flags) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    (void)stream;
    REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle,
            cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    lw_allocation found;
    REQUIRE(lw_memory_find(memory, &found) && found.kind == LW_MANAGED_MEMORY, cudaErrorInvalidValue,
            "%p is no managed memory", memory);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
