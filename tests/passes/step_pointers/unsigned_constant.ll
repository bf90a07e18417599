; The constant is 2^31, not its negative.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %s = add nuw i32 %k, -2147483648
  %m = mul nuw i32 %s, %width
  %wide = zext i32 %m to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %m.too = mul nuw i32 %k, %width
  %wide.too = zext i32 %m.too to i64
  %q = getelementptr inbounds float, ptr %a, i64 %wide.too
  store float 1.0, ptr %q, align 4
  %k.next = add nuw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  %0 = zext i32 %width to i64
  %1 = mul i64 %0, 4
  %2 = mul i64 %1, 2147483648
  %3 = mul i64 %1, -2147483647
  br label %loop

loop:
  %4 = phi ptr [ %a, %entry ], [ %6, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %5 = getelementptr i8, ptr %4, i64 %2
  store float 0.0, ptr %5, align 4
  store float 1.0, ptr %4, align 4
  %k.next = add nuw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  %6 = getelementptr i8, ptr %5, i64 %3
  br i1 %done, label %out, label %loop

out:
  ret void
}
