// SPDX-License-Identifier: Apache-2.0
// NVIDIA puts part of cuda_fp16.h here.
#include "cuda_fp16.h"
