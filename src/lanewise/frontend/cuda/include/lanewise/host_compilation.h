// SPDX-License-Identifier: Apache-2.0
// What clang's pass over the host code of a program needs besides <cuda_runtime.h>: the calls that it makes of
// `kernel<<<grid, block, shared, stream>>>(...)`.
#ifndef LANEWISE_HOST_COMPILATION_H
#define LANEWISE_HOST_COMPILATION_H

#include "lanewise/vector_types.h"

extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, __SIZE_TYPE__ shared_bytes = 0,
                                                    void *stream = nullptr);

#endif
