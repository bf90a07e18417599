; 340 bytes: five turns of 64, then 16 and 4. What comes after the copy has another block before it.
define i32 @f(ptr %out, ptr addrspace(3) %in, i1 %q) {
entry:
  br i1 %q, label %copy, label %end
copy:
  call void @llvm.memcpy.p0.p3.i64(ptr align 16 %out, ptr addrspace(3) align 16 %in, i64 340, i1 false)
  br label %end
end:
  %result = phi i32 [ 0, %entry ], [ 1, %copy ]
  ret i32 %result
}
declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)
; -- becomes
define i32 @f(ptr %out, ptr addrspace(3) %in, i1 %q) {
entry:
  br i1 %q, label %copy, label %end

copy:
  br label %0

0:
  %1 = phi i64 [ 0, %copy ], [ %14, %0 ]
  %2 = getelementptr inbounds i8, ptr addrspace(3) %in, i64 %1
  %3 = getelementptr inbounds i8, ptr %out, i64 %1
  %4 = load <4 x i32>, ptr addrspace(3) %2, align 16
  %5 = getelementptr inbounds i8, ptr addrspace(3) %2, i64 16
  %6 = load <4 x i32>, ptr addrspace(3) %5, align 16
  %7 = getelementptr inbounds i8, ptr addrspace(3) %2, i64 32
  %8 = load <4 x i32>, ptr addrspace(3) %7, align 16
  %9 = getelementptr inbounds i8, ptr addrspace(3) %2, i64 48
  %10 = load <4 x i32>, ptr addrspace(3) %9, align 16
  store <4 x i32> %4, ptr %3, align 16
  %11 = getelementptr inbounds i8, ptr %3, i64 16
  store <4 x i32> %6, ptr %11, align 16
  %12 = getelementptr inbounds i8, ptr %3, i64 32
  store <4 x i32> %8, ptr %12, align 16
  %13 = getelementptr inbounds i8, ptr %3, i64 48
  store <4 x i32> %10, ptr %13, align 16
  %14 = add nuw nsw i64 %1, 64
  %15 = icmp ult i64 %14, 320
  br i1 %15, label %0, label %16

16:
  %17 = getelementptr inbounds i8, ptr addrspace(3) %in, i64 320
  %18 = load <4 x i32>, ptr addrspace(3) %17, align 16
  %19 = getelementptr inbounds i8, ptr addrspace(3) %in, i64 336
  %20 = load i32, ptr addrspace(3) %19, align 16
  %21 = getelementptr inbounds i8, ptr %out, i64 320
  store <4 x i32> %18, ptr %21, align 16
  %22 = getelementptr inbounds i8, ptr %out, i64 336
  store i32 %20, ptr %22, align 16
  br label %end

end:
  %result = phi i32 [ 0, %entry ], [ 1, %16 ]
  ret i32 %result
}

declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)
