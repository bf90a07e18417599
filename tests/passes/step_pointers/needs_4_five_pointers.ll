; Five pointers would be ten registers.
define void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
entry:
  %x0 = mul i32 %x, 3
  %x1 = mul i32 %x, 4
  %x2 = mul i32 %x, 5
  %x3 = mul i32 %x, 6
  %x4 = mul i32 %x, 7
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %row0 = mul nsw i32 %k, %width
  %i0 = add nsw i32 %row0, %x0
  %wide0 = sext i32 %i0 to i64
  %p0 = getelementptr inbounds float, ptr %a, i64 %wide0
  store float 0.0, ptr %p0, align 4
  %row1 = mul nsw i32 %k, %width
  %i1 = add nsw i32 %row1, %x1
  %wide1 = sext i32 %i1 to i64
  %p1 = getelementptr inbounds float, ptr %a, i64 %wide1
  store float 0.0, ptr %p1, align 4
  %row2 = mul nsw i32 %k, %width
  %i2 = add nsw i32 %row2, %x2
  %wide2 = sext i32 %i2 to i64
  %p2 = getelementptr inbounds float, ptr %a, i64 %wide2
  store float 0.0, ptr %p2, align 4
  %row3 = mul nsw i32 %k, %width
  %i3 = add nsw i32 %row3, %x3
  %wide3 = sext i32 %i3 to i64
  %p3 = getelementptr inbounds float, ptr %a, i64 %wide3
  store float 0.0, ptr %p3, align 4
  %row4 = mul nsw i32 %k, %width
  %i4 = add nsw i32 %row4, %x4
  %wide4 = sext i32 %i4 to i64
  %p4 = getelementptr inbounds float, ptr %a, i64 %wide4
  store float 0.0, ptr %p4, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- unchanged
