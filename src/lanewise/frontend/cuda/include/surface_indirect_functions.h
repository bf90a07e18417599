// SPDX-License-Identifier: Apache-2.0
// Everything that NVIDIA's header of this name declares is in cuda_runtime.h.
#include "cuda_runtime.h"
