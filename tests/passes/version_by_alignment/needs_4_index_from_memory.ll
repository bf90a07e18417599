; What is loaded in the loop is not known before it.
define ptx_kernel void @f(ptr %out, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
  %q = getelementptr inbounds i64, ptr %out, i64 %k
  %i = load i64, ptr %q, align 8
  %p0 = getelementptr inbounds i32, ptr %a, i64 %i
  %v0 = load i32, ptr %p0, align 4
  %s0 = add i32 %sum, %v0
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v1 = load i32, ptr %p1, align 4
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v2 = load i32, ptr %p2, align 4
  %s2 = add i32 %s1, %v2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v3 = load i32, ptr %p3, align 4
  %s3 = xor i32 %s2, %v3
  %k.next = add nuw i64 %k, 4
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %s3, ptr %out, align 4
  ret void
}
; -- unchanged
