; SPDX-License-Identifier: Apache-2.0
; A computed goto comes after the tests.
define void @f(ptr %p, i1 %c, ptr %to) {
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
  indirectbr ptr %to, [label %one, label %two]
one:
  ret void
two:
  ret void
}
; -- unchanged
