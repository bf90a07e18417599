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

// The nearest number of the type. A comparison that is always false is between numbers that C makes of one type.
#define HIGHEST_OF_64(t) (IS(IS_SIGNED_, t) ? ~0ul >> 1 : ~0ul)
#define HIGHEST (HIGHEST_OF_64(TO) >> (64 - IS(BITS_, TO)))
#define LOWEST (IS(IS_SIGNED_, TO) ? -(long)HIGHEST - 1 : 0)
PRIVATE TO saturated(FROM x) {
#if IS(IS_SIGNED_, FROM)
  return (long)x < LOWEST ? (TO)LOWEST : x > 0 && (ulong)x > HIGHEST ? (TO)HIGHEST : (TO)x;
#else
  return (ulong)x > HIGHEST ? (TO)HIGHEST : (TO)x;
#endif
}
#define ROUND(mode, x) ((TO)(x))
#define SATURATE(mode, x) saturated(x)

#elif TO_IS_INTEGER

#define WIDENED JOIN(COMPUTED_, FROM)
#define TO_INTEGRAL(x) __builtin_elementwise_trunc(x)
#define TO_INTEGRAL_rtz(x) __builtin_elementwise_trunc(x)
#define TO_INTEGRAL_rte(x) __builtin_elementwise_rint(x)
#define TO_INTEGRAL_rtp(x) __builtin_elementwise_ceil(x)
#define TO_INTEGRAL_rtn(x) __builtin_elementwise_floor(x)
#define ROUND(mode, x) ((TO)TO_INTEGRAL##mode((WIDENED)x))
#define SATURATE(mode, x) ROUND(mode, x)

#elif PLACES(FROM) <= PLACES(TO)

#define ROUND(mode, x) ((TO)(x))

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

#define CONVERT(convert, suffix, number)                                                                    \
  OVERLOAD TO convert##suffix(FROM x) { return number; }                                                    \
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
#define NAMED_(convert, mode) CONVERT(convert, mode, ROUND(mode, x))
IN_MODES(NAMED)

#if TO_IS_INTEGER
#define NAMED_SAT(mode) NAMED_SAT_(JOIN(convert_, TO), mode)
#define NAMED_SAT_(convert, mode) CONVERT(convert, _sat##mode, SATURATE(mode, x))
IN_MODES(NAMED_SAT)
#endif
