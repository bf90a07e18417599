// SPDX-License-Identifier: Apache-2.0
// NVIDIA puts part of cuda_bf16.h here.
#include "cuda_bf16.h"
