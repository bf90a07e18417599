// SPDX-License-Identifier: Apache-2.0
// Votes of a work-group (OpenCL C 3.0, 6.15.16).
#include "types.h"

#define COLLECTIVE __attribute__((overloadable, convergent))

COLLECTIVE int work_group_all(int predicate) { return __nvvm_bar0_and(predicate != 0); }
COLLECTIVE int work_group_any(int predicate) { return __nvvm_bar0_or(predicate != 0); }
