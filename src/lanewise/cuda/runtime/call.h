// SPDX-License-Identifier: Apache-2.0
// What every function of the API does around its own work.
#ifndef LANEWISE_CUDART_CALL_H
#define LANEWISE_CUDART_CALL_H

namespace lw_cudart {

// True once a function that needs a context has been called, other than by one of the driver API.
extern bool runtime_is_used;
void note_use_of_runtime();

// Prints what a call that failed has to say.
void explain(const char *name, cudaError_t error);

// Runs `body`, and makes what it returns the thread's last error.
template <class Body> inline cudaError_t plain_call(const char *name, Body body) {
  Timed timed(name);
  reason()[0] = 0;
  bool open = __builtin_expect(__atomic_load_n(&device_is_open, __ATOMIC_ACQUIRE), 1);
  cudaError_t error = open ? cudaSuccess : open_device();
  if (__builtin_expect(error == cudaSuccess, 1))
    error = body();
  if (__builtin_expect(error != cudaSuccess, 0)) {
    explain(name, error);
    record(error);
  }
  return error;
}

// The same for functions that need the device's context: after a kernel's failure they do nothing.
template <class Body> inline cudaError_t call(const char *name, Body body) {
  if (__builtin_expect(!__atomic_load_n(&runtime_is_used, __ATOMIC_RELAXED), 0))
    note_use_of_runtime();
  return plain_call(name, [&]() -> cudaError_t {
    cudaError_t broken = sticky_error();
    return __builtin_expect(broken != cudaSuccess, 0) ? broken : body();
  });
}

#define CALL(...) call(__func__, [&]()->cudaError_t __VA_ARGS__)
#define PLAIN_CALL(...) plain_call(__func__, [&]()->cudaError_t __VA_ARGS__)

#define REQUIRE(condition, error, ...)                                                                                 \
  do {                                                                                                                 \
    if (__builtin_expect(!(condition), 0))                                                                             \
      return fail(error, __VA_ARGS__);                                                                                 \
  } while (0)
#define REQUIRE_SUCCESS(expression)                                                                                    \
  do {                                                                                                                 \
    cudaError_t failed = (expression);                                                                                 \
    if (__builtin_expect(failed != cudaSuccess, 0))                                                                    \
      return failed;                                                                                                   \
  } while (0)
#define REQUIRE_POINTER(pointer) REQUIRE(pointer, cudaErrorInvalidValue, #pointer " is null")

} // namespace lw_cudart

#endif
