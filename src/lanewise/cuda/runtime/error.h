// SPDX-License-Identifier: Apache-2.0
// Errors: each thread's last one, the one that ends the device's context, and the words for standard error.
#ifndef LANEWISE_CUDART_ERROR_H
#define LANEWISE_CUDART_ERROR_H

namespace lw_cudart {

// The error that a kernel's failure left: all calls return it until cudaDeviceReset.
cudaError_t sticky_error();
void set_sticky_error(cudaError_t error);
void clear_sticky_error();

// Makes `error` the thread's last one.
cudaError_t record(cudaError_t error);

// One line on standard error, `lanewise: ` before it; a line that was written before is left out.
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

// Returns `error`; the call that ends with it says why.
__attribute__((format(printf, 2, 3))) cudaError_t fail(cudaError_t error, const char *format, ...);
// What the thread's call has to say; empty if nothing.
char *reason();

// The error for a result of the host runtime, with its explanation.
cudaError_t error_of(int32_t result);

// True if the variable of the environment is set and is neither empty nor 0.
bool wants(const char *variable);

// False until the device that LANEWISE_DEVICE names has been opened, which the first call does.
extern bool device_is_open;
cudaError_t open_device();

// Fails with cudaErrorNotSupported on a GPU; `what` is a plural.
cudaError_t refuse_on_gpu(const char *what);

} // namespace lw_cudart

#endif
