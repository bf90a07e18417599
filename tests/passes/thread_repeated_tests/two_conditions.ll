; SPDX-License-Identifier: Apache-2.0
; Either version has versions of its own for a second condition. The value of the loop differs between them.
define i32 @f(ptr %p, i1 %x, i1 %y) {
entry:
  br i1 %x, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  br label %b
b:
  br i1 %y, label %c, label %d
c:
  store i32 2, ptr %p, align 4
  br label %d
d:
  br i1 %x, label %e, label %g
e:
  store i32 3, ptr %p, align 4
  br label %g
g:
  br i1 %y, label %loop, label %h
loop:
  %k = phi i32 [ 0, %g ], [ %k.next, %loop ]
  %k.next = add i32 %k, 1
  store i32 %k, ptr %p, align 4
  %again = icmp ult i32 %k.next, 9
  br i1 %again, label %loop, label %h
h:
  %v = phi i32 [ 7, %g ], [ %k.next, %loop ]
  br i1 %x, label %i, label %j
i:
  store i32 4, ptr %p, align 4
  br label %j
j:
  br i1 %y, label %l, label %end
l:
  store i32 %v, ptr %p, align 4
  br label %end
end:
  %w = phi i32 [ %v, %j ], [ 8, %l ]
  ret i32 %w
}
; -- becomes
define i32 @f(ptr %p, i1 %x, i1 %y) {
entry:
  br i1 %x, label %0, label %b

b:
  br i1 %y, label %2, label %d

d:
  ret i32 7

0:
  store i32 1, ptr %p, align 4
  br i1 %y, label %9, label %1

1:
  store i32 3, ptr %p, align 4
  store i32 4, ptr %p, align 4
  ret i32 7

2:
  store i32 2, ptr %p, align 4
  br label %3

3:
  %4 = phi i32 [ 0, %2 ], [ %5, %3 ]
  %5 = add i32 %4, 1
  store i32 %4, ptr %p, align 4
  %6 = icmp ult i32 %5, 9
  br i1 %6, label %3, label %7

7:
  %8 = phi i32 [ %5, %3 ]
  store i32 %8, ptr %p, align 4
  ret i32 8

9:
  store i32 2, ptr %p, align 4
  store i32 3, ptr %p, align 4
  br label %10

10:
  %11 = phi i32 [ 0, %9 ], [ %12, %10 ]
  %12 = add i32 %11, 1
  store i32 %11, ptr %p, align 4
  %13 = icmp ult i32 %12, 9
  br i1 %13, label %10, label %14

14:
  %15 = phi i32 [ %12, %10 ]
  store i32 4, ptr %p, align 4
  store i32 %15, ptr %p, align 4
  ret i32 8
}
