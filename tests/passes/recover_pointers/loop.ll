define ptx_kernel void @f(i64 %p, i32 %n) {
entry:
  br label %loop

loop:
  %a = phi i64 [ %p, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %b = inttoptr i64 %a to ptr
  store i32 %i, ptr %b, align 4
  %next = add i64 %a, 4
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
; -- becomes
define ptx_kernel void @f(ptr %p, i32 %n) {
entry:
  %0 = ptrtoint ptr %p to i64
  br label %loop

loop:
  %1 = phi ptr [ %p, %entry ], [ %2, %loop ]
  %a = phi i64 [ %0, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store i32 %i, ptr %1, align 4
  %next = add i64 %a, 4
  %2 = getelementptr i8, ptr %1, i64 4
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
