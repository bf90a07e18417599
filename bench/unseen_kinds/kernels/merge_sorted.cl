// SPDX-License-Identifier: Apache-2.0

// Two sorted arrays as one: each work-item finds how many numbers of the other array come before its own.
__kernel void merge_sorted(__global int *out, __global const int *a, __global const int *b, int count) {
  int i = get_global_id(0), second = get_global_id(1);
  if (i >= count)
    return;
  __global const int *other = second ? a : b;
  int value = second ? b[i] : a[i], from = 0, to = count;
  while (from < to) {
    int middle = (from + to) / 2;
    if (other[middle] < value || (second && other[middle] == value))
      from = middle + 1;
    else
      to = middle;
  }
  out[i + from] = value;
}
