// SPDX-License-Identifier: Apache-2.0
// Allocations, for the calls that need some.
#ifndef LANEWISE_CUDART_MEMORY_H
#define LANEWISE_CUDART_MEMORY_H

namespace lw_cudart {

enum { PITCH = 512 }; // what rows of pitched memory are a multiple of

cudaError_t allocate(void **memory, size_t bytes, uint32_t kind, unsigned int flags);
// The caller has waited for the work that uses the memory.
cudaError_t release(void *memory, uint32_t kind);

// Tells checks of memory that is to be freed and has been.
void tell_if_freed(void *memory);

// Calls of cudaFreeAsync whose streams have not come to them yet.
extern unsigned int frees_to_come;

// Memory of cudaMallocAsync that is freed by cudaFree.
void forget_pooled(void *memory);

// Fails while the thread captures in a mode that forbids calls which may wait for the device.
cudaError_t require_no_unsafe_capture();

} // namespace lw_cudart

#endif
