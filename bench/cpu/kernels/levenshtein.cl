// SPDX-License-Identifier: Apache-2.0
#define LENGTH 128

// A work-group a pair of words. Work-item j has column j + 1 of the table of distances, whose diagonals go from one
// barrier to the next; two of them are kept, and column 0 with them.
__kernel void levenshtein(__global int *distances, __global const uchar *words, __global const uchar *others) {
  __local int last[LENGTH + 1], before[LENGTH + 1];
  __local uchar word[LENGTH];
  int own = get_local_id(0), pair = get_group_id(0);
  uchar letter = others[pair * LENGTH + own];
  word[own] = words[pair * LENGTH + own];
  last[own + 1] = before[own + 1] = own + 1;
  if (own == 0)
    last[0] = before[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  int distance = 0;
  for (int diagonal = 0; diagonal < 2 * LENGTH - 1; diagonal++) {
    int row = diagonal - own;
    bool active = row >= 0 && row < LENGTH;
    if (active) {
      int left = own == 0 ? row + 1 : last[own];
      int corner = own == 0 ? row : before[own];
      distance = min(min(left, last[own + 1]) + 1, corner + (word[row] != letter));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (active) {
      before[own + 1] = last[own + 1];
      last[own + 1] = distance;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own == LENGTH - 1)
    distances[pair] = distance;
}
