; Counted downwards, by 2, and in a row of the array that the other counter names.
define i32 @f(ptr %in) {
entry:
  %a = alloca [4 x [4 x i32]], align 4
  br label %loop
loop:
  %k = phi i32 [ 3, %entry ], [ %next, %after ]
  %row = zext nneg i32 %k to i64
  br label %inner
inner:
  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]
  %place = add i64 %j, %row
  %from = getelementptr inbounds i32, ptr %in, i64 %place
  %v = load i32, ptr %from, align 4
  %line = getelementptr inbounds [4 x i32], ptr %a, i64 %row
  %to = getelementptr inbounds i32, ptr %line, i64 %j
  store i32 %v, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 2
  %j.more = icmp ult i64 %j, 2
  br i1 %j.more, label %inner, label %after
after:
  %next = add nsw i32 %k, -1
  %more = icmp sgt i32 %next, -1
  br i1 %more, label %loop, label %out
out:
  %w = load i32, ptr %a, align 4
  ret i32 %w
}
; -- becomes
define i32 @f(ptr %in) {
entry:
  %a = alloca [4 x [4 x i32]], align 4
  br label %loop

loop:
  %k = phi i32 [ 3, %entry ], [ %next, %after ]
  %row = zext nneg i32 %k to i64
  br label %inner

inner:
  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]
  %place = add i64 %j, %row
  %from = getelementptr inbounds i32, ptr %in, i64 %place
  %v = load i32, ptr %from, align 4
  %line = getelementptr inbounds [4 x i32], ptr %a, i64 %row
  %to = getelementptr inbounds i32, ptr %line, i64 %j
  store i32 %v, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 2
  %j.more = icmp ult i64 %j, 2
  br i1 %j.more, label %inner, label %after, !llvm.loop !2

after:
  %next = add nsw i32 %k, -1
  %more = icmp sgt i32 %next, -1
  br i1 %more, label %loop, label %out, !llvm.loop !1

out:
  %w = load i32, ptr %a, align 4
  ret i32 %w
}

!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
!2 = distinct !{!2, !0}
