// SPDX-License-Identifier: Apache-2.0
// Atomic operations of any order and scope, for objects of 1, 2, 4 or 8 bytes: what CUDA 12.8's __nv_atomic_*
// functions and cuda::atomic are made of. The scope stands in each function's name and is read off it (scopes.py).
#ifndef LANEWISE_ATOMIC_OPERATIONS_H
#define LANEWISE_ATOMIC_OPERATIONS_H

#include "lanewise/qualifiers.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

enum __lw_scope {
  __lw_scope_thread = __NV_THREAD_SCOPE_THREAD,
  __lw_scope_block = __NV_THREAD_SCOPE_BLOCK,
  __lw_scope_cluster = __NV_THREAD_SCOPE_CLUSTER,
  __lw_scope_device = __NV_THREAD_SCOPE_DEVICE,
  __lw_scope_system = __NV_THREAD_SCOPE_SYSTEM
};

template <class Type> struct __lw_plain {
  typedef Type type;
};
template <class Type> struct __lw_plain<volatile Type> {
  typedef Type type;
};
// The type of a value for an address of `Type *`, which takes no part in the deduction of `Type`.
template <class Type> using __lw_value = typename __lw_plain<Type>::type;

// An atomic object lies at a multiple of its size, whatever its type needs.
template <class Type> __LW_DEVICE__ auto __lw_aligned(Type *address) {
  typedef Type __attribute__((aligned(sizeof(Type)))) aligned;
  return reinterpret_cast<aligned *>(address);
}

#define __LW_ATOMIC template <__lw_scope scope, class Type> __LW_DEVICE__
#define __LW_CHECK_SIZE                                                                                          \
  static_assert(sizeof(Type) != 16, "atomics of 16 bytes are not supported");                                    \
  static_assert(sizeof(Type) == 1 || sizeof(Type) == 2 || sizeof(Type) == 4 || sizeof(Type) == 8,                \
                "an atomic object has 1, 2, 4 or 8 bytes");

__LW_ATOMIC __lw_value<Type> __lw_load(Type *address, int order) {
  __LW_CHECK_SIZE
  __lw_value<Type> value;
  __scoped_atomic_load(__lw_aligned(address), &value, order, __MEMORY_SCOPE_SYSTEM);
  return value;
}

__LW_ATOMIC void __lw_store(Type *address, __lw_value<Type> value, int order) {
  __LW_CHECK_SIZE
  __scoped_atomic_store(__lw_aligned(address), &value, order, __MEMORY_SCOPE_SYSTEM);
}

__LW_ATOMIC __lw_value<Type> __lw_exchange(Type *address, __lw_value<Type> value, int order) {
  __LW_CHECK_SIZE
  __lw_value<Type> old;
  __scoped_atomic_exchange(__lw_aligned(address), &value, &old, order, __MEMORY_SCOPE_SYSTEM);
  return old;
}

// Where it fails, `expected` gets what was there.
__LW_ATOMIC bool __lw_compare_exchange(Type *address, __lw_value<Type> *expected, __lw_value<Type> value, int order,
                                       int at_failure) {
  __LW_CHECK_SIZE
  return __scoped_atomic_compare_exchange(__lw_aligned(address), expected, &value, false, order, at_failure,
                                          __MEMORY_SCOPE_SYSTEM);
}

#define __LW_FETCH(operation)                                                                                    \
  __LW_ATOMIC __lw_value<Type> __lw_fetch_##operation(Type *address, __lw_value<Type> value, int order) {        \
    __LW_CHECK_SIZE                                                                                              \
    return __scoped_atomic_fetch_##operation(address, value, order, __MEMORY_SCOPE_SYSTEM);                      \
  }
__LW_FETCH(add) __LW_FETCH(sub) __LW_FETCH(and) __LW_FETCH(or) __LW_FETCH(xor) __LW_FETCH(min) __LW_FETCH(max)
#undef __LW_FETCH
#undef __LW_CHECK_SIZE
#undef __LW_ATOMIC

