// SPDX-License-Identifier: Apache-2.0

// Four random numbers for each counter: ten rounds of Philox (Salmon and others, 2011, section 3.3).
__kernel void philox(__global uint4 *out, uint key0, uint key1, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  uint4 x = (uint4)(i, i ^ 0x5bd1e995u, 7u, 11u);
  for (int round = 0; round < 10; round++) {
    uint high0 = mul_hi(0xD2511F53u, x.x), low0 = 0xD2511F53u * x.x;
    uint high1 = mul_hi(0xCD9E8D57u, x.z), low1 = 0xCD9E8D57u * x.z;
    x = (uint4)(high1 ^ x.y ^ key0, low1, high0 ^ x.w ^ key1, low0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  out[i] = x;
}
