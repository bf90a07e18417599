; SPDX-License-Identifier: Apache-2.0
; options: most=2
; More sums than indices have are left alone.

define i64 @two(i32 %a, i32 %b, i32 %c) {
  %1 = add nsw i32 %a, %b
  %2 = add nsw i32 %1, %c
  %3 = sext i32 %2 to i64
  ret i64 %3
}

define i64 @three(i32 %a, i32 %b, i32 %c, i32 %d) {
  %1 = add nsw i32 %a, %b
  %2 = add nsw i32 %1, %c
  %3 = add nsw i32 %2, %d
  %4 = sext i32 %3 to i64
  ret i64 %4
}

; -- becomes
define i64 @two(i32 %a, i32 %b, i32 %c) {
0:
  %1 = sext i32 %c to i64
  %2 = sext i32 %b to i64
  %3 = sext i32 %a to i64
  %4 = add nsw i32 %a, %b
  %5 = add nsw i64 %3, %2
  %6 = add nsw i32 %4, %c
  %7 = add nsw i64 %5, %1
  ret i64 %7
}

define i64 @three(i32 %a, i32 %b, i32 %c, i32 %d) {
0:
  %1 = add nsw i32 %a, %b
  %2 = add nsw i32 %1, %c
  %3 = add nsw i32 %2, %d
  %4 = sext i32 %3 to i64
  ret i64 %4
}
