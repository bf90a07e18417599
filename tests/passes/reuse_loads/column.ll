; Down a column, what is stored in a row is loaded again in the next one.
define ptx_kernel void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  %above = add nsw i32 %i, -1
  %row = mul nsw i32 %above, %width
  %k = add nsw i32 %row, %x
  %k.wide = sext i32 %k to i64
  %p = getelementptr inbounds float, ptr %a, i64 %k.wide
  %v = load float, ptr %p, align 4
  %row.here = mul nsw i32 %i, %width
  %m = add nsw i32 %row.here, %x
  %m.wide = sext i32 %m to i64
  %q = getelementptr inbounds float, ptr %a, i64 %m.wide
  %w = load float, ptr %q, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %q, align 4
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; -- becomes
define ptx_kernel void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
entry:
  %0 = add nsw i32 1, -1
  %1 = mul nsw i32 %0, %width
  %2 = add nsw i32 %1, %x
  %3 = sext i32 %2 to i64
  %4 = getelementptr inbounds float, ptr %a, i64 %3
  %5 = load float, ptr %4, align 4
  br label %loop

loop:
  %6 = phi float [ %5, %entry ], [ %sum, %loop ]
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  %row.here = mul nsw i32 %i, %width
  %m = add nsw i32 %row.here, %x
  %m.wide = sext i32 %m to i64
  %q = getelementptr inbounds float, ptr %a, i64 %m.wide
  %w = load float, ptr %q, align 4
  %sum = fadd float %6, %w
  store float %sum, ptr %q, align 4
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
