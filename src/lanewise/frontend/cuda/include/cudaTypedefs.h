// SPDX-License-Identifier: Apache-2.0
// The types of pointers to the driver's functions are not declared; what the driver's header has is.
#include "cuda.h"
