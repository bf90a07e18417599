; The alignment of a variable is ours to choose.
define void @f(ptr %out) {
  %a = alloca [5 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 20, i1 false)
  call void @use(ptr %a)
  ret void
}
declare void @use(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; -- becomes
define void @f(ptr %out) {
0:
  %a = alloca [5 x i32], align 16
  store <4 x i32> splat (i32 0), ptr %a, align 16
  %1 = getelementptr inbounds i8, ptr %a, i64 16
  store i32 0, ptr %1, align 16
  call void @use(ptr %a)
  ret void
}

declare void @use(ptr)

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