template <__lw_scope scope> __LW_DEVICE__ void __lw_fence(int order) {
  __scoped_atomic_thread_fence(order, __MEMORY_SCOPE_SYSTEM);
}

// Architectures before sm_90 have no clusters.
constexpr __lw_scope __lw_scope_of(int number) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  return number == __NV_THREAD_SCOPE_CLUSTER ? __lw_scope_device : static_cast<__lw_scope>(number);
#else
  return static_cast<__lw_scope>(number);
#endif
}

// The scope may be left out and is then the system.
#define __LW_FIRST(first, ...) first
#define __LW_SCOPE(...) <__lw_scope_of(__LW_FIRST(__VA_ARGS__ __VA_OPT__(, ) __NV_THREAD_SCOPE_SYSTEM))>

#define __nv_atomic_load_n(address, order, ...) __lw_load __LW_SCOPE(__VA_ARGS__)(address, order)
#define __nv_atomic_load(address, result, order, ...)                                                            \
  static_cast<void>(*(result) = __lw_load __LW_SCOPE(__VA_ARGS__)(address, order))
#define __nv_atomic_store_n(address, value, order, ...) __lw_store __LW_SCOPE(__VA_ARGS__)(address, value, order)
#define __nv_atomic_store(address, value, order, ...) __lw_store __LW_SCOPE(__VA_ARGS__)(address, *(value), order)
#define __nv_atomic_exchange_n(address, value, order, ...)                                                       \
  __lw_exchange __LW_SCOPE(__VA_ARGS__)(address, value, order)
#define __nv_atomic_exchange(address, value, result, order, ...)                                                 \
  static_cast<void>(*(result) = __lw_exchange __LW_SCOPE(__VA_ARGS__)(address, *(value), order))
#define __nv_atomic_compare_exchange_n(address, expected, value, weak, success, failure, ...)                    \
  __lw_compare_exchange __LW_SCOPE(__VA_ARGS__)(address, expected, value, success, failure)
#define __nv_atomic_compare_exchange(address, expected, value, weak, success, failure, ...)                      \
  __lw_compare_exchange __LW_SCOPE(__VA_ARGS__)(address, expected, *(value), success, failure)

#define __LW_NV_FETCH(operation, address, value, order, ...)                                                     \
  __lw_fetch_##operation __LW_SCOPE(__VA_ARGS__)(address, value, order)
#define __nv_atomic_fetch_add(...) __LW_NV_FETCH(add, __VA_ARGS__)
#define __nv_atomic_fetch_sub(...) __LW_NV_FETCH(sub, __VA_ARGS__)
#define __nv_atomic_fetch_and(...) __LW_NV_FETCH(and, __VA_ARGS__)
#define __nv_atomic_fetch_or(...) __LW_NV_FETCH(or, __VA_ARGS__)
#define __nv_atomic_fetch_xor(...) __LW_NV_FETCH(xor, __VA_ARGS__)
#define __nv_atomic_fetch_min(...) __LW_NV_FETCH(min, __VA_ARGS__)
#define __nv_atomic_fetch_max(...) __LW_NV_FETCH(max, __VA_ARGS__)
#define __nv_atomic_add(...) static_cast<void>(__LW_NV_FETCH(add, __VA_ARGS__))
#define __nv_atomic_sub(...) static_cast<void>(__LW_NV_FETCH(sub, __VA_ARGS__))
#define __nv_atomic_and(...) static_cast<void>(__LW_NV_FETCH(and, __VA_ARGS__))
#define __nv_atomic_or(...) static_cast<void>(__LW_NV_FETCH(or, __VA_ARGS__))
#define __nv_atomic_xor(...) static_cast<void>(__LW_NV_FETCH(xor, __VA_ARGS__))
#define __nv_atomic_min(...) static_cast<void>(__LW_NV_FETCH(min, __VA_ARGS__))
#define __nv_atomic_max(...) static_cast<void>(__LW_NV_FETCH(max, __VA_ARGS__))

#define __nv_atomic_thread_fence(order, ...) __lw_fence __LW_SCOPE(__VA_ARGS__)(order)

#endif
