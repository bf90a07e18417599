// SPDX-License-Identifier: Apache-2.0
// The C library functions that kernels may call: printf (clang turns it into vprintf with packed arguments), memory
// functions, the heap, assertions and traps. Host functions of the same name are overloads beside them.
#ifndef LANEWISE_DEVICE_LIBC_H
#define LANEWISE_DEVICE_LIBC_H

#include "lanewise/qualifiers.h"

extern "C" {
__device__ int vprintf(const char *format, const char *packed_arguments);
__device__ int printf(const char *format, ...);
#define __LW_MEMORY__ inline __attribute__((device, always_inline, nodebug))
__LW_MEMORY__ void *memcpy(void *target, const void *source, __SIZE_TYPE__ bytes) noexcept {
  return __builtin_memcpy(target, source, bytes);
}
__LW_MEMORY__ void *memmove(void *target, const void *source, __SIZE_TYPE__ bytes) noexcept {
  return __builtin_memmove(target, source, bytes);
}
__LW_MEMORY__ void *memset(void *target, int value, __SIZE_TYPE__ bytes) noexcept {
  return __builtin_memset(target, value, bytes);
}
__LW_MEMORY__ int memcmp(const void *left, const void *right, __SIZE_TYPE__ bytes) noexcept {
  const unsigned char *a = static_cast<const unsigned char *>(left), *b = static_cast<const unsigned char *>(right);
  for (__SIZE_TYPE__ i = 0; i < bytes; ++i)
    if (a[i] != b[i])
      return a[i] - b[i];
  return 0;
}
#undef __LW_MEMORY__
__device__ void *malloc(__SIZE_TYPE__ bytes) noexcept;
__device__ void free(void *memory) noexcept;

// CUDA's ABI for a failed assertion; the size of a character tells char from wchar_t texts.
__device__ __attribute__((noreturn)) void __assertfail(const char *message, const char *file, unsigned int line,
                                                       const char *function, __SIZE_TYPE__ character_size);

// What the C library's assert macro calls.
__LW_DEVICE__ __attribute__((noreturn)) void __assert_fail(const char *message, const char *file,
                                                           unsigned int line, const char *function) noexcept {
  __assertfail(message, file, line, function, sizeof(char));
}
}

// The C library's macro, which <alloca.h> defines anew.
#define alloca(bytes) __builtin_alloca(bytes)

__LW_DEVICE__ void __trap() { __builtin_trap(); }
__LW_DEVICE__ void __brkpt() { __builtin_debugtrap(); }

#endif
