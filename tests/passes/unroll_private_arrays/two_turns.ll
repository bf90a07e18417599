; SPDX-License-Identifier: Apache-2.0
; LLVM's form of a loop of two turns: both the counter and the condition to go on are constants.

define i32 @f(ptr %in) {
entry:
  %a = alloca [2 x i32], align 4
  br label %loop
loop:
  %more = phi i1 [ true, %entry ], [ false, %loop ]
  %k = phi i64 [ 0, %entry ], [ 1, %loop ]
  %from = getelementptr inbounds i32, ptr %in, i64 %k
  %v = load i32, ptr %from, align 4
  %to = getelementptr inbounds [2 x i32], ptr %a, i64 0, i64 %k
  store i32 %v, ptr %to, align 4
  br i1 %more, label %loop, label %out
out:
  %last = getelementptr inbounds i8, ptr %a, i64 4
  %w = load i32, ptr %last, align 4
  ret i32 %w
}
; -- becomes
define i32 @f(ptr %in) {
entry:
  %a = alloca [2 x i32], align 4
  br label %loop

loop:
  %more = phi i1 [ true, %entry ], [ false, %loop ]
  %k = phi i64 [ 0, %entry ], [ 1, %loop ]
  %from = getelementptr inbounds i32, ptr %in, i64 %k
  %v = load i32, ptr %from, align 4
  %to = getelementptr inbounds [2 x i32], ptr %a, i64 0, i64 %k
  store i32 %v, ptr %to, align 4
  br i1 %more, label %loop, label %out, !llvm.loop !1

out:
  %last = getelementptr inbounds i8, ptr %a, i64 4
  %w = load i32, ptr %last, align 4
  ret i32 %w
}

!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
