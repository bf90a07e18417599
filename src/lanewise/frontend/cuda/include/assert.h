// SPDX-License-Identifier: Apache-2.0
// The standard's assert, for kernels and host code alike. As the standard asks, including it again follows NDEBUG.
#ifndef __CUDA__
#include_next <assert.h>
#else
#include "lanewise/device_libc.h"

#ifndef LANEWISE_ASSERT_H
#define LANEWISE_ASSERT_H
extern "C" void __assert_fail(const char *message, const char *file, unsigned int line,
                              const char *function) noexcept __attribute__((noreturn));
#endif

#undef assert
#ifdef NDEBUG
#define assert(...) (static_cast<void>(0))
#else
#define assert(...)                                                                                              \
  (static_cast<bool>(__VA_ARGS__) ? static_cast<void>(0)                                                         \
                                  : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif
