// SPDX-License-Identifier: Apache-2.0
// A GPU's approximate instructions, and what is known of their errors.
//
// Source: PTX ISA 9.0, "Floating Point Instructions" of the same names. An ulp is one of the correctly rounded result.
//   ex2.approx.f32        2 ulp; on an H100, at all floats, 1.40 ulp of the exact result for arguments from 0, 2.06 below
//   lg2.approx.f32        absolute 2^-22 between 1/2 and 2, relative 2^-22 elsewhere
//   rcp.approx.f32        1 ulp
//   sqrt.approx.f32       relative 2^-23
//   rsqrt.approx.f32      relative 2^-22.9
//   rcp.approx.ftz.f64, rsqrt.approx.ftz.f64
//                         "gross": of the argument 20 bits of the significand count, and the result has 20. No error is
//                         stated: what uses them is right for a relative 2^-18, four times what the bits allow.
// The forms with .ftz take denormals for zeros and give none. Results for zeros, infinities and NaN are the limits.
//
// bench/ulp/approximations.h has models of these instructions, with which errors are measured where no GPU is.
#ifndef LANEWISE_MATHLIB_HARDWARE_INSTRUCTIONS_H
#define LANEWISE_MATHLIB_HARDWARE_INSTRUCTIONS_H

#include "arithmetic.h"

#ifdef LW_MODEL
#include LW_MODEL
#else

PRIVATE float approximate_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
PRIVATE float approximate_exp2_flushedf(float x) { return __nvvm_ex2_approx_ftz_f(x); }
PRIVATE float saturatedf(float x) { return __nvvm_saturate_f(x); }
PRIVATE float madf_down(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); } // rounded down
PRIVATE float approximate_log2_flushedf(float x) { return __nvvm_lg2_approx_ftz_f(x); }
PRIVATE float approximate_reciprocal_flushedf(float x) { return __nvvm_rcp_approx_ftz_f(x); }
PRIVATE float approximate_root_flushedf(float x) { return __nvvm_sqrt_approx_ftz_f(x); }
PRIVATE float approximate_reciprocal_rootf(float x) { return __nvvm_rsqrt_approx_f(x); }
PRIVATE float approximate_reciprocal_root_flushedf(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
PRIVATE double approximate_reciprocal(double x) { return __nvvm_rcp_approx_ftz_d(x); }
PRIVATE double approximate_reciprocal_root(double x) {
  double result;
  __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x));
  return result;
}

#endif

// The greater and the lesser of two, or NaN if one is NaN: an instruction from sm_80 on.
PRIVATE float greaterf(float a, float b) { return __builtin_elementwise_maximum(a, b); }
PRIVATE float lesserf(float a, float b) { return __builtin_elementwise_minimum(a, b); }

#endif
