; A sum of 64 bits, whose product with a constant joins the one with the size of an element.
define void @f(ptr %a, ptr %b, i64 %head, i32 %tile, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ %tile, %entry ], [ %k.next, %loop ]
  %row = shl nuw nsw i32 %k, 6
  %wide = zext nneg i32 %row to i64
  %i = add nsw i64 %head, %wide
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr inbounds float, ptr %b, i64 %i
  store float %v, ptr %q, align 4
  %k.next = add nuw nsw i32 %k, 4
  %done = icmp ugt i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, ptr %b, i64 %head, i32 %tile, i32 %n) {
entry:
  %0 = getelementptr [4 x i8], ptr %a, i64 %head
  %1 = getelementptr [4 x i8], ptr %b, i64 %head
  br label %loop

loop:
  %k = phi i32 [ %tile, %entry ], [ %k.next, %loop ]
  %2 = sext i32 %k to i64
  %p = getelementptr [256 x i8], ptr %0, i64 %2
  %v = load float, ptr %p, align 4
  %3 = sext i32 %k to i64
  %q = getelementptr [256 x i8], ptr %1, i64 %3
  store float %v, ptr %q, align 4
  %k.next = add nuw nsw i32 %k, 4
  %done = icmp ugt i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
