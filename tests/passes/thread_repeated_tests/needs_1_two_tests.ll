; SPDX-License-Identifier: Apache-2.0
; Two tests.
define void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  br label %b
b:
  br i1 %c, label %d, label %end
d:
  store i32 2, ptr %p, align 4
  br label %end
end:
  ret void
}
; -- unchanged
