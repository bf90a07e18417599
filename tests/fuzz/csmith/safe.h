// SPDX-License-Identifier: Apache-2.0
// What programs of Csmith call: arithmetic that is defined for all operands, and a checksum. Both compilers use it, so
// that only what they make of it can differ.
#pragma once

#define LW_SAFE_TWO(name, type, signs, result)                                                                         \
    inline type safe_##name##_func_##type##_##signs(type a, type b) { return (type)(result); }
#define LW_SAFE_SHIFTS(type, sign)                                                                                     \
    inline type safe_lshift_func_##type##_##sign##_s(type a, int b) { return (type)((uint64_t)a << LW_BITS(type, b)); }\
    inline type safe_lshift_func_##type##_##sign##_u(type a, unsigned b) {                                             \
        return (type)((uint64_t)a << LW_BITS(type, b));                                                                \
    }                                                                                                                  \
    inline type safe_rshift_func_##type##_##sign##_s(type a, int b) { return (type)(a >> LW_BITS(type, b)); }          \
    inline type safe_rshift_func_##type##_##sign##_u(type a, unsigned b) { return (type)(a >> LW_BITS(type, b)); }
#define LW_BITS(type, count) ((unsigned)(count) & (sizeof(type) * 8 - 1))
#define LW_UNDIVIDED(a, b) ((b) == 0 || (~(uint64_t)(b) == 0 && (uint64_t)(a) << (64 - sizeof(a) * 8) == 1ull << 63))
#define LW_SAFE(type, sign, signs)                                                                                     \
    LW_SAFE_TWO(add, type, signs, (uint64_t)a + (uint64_t)b)                                                           \
    LW_SAFE_TWO(sub, type, signs, (uint64_t)a - (uint64_t)b)                                                           \
    LW_SAFE_TWO(mul, type, signs, (uint64_t)a * (uint64_t)b)                                                           \
    LW_SAFE_TWO(div, type, signs, LW_UNDIVIDED(a, b) ? a : a / b)                                                      \
    LW_SAFE_TWO(mod, type, signs, LW_UNDIVIDED(a, b) ? a : a % b)                                                      \
    LW_SAFE_SHIFTS(type, sign)                                                                                         \
    inline type safe_unary_minus_func_##type##_##sign(type a) { return (type)(0 - (uint64_t)a); }

LW_SAFE(int8_t, s, s_s)
LW_SAFE(int16_t, s, s_s)
LW_SAFE(int32_t, s, s_s)
LW_SAFE(int64_t, s, s_s)
LW_SAFE(uint8_t, u, u_u)
LW_SAFE(uint16_t, u, u_u)
LW_SAFE(uint32_t, u, u_u)
LW_SAFE(uint64_t, u, u_u)

inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 29;
}

#define transparent_crc(value, name, print) (lw_hash = mixed(lw_hash, (uint64_t)(value)))
