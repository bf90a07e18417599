; Addresses of the next row share the pointer, and those of the next column the address.
define void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %row = mul nsw i32 %k, %width
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %k1 = or disjoint i32 %k, 1
  %row1 = mul nsw i32 %k1, %width
  %i1 = add nsw i32 %row1, %x
  %wide1 = sext i32 %i1 to i64
  %p1 = getelementptr inbounds float, ptr %a, i64 %wide1
  store float 0.0, ptr %p1, align 4
  %k3 = add nsw i32 %k, 3
  %row3 = mul nsw i32 %k3, %width
  %i3 = add nsw i32 %row3, %x
  %wide3 = sext i32 %i3 to i64
  %p3 = getelementptr inbounds float, ptr %a, i64 %wide3
  store float 0.0, ptr %p3, align 4
  %q = getelementptr inbounds i8, ptr %p3, i64 8
  store float 1.0, ptr %q, align 4
  %k.next = add nsw i32 %k, 4
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
entry:
  %0 = sext i32 %width to i64
  %1 = mul i64 %0, 4
  %2 = sext i32 %x to i64
  %3 = mul i64 %2, 4
  %4 = getelementptr i8, ptr %a, i64 %3
  %5 = mul i64 %1, 2
  br label %loop

loop:
  %6 = phi ptr [ %4, %entry ], [ %9, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %7 = getelementptr i8, ptr %6, i64 %1
  %8 = getelementptr i8, ptr %7, i64 %5
  store float 0.0, ptr %6, align 4
  store float 0.0, ptr %7, align 4
  store float 0.0, ptr %8, align 4
  %q = getelementptr inbounds i8, ptr %8, i64 8
  store float 1.0, ptr %q, align 4
  %k.next = add nsw i32 %k, 4
  %done = icmp eq i32 %k.next, %n
  %9 = getelementptr i8, ptr %8, i64 %1
  br i1 %done, label %out, label %loop

out:
  ret void
}
