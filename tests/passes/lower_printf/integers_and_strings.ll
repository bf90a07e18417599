; Two calls share a buffer and a format.
@s = private addrspace(4) constant [14 x i8] c"%c %*d %ld %s\00"
@t = private addrspace(4) constant [2 x i8] c"a\00"
define void @f(i8 %c, i32 %w, i16 %h, i32 %l) {
entry:
  br label %next
next:
  %a = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @s, i8 %c, i32 %w, i16 %h, i32 %l, ptr addrspace(4) @t)
  %b = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @s, i8 1, i32 2, i16 3, i32 4, ptr addrspace(4) @t)
  ret void
}
declare i32 @printf(ptr addrspace(4), ...)
; -- becomes
@s = private addrspace(4) constant [14 x i8] c"%c %*d %ld %s\00"
@t = private addrspace(4) constant [2 x i8] c"a\00"

define void @f(i8 %c, i32 %w, i16 %h, i32 %l) {
entry:
  %lw.printf = alloca [32 x i8], align 8
  br label %next

next:
  %0 = sext i8 %c to i32
  store i32 %0, ptr %lw.printf, align 4
  %1 = getelementptr inbounds i8, ptr %lw.printf, i64 4
  store i32 %w, ptr %1, align 4
  %2 = sext i16 %h to i32
  %3 = getelementptr inbounds i8, ptr %lw.printf, i64 8
  store i32 %2, ptr %3, align 4
  %4 = sext i32 %l to i64
  %5 = getelementptr inbounds i8, ptr %lw.printf, i64 16
  store i64 %4, ptr %5, align 8
  %6 = addrspacecast ptr addrspace(4) @t to ptr
  %7 = getelementptr inbounds i8, ptr %lw.printf, i64 24
  store ptr %6, ptr %7, align 8
  %8 = call i32 @vprintf(ptr @lw.format.0, ptr %lw.printf)
  %9 = sext i8 1 to i32
  store i32 %9, ptr %lw.printf, align 4
  %10 = getelementptr inbounds i8, ptr %lw.printf, i64 4
  store i32 2, ptr %10, align 4
  %11 = sext i16 3 to i32
  %12 = getelementptr inbounds i8, ptr %lw.printf, i64 8
  store i32 %11, ptr %12, align 4
  %13 = sext i32 4 to i64
  %14 = getelementptr inbounds i8, ptr %lw.printf, i64 16
  store i64 %13, ptr %14, align 8
  %15 = addrspacecast ptr addrspace(4) @t to ptr
  %16 = getelementptr inbounds i8, ptr %lw.printf, i64 24
  store ptr %15, ptr %16, align 8
  %17 = call i32 @vprintf(ptr @lw.format.0, ptr %lw.printf)
  ret void
}

declare i32 @vprintf(ptr, ptr)
@lw.format.0 = private unnamed_addr constant [14 x i8] c"%c %*d %ld %s\00", align 1
