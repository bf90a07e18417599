// SPDX-License-Identifier: Apache-2.0
// Products of matrices that a warp holds, nvcuda::wmma (CUDA C++ Programming Guide, "Warp Matrix Functions"): fragments,
// their loads and stores, and D = A B + C, by PTX's instructions of the same names.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

#include "lanewise/matrices/fragments.h"

#include "lanewise/matrices/loads_and_stores.h"

#include "lanewise/matrices/products.h"

#endif
#endif
