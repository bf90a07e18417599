// SPDX-License-Identifier: Apache-2.0
// The parts of the system's library that nvcc's own headers bring along, for host code that names something of them
// without including it.
#ifndef LANEWISE_HOST_STANDARD_LIBRARY_H
#define LANEWISE_HOST_STANDARD_LIBRARY_H

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string>
#include <utility>

#endif
