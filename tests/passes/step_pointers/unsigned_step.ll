; Steps are of 2^31, not of its negative.
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %m = mul nuw i32 %k, %width
  %wide = zext i32 %m to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nuw i32 %k, -2147483648
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
  br label %loop

loop:
  %3 = phi ptr [ %a, %entry ], [ %4, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  store float 0.0, ptr %3, align 4
  %k.next = add nuw i32 %k, -2147483648
  %done = icmp eq i32 %k.next, %n
  %4 = getelementptr i8, ptr %3, i64 %2
  br i1 %done, label %out, label %loop

out:
  ret void
}
