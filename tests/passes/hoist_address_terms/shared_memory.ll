; An address in shared memory is split as well; `narrow-shared-addresses` computes both parts in 32 bits.
@tile = internal addrspace(3) global [576 x float] undef, align 4
define void @f(i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = add nuw nsw i32 %row, %k
  %wide = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  store float 0.0, ptr %p, align 4
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
@tile = internal addrspace(3) global [576 x float] undef, align 4

define void @f(i32 %row, i32 %n) {
entry:
  %0 = zext nneg i32 %row to i64
  %1 = getelementptr [4 x i8], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %0
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %2 = zext nneg i32 %k to i64
  %p = getelementptr [4 x i8], ptr %1, i64 %2
  store float 0.0, ptr %p, align 4
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
