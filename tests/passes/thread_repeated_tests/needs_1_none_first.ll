; SPDX-License-Identifier: Apache-2.0
; Three tests, none of which is before two others.
define void @f(ptr %p, i1 %c, i1 %x, i1 %y) {
entry:
  br i1 %x, label %a, label %b
a:
  br i1 %c, label %one, label %end
b:
  br i1 %y, label %d, label %e
d:
  br i1 %c, label %two, label %end
e:
  br i1 %c, label %three, label %end
one:
  store i32 1, ptr %p, align 4
  br label %end
two:
  store i32 2, ptr %p, align 4
  br label %end
three:
  store i32 3, ptr %p, align 4
  br label %end
end:
  ret void
}
; -- unchanged
