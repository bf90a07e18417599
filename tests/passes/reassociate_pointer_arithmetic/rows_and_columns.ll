; SPDX-License-Identifier: Apache-2.0
; Two rows of a stencil: each has one anchor. The third address is computed in a block below; it has no flag that the
; anchor lacks. A field of a struct within the array counts as a constant.

%pair = type { float, float }

define void @f(ptr %a, i32 %row, i32 %n, i32 %x, i1 %c) {
entry:
  %here = add nsw i32 %row, %x
  %0 = sext i32 %here to i64
  %p = getelementptr inbounds %pair, ptr %a, i64 %0
  store float 1.000000e+00, ptr %p, align 4
  %p.second = getelementptr inbounds %pair, ptr %a, i64 %0, i32 1
  store float 2.000000e+00, ptr %p.second, align 4
  %below = add nsw i32 %row, %n
  %next = add nsw i32 %below, %x
  %1 = sext i32 %next to i64
  %q = getelementptr inbounds %pair, ptr %a, i64 %1
  store float 3.000000e+00, ptr %q, align 4
  %left = add nsw i32 %x, -1
  %i = add nsw i32 %below, %left
  %2 = sext i32 %i to i64
  %q.left = getelementptr inbounds %pair, ptr %a, i64 %2
  store float 4.000000e+00, ptr %q.left, align 4
  br i1 %c, label %then, label %end

then:
  %right = add nsw i32 %here, 1
  %3 = sext i32 %right to i64
  %p.right = getelementptr %pair, ptr %a, i64 %3
  store float 5.000000e+00, ptr %p.right, align 4
  br label %end

end:
  ret void
}

; -- becomes
%pair = type { float, float }

define void @f(ptr %a, i32 %row, i32 %n, i32 %x, i1 %c) {
entry:
  %here = add nsw i32 %row, %x
  %0 = sext i32 %here to i64
  %p = getelementptr inbounds %pair, ptr %a, i64 %0
  store float 1.000000e+00, ptr %p, align 4
  %p.second = getelementptr inbounds i8, ptr %p, i64 4
  store float 2.000000e+00, ptr %p.second, align 4
  %below = add nsw i32 %row, %n
  %next = add nsw i32 %below, %x
  %1 = sext i32 %next to i64
  %q = getelementptr inbounds %pair, ptr %a, i64 %1
  store float 3.000000e+00, ptr %q, align 4
  %q.left = getelementptr inbounds i8, ptr %q, i64 -8
  store float 4.000000e+00, ptr %q.left, align 4
  br i1 %c, label %then, label %end

then:
  %p.right = getelementptr i8, ptr %p, i64 8
  store float 5.000000e+00, ptr %p.right, align 4
  br label %end

end:
  ret void
}
