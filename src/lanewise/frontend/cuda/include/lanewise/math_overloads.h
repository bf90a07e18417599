// SPDX-License-Identifier: Apache-2.0
// C++'s overloads beyond float and double: integer arguments count as double, mixed arguments meet at double; abs over
// all arithmetic types; the names in std.
#ifndef LANEWISE_MATH_OVERLOADS_H
#define LANEWISE_MATH_OVERLOADS_H

#include "lanewise/math_library.h"
#include "lanewise/math_min_max.h"

template <bool condition, class Type = void> struct __lw_enable_if {};
template <class Type> struct __lw_enable_if<true, Type> {
  typedef Type type;
};
template <class Type> struct __lw_is_float {
  static constexpr bool value = false;
};
template <> struct __lw_is_float<float> {
  static constexpr bool value = true;
};
// Arithmetic, and not a pair that a plain overload takes.
template <class Left, class Right> struct __lw_mixed {
  static constexpr bool value = __is_arithmetic(Left) && __is_arithmetic(Right) &&
                                (__is_integral(Left) || __is_integral(Right) || !__is_same(Left, Right));
};

#define __LW_UNARY(name)                                                                                         \
  template <class Type>                                                                                          \
  __LW_DEVICE__ typename __lw_enable_if<__is_integral(Type), double>::type name(Type x) {                        \
    return name(static_cast<double>(x));                                                                         \
  }
#define __LW_BINARY(name)                                                                                        \
  template <class Left, class Right>                                                                             \
  __LW_DEVICE__ typename __lw_enable_if<__lw_mixed<Left, Right>::value, double>::type name(Left x, Right y) {    \
    return name(static_cast<double>(x), static_cast<double>(y));                                                 \
  }

__LW_LIBM_UNARY(__LW_UNARY)
__LW_UNARY(fabs) __LW_UNARY(floor) __LW_UNARY(ceil) __LW_UNARY(trunc) __LW_UNARY(rint) __LW_UNARY(round)
__LW_UNARY(nearbyint) __LW_UNARY(sqrt)
__LW_BINARY(atan2) __LW_BINARY(fmod) __LW_BINARY(hypot) __LW_BINARY(nextafter) __LW_BINARY(remainder)
__LW_BINARY(copysign) __LW_BINARY(fmin) __LW_BINARY(fmax) __LW_BINARY(fdim)
#undef __LW_UNARY
#undef __LW_BINARY

#define __LW_OF_INTEGER(result, name, more, ...)                                                                 \
  template <class Type>                                                                                          \
  __LW_DEVICE__ typename __lw_enable_if<__is_integral(Type), result>::type name(Type x __LW_UNPACKED more) {     \
    return name(static_cast<double>(x) __VA_OPT__(, ) __VA_ARGS__);                                              \
  }
#define __LW_UNPACKED(...) __VA_OPT__(, ) __VA_ARGS__
__LW_OF_INTEGER(double, frexp, (int *exponent), exponent)
__LW_OF_INTEGER(double, ldexp, (int exponent), exponent)
__LW_OF_INTEGER(double, scalbn, (int exponent), exponent)
__LW_OF_INTEGER(double, scalbln, (long exponent), exponent)
__LW_OF_INTEGER(int, ilogb, ())
__LW_OF_INTEGER(long, lrint, ())
__LW_OF_INTEGER(long, lround, ())
__LW_OF_INTEGER(long long, llrint, ())
__LW_OF_INTEGER(long long, llround, ())
__LW_OF_INTEGER(bool, isfinite, ())
__LW_OF_INTEGER(bool, isinf, ())
__LW_OF_INTEGER(bool, isnan, ())
__LW_OF_INTEGER(bool, isnormal, ())
__LW_OF_INTEGER(bool, signbit, ())
#undef __LW_OF_INTEGER
#undef __LW_UNPACKED

template <class Left, class Right>
__LW_DEVICE__ typename __lw_enable_if<__lw_mixed<Left, Right>::value, double>::type remquo(Left x, Right y,
                                                                                           int *quotient) {
  return remquo(static_cast<double>(x), static_cast<double>(y), quotient);
}
template <class First, class Second, class Third>
__LW_DEVICE__ typename __lw_enable_if<__lw_mixed<First, Second>::value || __lw_mixed<Second, Third>::value,
                                      double>::type
fma(First x, Second y, Third z) {
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

// pow(float, int) stays in float, as in CUDA.
__LW_DEVICE__ float pow(float x, int n) { return pow(x, static_cast<float>(n)); }
__LW_DEVICE__ double pow(double x, int n) { return pow(x, static_cast<double>(n)); }
template <class Left, class Right>
__LW_DEVICE__ typename __lw_enable_if<__lw_mixed<Left, Right>::value &&
                                          !(__is_floating_point(Left) && __is_same(Right, int)),
                                      double>::type
pow(Left x, Right y) {
  return pow(static_cast<double>(x), static_cast<double>(y));
}

__LW_DEVICE__ int abs(int x) { return x < 0 ? -x : x; }
__LW_DEVICE__ long abs(long x) { return x < 0 ? -x : x; }
__LW_DEVICE__ long long abs(long long x) { return x < 0 ? -x : x; }
__LW_DEVICE__ float abs(float x) { return fabs(x); }
__LW_DEVICE__ double abs(double x) { return fabs(x); }
__LW_DEVICE__ long labs(long x) { return abs(x); }
__LW_DEVICE__ long long llabs(long long x) { return abs(x); }

#define __LW_USING(name) using ::name;
namespace std {
__LW_LIBM_UNARY(__LW_USING)
__LW_LIBM_BINARY(__LW_USING)
using ::abs, ::ceil, ::copysign, ::fabs, ::fdim, ::floor, ::fma, ::fmax, ::fmin, ::frexp, ::ilogb, ::isfinite, ::isinf;
using ::isnan, ::isnormal, ::labs, ::ldexp, ::llabs, ::llrint, ::llround, ::lrint, ::lround, ::modf, ::nearbyint;
using ::remquo, ::rint, ::round, ::scalbln, ::scalbn, ::signbit, ::sqrt, ::trunc;
} // namespace std
#undef __LW_USING

#endif
