// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_CUDA_DEVICE_H
#define LANEWISE_OPENCL_CUDA_DEVICE_H

#include "types.h"

namespace lw_opencl {

// Opens the first GPU of NVIDIA's driver as a device; false, with lw_explanation, if there is none.
bool open_cuda_device();

// Properties that the driver tells; `is_known`: whether it is one of them.
cl_int cuda_device_info(cl_enum what, const Answer &answer, bool &is_known);

uint64_t bytes_of_cuda_device();

} // namespace lw_opencl

#endif
