; SPDX-License-Identifier: Apache-2.0
; More operations than are copied: nine come after the first test.
; with _MOST_COPIED=8
define void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  br label %b
b:
  br i1 %c, label %c, label %d
c:
  store i32 2, ptr %p, align 4
  br label %d
d:
  br i1 %c, label %e, label %end
e:
  store i32 3, ptr %p, align 4
  br label %end
end:
  ret void
}
; -- unchanged
