// SPDX-License-Identifier: Apache-2.0
// Tests of libcudart in C++: each TEST is run in a process of its own (test_programs.py). Comments in front of one
// say what its process is to print, and the environment it gets:
//   // stderr: a line that contains this
//   // stdout: exactly these lines
//   // environment: NAME=VALUE
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"

#define TEST(name) extern "C" void name()

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                  \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#define EQUAL(left, right)                                                                                             \
  do {                                                                                                                 \
    long long equal_left = (long long)(left), equal_right = (long long)(right);                                        \
    if (equal_left != equal_right) {                                                                                   \
      fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #left, equal_left, equal_right);            \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

// A call of the API, and the error that it is to return.
#define GIVES(error, ...)                                                                                              \
  do {                                                                                                                 \
    cudaError_t given = (__VA_ARGS__);                                                                                 \
    if (given != (error)) {                                                                                            \
      fprintf(stderr, "%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #__VA_ARGS__, cudaGetErrorName(given),       \
              cudaGetErrorName(error));                                                                                \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)
#define OK(...) GIVES(cudaSuccess, __VA_ARGS__)

#endif
