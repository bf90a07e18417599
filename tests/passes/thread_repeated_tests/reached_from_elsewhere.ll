; SPDX-License-Identifier: Apache-2.0
; An early return leads to the end, too: phis there have what it brings in one place only.
define i32 @f(ptr %p, i1 %c, i1 %early) {
entry:
  br i1 %early, label %end, label %first
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
  br i1 %c, label %g, label %end
g:
  store i32 3, ptr %p, align 4
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ 1, %e ], [ 2, %g ]
  ret i32 %r
}
; -- becomes
define i32 @f(ptr %p, i1 %c, i1 %early) {
entry:
  br i1 %early, label %end, label %first

first:
  br i1 %c, label %0, label %b

b:
  br label %end

end:
  %r = phi i32 [ 0, %entry ], [ 1, %b ]
  ret i32 %r

0:
  store i32 1, ptr %p, align 4
  store i32 2, ptr %p, align 4
  store i32 3, ptr %p, align 4
  ret i32 2
}
