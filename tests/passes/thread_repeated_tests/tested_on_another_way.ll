; SPDX-License-Identifier: Apache-2.0
; The last test is reached without the first: in the original, it stays a test.
define void @f(ptr %p, i1 %c, i1 %other) {
entry:
  br i1 %other, label %last, label %first
first:
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
  store i32 5, ptr %p, align 4
  br i1 %c, label %g, label %last
g:
  store i32 3, ptr %p, align 4
  br label %last
last:
  br i1 %c, label %h, label %end
h:
  store i32 4, ptr %p, align 4
  br label %end
end:
  ret void
}
; -- becomes
define void @f(ptr %p, i1 %c, i1 %other) {
entry:
  br i1 %other, label %last, label %first

first:
  br i1 %c, label %0, label %b

b:
  store i32 5, ptr %p, align 4
  br label %last

last:
  br i1 %c, label %h, label %end

h:
  store i32 4, ptr %p, align 4
  br label %end

end:
  ret void

0:
  store i32 1, ptr %p, align 4
  store i32 2, ptr %p, align 4
  store i32 5, ptr %p, align 4
  store i32 3, ptr %p, align 4
  store i32 4, ptr %p, align 4
  ret void
}
