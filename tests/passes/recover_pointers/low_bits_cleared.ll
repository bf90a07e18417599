define ptx_kernel void @f(i64 %p, i32 %j, i64 %n) {
  %i = zext i32 %j to i64
  %a = add i64 %p, %i
  %b = and i64 %a, -4
  %c = inttoptr i64 %b to ptr
  store i32 0, ptr %c, align 4
  %d = and i64 %n, -8
  %e = add i64 %b, 8
  %f = inttoptr i64 %e to ptr
  store i32 0, ptr %f, align 4
  %g = add i64 %p, %d
  %h = inttoptr i64 %g to ptr
  store i32 0, ptr %h, align 4
  ret void
}
; -- becomes
define ptx_kernel void @f(ptr %p, i32 %j, i64 %n) {
0:
  %1 = ptrtoint ptr %p to i64
  %i = zext i32 %j to i64
  %a = add i64 %1, %i
  %b = and i64 %a, -4
  %2 = and i64 %a, 3
  %3 = sub i64 %i, %2
  %4 = getelementptr i8, ptr %p, i64 %3
  store i32 0, ptr %4, align 4
  %d = and i64 %n, -8
  %e = add i64 %b, 8
  %5 = add i64 %3, 8
  %6 = getelementptr i8, ptr %p, i64 %5
  store i32 0, ptr %6, align 4
  %g = add i64 %1, %d
  %7 = getelementptr i8, ptr %p, i64 %d
  store i32 0, ptr %7, align 4
  ret void
}
