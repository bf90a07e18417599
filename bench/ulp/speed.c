// SPDX-License-Identifier: Apache-2.0
// Calls a function for each element: what it costs as it is, one call after the other.

#define UNARY(name, type)                                                                                              \
  void name(type (*function)(type), long count, type *result, const type *x) {                                         \
    for (long i = 0; i < count; i++)                                                                                   \
      result[i] = function(x[i]);                                                                                      \
  }
#define BINARY(name, type)                                                                                             \
  void name(type (*function)(type, type), long count, type *result, const type *x, const type *y) {                    \
    for (long i = 0; i < count; i++)                                                                                   \
      result[i] = function(x[i], y[i]);                                                                                \
  }

UNARY(unary_float, float)
UNARY(unary_double, double)
BINARY(binary_float, float)
BINARY(binary_double, double)
