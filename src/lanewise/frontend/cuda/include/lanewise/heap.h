// SPDX-License-Identifier: Apache-2.0
// new and delete in device code, on the heap that malloc and free use; and placement new, which needs no <new>.
// A C++ header's host functions of the same signature are overloads beside them.
#ifndef LANEWISE_HEAP_H
#define LANEWISE_HEAP_H

#include "lanewise/device_libc.h"

namespace std {
enum class align_val_t : __SIZE_TYPE__;
}

// The heap's blocks are aligned to 16 bytes. One for more has the address of its block in front of it.
__LW_DEVICE__ void *__lw_allocate_aligned(__SIZE_TYPE__ bytes, __SIZE_TYPE__ alignment) {
  char *block = static_cast<char *>(malloc(bytes + alignment + sizeof(void *)));
  if (block == nullptr)
    return nullptr;
  char *first = block + sizeof(void *) + alignment - 1;
  void **place = reinterpret_cast<void **>(first - reinterpret_cast<__SIZE_TYPE__>(first) % alignment);
  place[-1] = block;
  return place;
}

__LW_DEVICE__ void __lw_free_aligned(void *place) {
  if (place != nullptr)
    free(static_cast<void **>(place)[-1]);
}

#define __LW_NEW__ inline __attribute__((device, nodebug))

// As CUDA's, new gives a null pointer where memory is short (hence clang's option -fcheck-new).
__LW_NEW__ void *operator new(__SIZE_TYPE__ bytes) { return malloc(bytes != 0 ? bytes : 1); }
__LW_NEW__ void *operator new[](__SIZE_TYPE__ bytes) { return malloc(bytes != 0 ? bytes : 1); }
__LW_NEW__ void operator delete(void *memory) noexcept { free(memory); }
__LW_NEW__ void operator delete[](void *memory) noexcept { free(memory); }
__LW_NEW__ void operator delete(void *memory, __SIZE_TYPE__) noexcept { free(memory); }
__LW_NEW__ void operator delete[](void *memory, __SIZE_TYPE__) noexcept { free(memory); }

__LW_NEW__ void *operator new(__SIZE_TYPE__ bytes, std::align_val_t alignment) {
  return __lw_allocate_aligned(bytes, static_cast<__SIZE_TYPE__>(alignment));
}
__LW_NEW__ void *operator new[](__SIZE_TYPE__ bytes, std::align_val_t alignment) {
  return __lw_allocate_aligned(bytes, static_cast<__SIZE_TYPE__>(alignment));
}
__LW_NEW__ void operator delete(void *memory, std::align_val_t) noexcept { __lw_free_aligned(memory); }
__LW_NEW__ void operator delete[](void *memory, std::align_val_t) noexcept { __lw_free_aligned(memory); }
__LW_NEW__ void operator delete(void *memory, __SIZE_TYPE__, std::align_val_t) noexcept { __lw_free_aligned(memory); }
__LW_NEW__ void operator delete[](void *memory, __SIZE_TYPE__, std::align_val_t) noexcept {
  __lw_free_aligned(memory);
}

__LW_NEW__ void *operator new(__SIZE_TYPE__, void *place) noexcept { return place; }
__LW_NEW__ void *operator new[](__SIZE_TYPE__, void *place) noexcept { return place; }
__LW_NEW__ void operator delete(void *, void *) noexcept {}
__LW_NEW__ void operator delete[](void *, void *) noexcept {}

#undef __LW_NEW__

// A slot of an abstract class's table of virtual functions. Clang refers to it by this name alone, without looking for a
// declaration, so that an inline function in a precompiled header would stay there.
extern "C" __attribute__((device, weak, nodebug)) void __cxa_pure_virtual() { __builtin_trap(); }

#endif
