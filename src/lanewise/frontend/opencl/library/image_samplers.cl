// SPDX-License-Identifier: Apache-2.0
// Samplers of the source: the bits that CLK_FILTER_LINEAR and the like are made of, as a pointer.
#include "types.h"

__constant void *__translate_sampler_initializer(uint bits) { return (__constant void *)(ulong)bits; }
