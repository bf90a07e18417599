; SPDX-License-Identifier: Apache-2.0
; Sums of sums, a difference, an or without carries, constants of either sign; what two indices share is widened once.

define void @f(ptr %p, i32 %row, i32 %x) {
entry:
  %here = add nsw i32 %row, %x
  %next = add nsw i32 %here, 1
  %last = sub nsw i32 %here, %x
  %even = shl nuw i32 %x, 1
  %odd = or disjoint i32 %even, -2147483647
  %0 = sext i32 %here to i64
  %1 = sext i32 %next to i64
  %2 = sext i32 %last to i64
  %3 = sext i32 %odd to i64
  store i64 %0, ptr %p, align 8
  store i64 %1, ptr %p, align 8
  store i64 %2, ptr %p, align 8
  store i64 %3, ptr %p, align 8
  ret void
}

; -- becomes
define void @f(ptr %p, i32 %row, i32 %x) {
entry:
  %0 = sext i32 %x to i64
  %1 = sext i32 %row to i64
  %here = add nsw i32 %row, %x
  %2 = add nsw i64 %1, %0
  %next = add nsw i32 %here, 1
  %3 = add nsw i64 %2, 1
  %last = sub nsw i32 %here, %x
  %4 = sub nsw i64 %2, %0
  %even = shl nuw i32 %x, 1
  %5 = sext i32 %even to i64
  %odd = or disjoint i32 %even, -2147483647
  %6 = add nsw i64 %5, -2147483647
  store i64 %2, ptr %p, align 8
  store i64 %3, ptr %p, align 8
  store i64 %4, ptr %p, align 8
  store i64 %6, ptr %p, align 8
  ret void
}
