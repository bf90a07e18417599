// SPDX-License-Identifier: Apache-2.0
// The parts of a launch that graphs share with cudaLaunchKernel.
#ifndef LANEWISE_CUDART_KERNEL_LAUNCHES_H
#define LANEWISE_CUDART_KERNEL_LAUNCHES_H

#include "streams.h"

namespace lw_cudart {

// Checks a launch and fills it in, but for its arguments.
cudaError_t prepare_launch(Function *function, const dim3 &grid, const dim3 &block, size_t shared_bytes, uint32_t flags,
                           Launch *launch);

// Copies arguments from where `arguments` points into a kernel's packed form.
cudaError_t pack(const lw_kernel_image *kernel, void **arguments, void *packed);

// Most bytes of dynamic shared memory that a launch may ask for.
int dynamic_limit(const Function *function);

// Sets the host runtime up, once: what happens to kernels that fail, and to pointers of the host.
void prepare_for_launches();

} // namespace lw_cudart

#endif
