// SPDX-License-Identifier: Apache-2.0
// Random numbers after G. Marsaglia, Xorshift RNGs (2003).
uint next(uint state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__kernel void montecarlo(__global uint *hits, uint seed, int throws) {
  uint i = get_global_id(0);
  uint state = (i + 1) * 2654435761u ^ seed;
  uint inside = 0;
  for (int k = 0; k < throws; k++) {
    state = next(state);
    float x = (state >> 8) * 0x1p-24f;
    state = next(state);
    float y = (state >> 8) * 0x1p-24f;
    if (x * x + y * y < 1.0f)
      inside++;
  }
  hits[i] = inside;
}
