; SPDX-License-Identifier: Apache-2.0
; Zero is put before the sum, or the extension stops short of 64 bits, or several are extended at once.

define i64 @unsigned(i32 %a, i32 %b) {
  %s = add nsw i32 %a, %b
  %w = zext i32 %s to i64
  ret i64 %w
}

define i32 @short(i16 %a, i16 %b) {
  %s = add nsw i16 %a, %b
  %w = sext i16 %s to i32
  ret i32 %w
}

define <2 x i64> @vector(<2 x i32> %a, <2 x i32> %b) {
  %s = add nsw <2 x i32> %a, %b
  %w = sext <2 x i32> %s to <2 x i64>
  ret <2 x i64> %w
}

; -- unchanged
