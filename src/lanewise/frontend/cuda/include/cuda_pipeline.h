// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a thread to shared memory: each is done at once, so that waiting has nothing to wait for.
#ifndef __CUDA_PIPELINE_H__
#define __CUDA_PIPELINE_H__

#include "cuda_pipeline_primitives.h"

#endif
