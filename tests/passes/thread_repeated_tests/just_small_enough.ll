; SPDX-License-Identifier: Apache-2.0
; As many operations after the first test as are copied at most: nine.
; with _MOST_COPIED=9
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
; -- becomes
define void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %0, label %b

b:
  ret void

0:
  store i32 1, ptr %p, align 4
  store i32 2, ptr %p, align 4
  store i32 3, ptr %p, align 4
  ret void
}
