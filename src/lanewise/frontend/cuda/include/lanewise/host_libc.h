// SPDX-License-Identifier: Apache-2.0
// Host declarations of the C library functions that nvcc's own headers bring along, and
// CUDA's additions to them. Written out, because reading the
// library's headers takes longer than compiling a small kernel; they agree with those headers, should they follow.
#ifndef LANEWISE_HOST_LIBC_H
#define LANEWISE_HOST_LIBC_H

#include "lanewise/libm_names.h"

typedef __SIZE_TYPE__ size_t;
typedef long clock_t;
typedef long time_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define NULL __null

#define __LW_UNARY(name)                                                                                         \
  double name(double) noexcept;                                                                                  \
  float name##f(float) noexcept;
#define __LW_BINARY(name)                                                                                        \
  double name(double, double) noexcept;                                                                          \
  float name##f(float, float) noexcept;

extern "C" {
__LW_LIBM_UNARY(__LW_UNARY)
__LW_LIBM_UNARY_C_ONLY(__LW_UNARY)
__LW_LIBM_BINARY(__LW_BINARY)
__LW_UNARY(ceil) __LW_UNARY(fabs) __LW_UNARY(floor) __LW_UNARY(nearbyint) __LW_UNARY(rint) __LW_UNARY(round)
__LW_UNARY(sqrt) __LW_UNARY(trunc)
__LW_BINARY(copysign) __LW_BINARY(fdim) __LW_BINARY(fmax) __LW_BINARY(fmin)
__LW_CUDA_UNARY(__LW_UNARY)
__LW_BINARY(rhypot)
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;

int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
double atof(const char *) noexcept;
int rand() noexcept;
void srand(unsigned int) noexcept;
void *malloc(__SIZE_TYPE__) noexcept;
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__) noexcept;
void *realloc(void *, __SIZE_TYPE__) noexcept;
void free(void *) noexcept;
void exit(int) noexcept __attribute__((noreturn));
void abort() noexcept __attribute__((noreturn));

void *memcpy(void *, const void *, __SIZE_TYPE__) noexcept;
void *memmove(void *, const void *, __SIZE_TYPE__) noexcept;
void *memset(void *, int, __SIZE_TYPE__) noexcept;
int memcmp(const void *, const void *, __SIZE_TYPE__) noexcept;
int strcmp(const char *, const char *) noexcept;
int strncmp(const char *, const char *, __SIZE_TYPE__) noexcept;
char *strcpy(char *, const char *) noexcept;
char *strcat(char *, const char *) noexcept;
__SIZE_TYPE__ strlen(const char *) noexcept;

int printf(const char *, ...);
int sprintf(char *, const char *, ...) noexcept;
int snprintf(char *, __SIZE_TYPE__, const char *, ...) noexcept;
int puts(const char *);
time_t time(time_t *) noexcept;
clock_t clock() noexcept;
}

#undef __LW_UNARY
#undef __LW_BINARY

#endif
