// SPDX-License-Identifier: Apache-2.0
// Checks of the test programs: the first that fails ends the program with its place.
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                         \
  do {                                                                                                           \
    if (!(condition)) {                                                                                          \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
      exit(1);                                                                                                   \
    }                                                                                                            \
  } while (0)

#define EXPECT(code, call)                                                                                       \
  do {                                                                                                           \
    cudaError_t check_found = (call);                                                                                 \
    if (check_found != (code)) {                                                                                       \
      printf("%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(check_found), #code);              \
      exit(1);                                                                                                   \
    }                                                                                                            \
  } while (0)

#define OK(call) EXPECT(cudaSuccess, call)
