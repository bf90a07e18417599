// SPDX-License-Identifier: Apache-2.0
// The C and C++ library headers that nvcc's cuda_runtime.h brings along, with what libstdc++'s <cmath> includes. Only
// programs that name something of them read this.
#ifndef LANEWISE_STANDARD_LIBRARY_H
#define LANEWISE_STANDARD_LIBRARY_H

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <utility>

#include <__algorithm/copy.h>
#include <__algorithm/equal.h>
#include <__algorithm/fill.h>
#include <__algorithm/max.h>
#include <__algorithm/min.h>

#endif
