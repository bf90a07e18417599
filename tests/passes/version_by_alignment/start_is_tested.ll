; The start of the counter is tested with that of the array.
define ptx_kernel void @f(ptr %out, ptr %a, i64 %n, i64 %first) {
entry:
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
  %p0 = getelementptr inbounds i32, ptr %a, i64 %k
  %v0 = load i32, ptr %p0, align 4
  %s0 = add i32 %sum, %v0
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v1 = load i32, ptr %p1, align 4
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v2 = load i32, ptr %p2, align 4
  %s2 = add i32 %s1, %v2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v3 = load i32, ptr %p3, align 4
  %s3 = xor i32 %s2, %v3
  %k.next = add nuw i64 %k, 4
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %s3, ptr %out, align 4
  ret void
}
; -- becomes
define ptx_kernel void @f(ptr %out, ptr %a, i64 %n, i64 %first) {
entry:
  %0 = ptrtoint ptr %a to i64
  %1 = trunc i64 %0 to i32
  %2 = trunc i64 %first to i32
  %3 = shl i32 %2, 2
  %4 = or i32 %1, %3
  %5 = and i32 %4, 15
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %loop, label %7

loop:
  %k = phi i64 [ %first, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
  %p0 = getelementptr inbounds i32, ptr %a, i64 %k
  %v0 = load i32, ptr %p0, align 16
  %s0 = add i32 %sum, %v0
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v1 = load i32, ptr %p1, align 4
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v2 = load i32, ptr %p2, align 8
  %s2 = add i32 %s1, %v2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v3 = load i32, ptr %p3, align 4
  %s3 = xor i32 %s2, %v3
  %k.next = add nuw i64 %k, 4
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !1

7:
  %8 = phi i64 [ %first, %entry ], [ %22, %7 ]
  %9 = phi i32 [ 0, %entry ], [ %21, %7 ]
  %10 = getelementptr inbounds i32, ptr %a, i64 %8
  %11 = load i32, ptr %10, align 4
  %12 = add i32 %9, %11
  %13 = getelementptr inbounds i8, ptr %10, i64 4
  %14 = load i32, ptr %13, align 4
  %15 = xor i32 %12, %14
  %16 = getelementptr inbounds i8, ptr %10, i64 8
  %17 = load i32, ptr %16, align 4
  %18 = add i32 %15, %17
  %19 = getelementptr inbounds i8, ptr %10, i64 12
  %20 = load i32, ptr %19, align 4
  %21 = xor i32 %18, %20
  %22 = add nuw i64 %8, 4
  %23 = icmp ult i64 %22, %n
  br i1 %23, label %7, label %end, !llvm.loop !1

end:
  %24 = phi i32 [ %s3, %loop ], [ %21, %7 ]
  store i32 %24, ptr %out, align 4
  ret void
}

!0 = !{!"llvm.loop.unroll.disable"}
!1 = distinct !{!1, !0}
