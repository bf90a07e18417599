; SPDX-License-Identifier: Apache-2.0
; Two arms, and what comes after them.

define void @f(ptr %a, i64 %i, i1 %c) {
entry:
  %j = add i64 %i, 1
  br i1 %c, label %then, label %else

then:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.000000e+00, ptr %p, align 4
  br label %end

else:
  %q = getelementptr inbounds float, ptr %a, i64 %j
  store float 2.000000e+00, ptr %q, align 4
  br label %end

end:
  %k = add i64 %i, 2
  %r = getelementptr inbounds float, ptr %a, i64 %k
  store float 3.000000e+00, ptr %r, align 4
  ret void
}

; -- unchanged
