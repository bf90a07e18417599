// SPDX-License-Identifier: Apache-2.0
__kernel void bitonic(__global uint *values, uint stage, uint pass) {
  uint i = get_global_id(0);
  uint distance = 1u << (stage - pass);
  uint left = (i & (distance - 1)) + ((i >> (stage - pass)) * 2 * distance);
  uint right = left + distance;
  uint a = values[left], b = values[right];
  uint less = min(a, b), greater = max(a, b);
  bool increasing = ((i >> stage) & 1) == 0;
  values[left] = increasing ? less : greater;
  values[right] = increasing ? greater : less;
}
