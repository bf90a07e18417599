// SPDX-License-Identifier: Apache-2.0
// The cycle counters and the wall clock of a device.
#ifndef LANEWISE_CLOCK_H
#define LANEWISE_CLOCK_H

#include "lanewise/qualifiers.h"

__LW_DEVICE__ long clock() { return __nvvm_read_ptx_sreg_clock(); }
__LW_DEVICE__ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
// nvcc has none, and programs define a function of this name, which is then preferred to a template.
template <int = 0> __LW_DEVICE__ unsigned long long __globaltimer() { return __nvvm_read_ptx_sreg_globaltimer(); }

#endif
