// SPDX-License-Identifier: Apache-2.0

// Powers of numbers, modulo others: as many rounds as the exponent has bits, with two remainders of 64 bits.
__kernel void modular_power(__global uint *out, __global const uint *bases, __global const ushort *exponents,
                            __global const uint *moduli, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  ulong base = bases[i], modulus = moduli[i], power = 1;
  for (uint exponent = exponents[i]; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      power = power * base % modulus;
    base = base * base % modulus;
  }
  out[i] = power;
}
