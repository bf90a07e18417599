// SPDX-License-Identifier: Apache-2.0
// Launches from device code, which there are none of. With relocatable device code, clang looks these functions up where
// a lambda of host code launches a kernel, as that might run on the device.
#ifndef LANEWISE_DEVICE_LAUNCHES_H
#define LANEWISE_DEVICE_LAUNCHES_H

#ifdef __CUDACC_RDC__
extern "C" __device__ void *cudaGetParameterBuffer(__SIZE_TYPE__ alignment, __SIZE_TYPE__ bytes);
extern "C" __device__ cudaError_t cudaLaunchDevice(void *kernel, void *arguments, dim3 grid, dim3 block,
                                                   unsigned int shared_bytes, cudaStream_t stream);
#endif

#endif
