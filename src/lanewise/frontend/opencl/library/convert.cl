// SPDX-License-Identifier: Apache-2.0
// Explicit conversions (6.2.3) from FROM to TO and from vectors to vectors, in all rounding modes, with _sat and
// without. Clang is told to have casts of floating-point numbers to integers saturate and make 0 of NaN: that is
// _sat, and what is chosen here where the specification leaves a conversion out of range open.
#include "to_half.h"

#define IS(property, t) JOIN(property, t)
#define TO_IS_INTEGER IS(INTEGER_, TO)
#define FROM_IS_INTEGER IS(INTEGER_, FROM)
#define INTEGER_char 1
#define INTEGER_uchar 1
#define INTEGER_short 1
#define INTEGER_ushort 1
#define INTEGER_int 1
#define INTEGER_uint 1
#define INTEGER_long 1
#define INTEGER_ulong 1
#define INTEGER_half 0
#define INTEGER_float 0
#define INTEGER_double 0

// How many bits a number's value takes, without its sign. All integers of so many are floating-point numbers of so
// many, but for those beyond the largest half.
#define PLACES(t) JOIN(PLACES_, t)
#define PLACES_char 7
#define PLACES_uchar 8
#define PLACES_short 15
#define PLACES_ushort 16
#define PLACES_int 31
#define PLACES_uint 32
#define PLACES_long 63
#define PLACES_ulong 64
#define PLACES_half 11
#define PLACES_float 24
#define PLACES_double 53

#if FROM_IS_INTEGER && TO_IS_INTEGER

// The ends of the type of results, and the nearest number between those that a number `x` of type `t` may be beyond.
#define HIGHEST_OF_64(t) (IS(IS_SIGNED_, t) ? ~0ul >> 1 : ~0ul)
#define HIGHEST (HIGHEST_OF_64(TO) >> (64 - IS(BITS_, TO)))
#define LOWEST (IS(IS_SIGNED_, TO) ? -(long)HIGHEST - 1 : 0)
#if IS(IS_SIGNED_, FROM) && (!IS(IS_SIGNED_, TO) || PLACES(FROM) > PLACES(TO))
#define RAISED(x, t) __builtin_elementwise_max(x, (t)((FROM)LOWEST))
#else
#define RAISED(x, t) x
#endif
#if PLACES(FROM) > PLACES(TO)
#define BOUNDED(x, t) __builtin_elementwise_min(RAISED(x, t), (t)((FROM)HIGHEST))
#else
#define BOUNDED(x, t) RAISED(x, t)
#endif
#define ROUND(mode, x) ((TO)(x))
#define SATURATE(mode, x) ((TO)BOUNDED(x, FROM))
#define ROUND_VECTOR(mode, x, n) __builtin_convertvector(x, V##n(TO))
#define SATURATE_VECTOR(mode, x, n) ROUND_VECTOR(mode, BOUNDED(x, V##n(FROM)), n)

#elif TO_IS_INTEGER

#define WIDENED JOIN(COMPUTED_, FROM)
#define TO_INTEGRAL(x) __builtin_elementwise_trunc(x)
#define TO_INTEGRAL_rtz(x) __builtin_elementwise_trunc(x)
#define TO_INTEGRAL_rte(x) __builtin_elementwise_rint(x)
#define TO_INTEGRAL_rtp(x) __builtin_elementwise_ceil(x)
#define TO_INTEGRAL_rtn(x) __builtin_elementwise_floor(x)
#define ROUND(mode, x) ((TO)TO_INTEGRAL##mode((WIDENED)x))
#define SATURATE(mode, x) ROUND(mode, x)

