; SPDX-License-Identifier: Apache-2.0
; In code that nothing reaches, a sum may be its own operand: nothing is widened there.

define i64 @f(i32 %a) {
entry:
  ret i64 0

nowhere:
  %1 = add nsw i32 %1, %a
  %2 = sext i32 %1 to i64
  br label %nowhere
}

; -- unchanged
