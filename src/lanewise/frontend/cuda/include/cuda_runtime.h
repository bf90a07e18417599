// SPDX-License-Identifier: Apache-2.0
// CUDA C++ as programs expect it after <cuda_runtime.h>; every translation unit of CUDA begins with it, as with nvcc.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "lanewise/versions.h"

#ifdef __CUDA__
#include "lanewise/qualifiers.h"
#include "lanewise/integer_limits.h"
#include "lanewise/math_macros.h"
#include "lanewise/vector_types.h"
#include "lanewise/builtin_variables.h"

#include "assert.h"
#include "lanewise/device_libc.h"
#include "lanewise/heap.h"
#include "lanewise/host_libc.h"
#ifndef __CUDA_ARCH__
#include "lanewise/host_math.h"
#endif

#include "lanewise/math_overloads.h"
#include "lanewise/fast_math.h"
#include "lanewise/integer.h"
#include "lanewise/conversions.h"
#include "lanewise/arithmetic.h"

#include "lanewise/address_spaces.h"
#include "lanewise/atomics.h"
#include "lanewise/clock.h"
#include "lanewise/memory_hints.h"
#include "lanewise/synchronisation.h"
#include "lanewise/warp.h"

#include "lanewise/host_api.h"
#include "lanewise/device_launches.h"
#include "lanewise/textures.h"
#else
// A plain C or C++ compiler: the host's interface alone.
#include "lanewise/host_api.h"
#endif
#include "library_types.h"

// NVIDIA's include guards, which programs test to see what they have.
#define __BUILTIN_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_RUNTIME_API_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __MATH_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

#endif
