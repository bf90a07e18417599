// SPDX-License-Identifier: Apache-2.0
// The CUDA samples' collection of helper headers.
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_

#include "helper_string.h"
#include "helper_timer.h"

#endif
