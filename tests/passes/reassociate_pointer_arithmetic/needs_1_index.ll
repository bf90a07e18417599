; SPDX-License-Identifier: Apache-2.0
; A constant index costs nothing as it is.

define void @f(ptr %a, i64 %i) {
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  store float %v, ptr %q, align 4
  ret void
}

; -- unchanged