// Casts of vectors don't saturate, nor does a function of clang.
#define SATURATING(n)                                                                                    \
  PURE V##n(TO) __lw_saturated(V##n(WIDENED) x) __attribute__((overloadable))                            \
      __asm("llvm.fpto" SIGN(TO) "i.sat.v" #n "i" TEXT(IS(BITS_, TO)) ".v" #n "f" TEXT(IS(BITS_, WIDENED)));
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define SIGN(t) JOIN(SIGN_, IS(IS_SIGNED_, t))
#define SIGN_0 "u"
#define SIGN_1 "s"
#define BITS_float 32
#define BITS_double 64
SATURATING(2) SATURATING(3) SATURATING(4) SATURATING(8) SATURATING(16)
#define ROUND_VECTOR(mode, x, n) __lw_saturated(TO_INTEGRAL##mode(__builtin_convertvector(x, V##n(WIDENED))))
#define SATURATE_VECTOR(mode, x, n) ROUND_VECTOR(mode, x, n)

#elif PLACES(FROM) <= PLACES(TO)

#define ROUND(mode, x) ((TO)(x))
#define ROUND_VECTOR(mode, x, n) __builtin_convertvector(x, V##n(TO))

#else

// An instruction for each mode. (Clang's own names for them are of its long long, which has 128 bits.)
#define DIRECTED(to)                                                                            \
  PURE to __lw_towards_zero(WORD x) __asm("llvm.nvvm." LETTERS(FROM) "2" LETTERS(to) ".rz");    \
  PURE to __lw_upwards(WORD x) __asm("llvm.nvvm." LETTERS(FROM) "2" LETTERS(to) ".rp");         \
  PURE to __lw_downwards(WORD x) __asm("llvm.nvvm." LETTERS(FROM) "2" LETTERS(to) ".rm");
#define WORD JOIN(WORD_, FROM)
#define WORD_short int
#define WORD_ushort uint
#define WORD_int int
#define WORD_uint uint
#define WORD_long long
#define WORD_ulong ulong
#define WORD_double double
#define LETTERS(t) JOIN(LETTERS_, t)
#define LETTERS_short "i"
#define LETTERS_ushort "ui"
#define LETTERS_int "i"
#define LETTERS_uint "ui"
#define LETTERS_long "ll"
#define LETTERS_ulong "ull"
#define LETTERS_float "f"
#define LETTERS_double "d"

#if PLACES(TO) > PLACES(half)
DIRECTED(TO)
#define ROUND(mode, x) ROUNDED##mode(x)
#define ROUNDED(x) ((TO)(x))
#define ROUNDED_rte(x) ((TO)(x))
#define ROUNDED_rtz(x) __lw_towards_zero(x)
#define ROUNDED_rtp(x) __lw_upwards(x)
#define ROUNDED_rtn(x) __lw_downwards(x)

#elif FROM_IS_INTEGER
// Two steps to the same side arrive where one would.
DIRECTED(float)
ROUND_TO_HALF(float)
#define ROUND(mode, x) ROUNDED##mode(x)
#define ROUNDED(x) ((half)(x))
#define ROUNDED_rte(x) ((half)(x))
#define ROUNDED_rtz(x) to_half_rtz(__lw_towards_zero(x))
#define ROUNDED_rtp(x) to_half_rtp(__lw_upwards(x))
#define ROUNDED_rtn(x) to_half_rtn(__lw_downwards(x))

#else
ROUND_TO_HALF(FROM)
#define ROUND(mode, x) to_half##mode(x)
#endif

#endif

// A vector is converted as one where that can be said: LLVM doesn't put together what is converted by component.
#define CONVERT_WHOLE(convert, suffix, n, vector) \
  OVERLOAD V##n(TO) convert##n##suffix(V##n(FROM) x) { return vector; }
#define CONVERT_AS_VECTORS(convert, suffix, mode, number, VECTOR)     \
  OVERLOAD TO convert##suffix(FROM x) { return number(mode, x); }     \
  CONVERT_WHOLE(convert, suffix, 2, VECTOR(mode, x, 2))               \
  CONVERT_WHOLE(convert, suffix, 3, VECTOR(mode, x, 3))               \
  CONVERT_WHOLE(convert, suffix, 4, VECTOR(mode, x, 4))               \
  CONVERT_WHOLE(convert, suffix, 8, VECTOR(mode, x, 8))               \
  CONVERT_WHOLE(convert, suffix, 16, VECTOR(mode, x, 16))
#define CONVERT_BY_COMPONENT(convert, suffix, mode, number)                                                       \
  OVERLOAD TO convert##suffix(FROM x) { return number(mode, x); }                                                 \
  OVERLOAD V2(TO) convert##2##suffix(V2(FROM) x) { return (V2(TO))(convert##suffix(x.x), convert##suffix(x.y)); } \
  OVERLOAD V3(TO) convert##3##suffix(V3(FROM) x) {                                                          \
    return (V3(TO))(convert##suffix(x.x), convert##suffix(x.y), convert##suffix(x.z));                      \
  }                                                                                                         \
  OVERLOAD V4(TO) convert##4##suffix(V4(FROM) x) {                                                          \
    return (V4(TO))(convert##2##suffix(x.lo), convert##2##suffix(x.hi));                                    \
  }                                                                                                         \
  OVERLOAD V8(TO) convert##8##suffix(V8(FROM) x) {                                                          \
    return (V8(TO))(convert##4##suffix(x.lo), convert##4##suffix(x.hi));                                    \
  }                                                                                                         \
  OVERLOAD V16(TO) convert##16##suffix(V16(FROM) x) {                                                       \
    return (V16(TO))(convert##8##suffix(x.lo), convert##8##suffix(x.hi));                                   \
  }
#define IN_MODES(macro) macro() macro(_rte) macro(_rtz) macro(_rtp) macro(_rtn)
#define NAMED(mode) NAMED_(JOIN(convert_, TO), mode)
#ifdef ROUND_VECTOR
#define NAMED_(convert, mode) CONVERT_AS_VECTORS(convert, mode, mode, ROUND, ROUND_VECTOR)
#else
#define NAMED_(convert, mode) CONVERT_BY_COMPONENT(convert, mode, mode, ROUND)
#endif
IN_MODES(NAMED)

#if TO_IS_INTEGER
#define NAMED_SAT(mode) NAMED_SAT_(JOIN(convert_, TO), mode)
#ifdef SATURATE_VECTOR
#define NAMED_SAT_(convert, mode) CONVERT_AS_VECTORS(convert, _sat##mode, mode, SATURATE, SATURATE_VECTOR)
#else
#define NAMED_SAT_(convert, mode) CONVERT_BY_COMPONENT(convert, _sat##mode, mode, SATURATE)
#endif
IN_MODES(NAMED_SAT)
#endif
