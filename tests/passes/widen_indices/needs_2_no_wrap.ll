; SPDX-License-Identifier: Apache-2.0
; The sum may wrap, the or may carry, and a product is no sum.

define i64 @wraps(i32 %a, i32 %b) {
  %s = add i32 %a, %b
  %w = sext i32 %s to i64
  ret i64 %w
}

define i64 @wraps_as_signed(i32 %a, i32 %b) {
  %s = sub nuw i32 %a, %b
  %w = sext i32 %s to i64
  ret i64 %w
}

define i64 @carries(i32 %a, i32 %b) {
  %s = or i32 %a, %b
  %w = sext i32 %s to i64
  ret i64 %w
}

define i64 @product(i32 %a, i32 %b) {
  %s = mul nsw i32 %a, %b
  %w = sext i32 %s to i64
  ret i64 %w
}

; -- unchanged
