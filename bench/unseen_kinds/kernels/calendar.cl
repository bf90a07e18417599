// SPDX-License-Identifier: Apache-2.0

inline bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Dates of days since 1 January 1970, as numbers such as 20261128.
__kernel void calendar(__global int *dates, __global const int *days, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  int day = days[i], year = 1970, month = 1;
  while (day >= 365 + is_leap(year)) {
    day -= 365 + is_leap(year);
    year++;
  }
  for (; month < 12; month++) {
    int length = month == 2 ? 28 + is_leap(year) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    if (day < length)
      break;
    day -= length;
  }
  dates[i] = year * 10000 + month * 100 + day + 1;
}
