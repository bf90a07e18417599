// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory.
#ifndef LANEWISE_OPENCL_SVM_H
#define LANEWISE_OPENCL_SVM_H

#include "types.h"

namespace lw_opencl {

// Whether an address is in memory of clSVMAlloc of a context; null: of any.
bool is_svm(const Context *context, const void *address, size_t bytes);

} // namespace lw_opencl

#endif
