; SPDX-License-Identifier: Apache-2.0
; All tests are in a loop.
define void @f(ptr %p, i1 %c, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  br label %b
b:
  br i1 %c, label %d, label %e
d:
  store i32 2, ptr %p, align 4
  br label %e
e:
  br i1 %c, label %g, label %next
g:
  store i32 3, ptr %p, align 4
  br label %next
next:
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; -- unchanged
