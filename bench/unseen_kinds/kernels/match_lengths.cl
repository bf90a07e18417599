// SPDX-License-Identifier: Apache-2.0
#define WINDOW 48
#define LONGEST 32

// The length of the longest match of what follows each position with what follows one of the WINDOW positions before it,
// as a compressor looks for it.
__kernel void match_lengths(__global uchar *lengths, __global const uchar *text, int count) {
  int position = get_global_id(0);
  if (position >= count)
    return;
  int limit = min(LONGEST, count - position), longest = 0;
  for (int back = 1; back <= WINDOW && back <= position; back++) {
    int length = 0;
    while (length < limit) {
      if (text[position + length] != text[position - back + length])
        break;
      length++;
    }
    if (length > longest) {
      longest = length;
      if (longest == limit)
        break;
    }
  }
  lengths[position] = longest;
}
