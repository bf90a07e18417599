; SPDX-License-Identifier: Apache-2.0
; 8 MiB: the greatest constant is a byte less.

define void @f(ptr %a, i64 %i) {
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.000000e+00, ptr %p, align 4
  %j = add nsw i64 %i, 2097152
  %q = getelementptr inbounds float, ptr %a, i64 %j
  store float 2.000000e+00, ptr %q, align 4
  ret void
}

; -- unchanged
