// SPDX-License-Identifier: Apache-2.0
// Function and variable qualifiers of CUDA C++ as clang's attributes (CUDA C++ Programming Guide, language extensions).
#ifndef LANEWISE_QUALIFIERS_H
#define LANEWISE_QUALIFIERS_H

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device, section("lanewise.managed")))
#define __maxnreg__(count) __attribute__((annotate("lanewise.maxnreg", (int)(count))))  // limit_registers.py
#else
#define __maxnreg__(count)
#define __managed__ __attribute__((device))
#endif
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#else
// A plain C or C++ compiler reads the host's interface alone.
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __cudart_builtin__
#define __device_builtin__
#define __builtin_align__(bytes) __align__(bytes)
#define __host_device__ __host__ __device__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

// What the functions of these headers begin with: always inlined; without debug information, so that a debugger and a
// diagnostic stay in the user's file; internal, so that an unused one leaves nothing in the module.
#ifdef __CUDA__
#define __LW_DEVICE__ static __inline__ __attribute__((device, always_inline, nodebug))
#define __LW_HOST_DEVICE__ static __inline__ __attribute__((host, device, always_inline, nodebug))
#define __LW_WARP__ static __inline__ __attribute__((device, convergent, always_inline, nodebug))
// An overload that host code finds of a name for device code. Clang doesn't check such calls itself, because it
// compiles device code only; host_misuse.py reads the warning.
#define __LW_NOT_IN_HOST_CODE(name)                                                                              \
  __attribute__((host, diagnose_if(true, #name " can be used in device code only", "warning")))
// A mathematical function outside these headers: no memory, no errno, no exception, free to be moved and vectorised.
#define __LW_PURE__ __attribute__((device, const, nothrow, noconvergent))
#else
#define __LW_HOST_DEVICE__ static __inline__
#endif

#endif
