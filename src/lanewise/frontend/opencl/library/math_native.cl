// SPDX-License-Identifier: Apache-2.0
// native_ functions (6.12.2): a GPU's approximate instructions, and what other devices have for those.
#include "types.h"

OVERLOAD float native_sin(float x) { return __nvvm_sin_approx_f(x); }
OVERLOAD float native_cos(float x) { return __nvvm_cos_approx_f(x); }
OVERLOAD float native_divide(float x, float y) { return __nvvm_div_approx_f(x, y); }
OVERLOAD float native_tan(float x) { return native_divide(native_sin(x), native_cos(x)); }
OVERLOAD float native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
OVERLOAD float native_exp(float x) { return native_exp2(x * M_LOG2E_F); }
OVERLOAD float native_exp10(float x) { return native_exp2(x * (M_LN10_F * M_LOG2E_F)); }
OVERLOAD float native_log2(float x) { return __nvvm_lg2_approx_f(x); }
OVERLOAD float native_log(float x) { return native_log2(x) * M_LN2_F; }
OVERLOAD float native_log10(float x) { return native_log2(x) * (M_LN2_F * M_LOG10E_F); }
OVERLOAD float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }
OVERLOAD float native_recip(float x) { return native_divide(1, x); }
OVERLOAD float native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
OVERLOAD float native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }

BY_COMPONENT_1(float, native_sin, float)
BY_COMPONENT_1(float, native_cos, float)
BY_COMPONENT_1(float, native_tan, float)
BY_COMPONENT_1(float, native_exp, float)
BY_COMPONENT_1(float, native_exp2, float)
BY_COMPONENT_1(float, native_exp10, float)
BY_COMPONENT_1(float, native_log, float)
BY_COMPONENT_1(float, native_log2, float)
BY_COMPONENT_1(float, native_log10, float)
BY_COMPONENT_1(float, native_recip, float)
BY_COMPONENT_1(float, native_sqrt, float)
BY_COMPONENT_1(float, native_rsqrt, float)
BY_COMPONENT_2(float, native_divide, float, float)
BY_COMPONENT_2(float, native_powr, float, float)
