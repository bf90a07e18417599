; Of three pointers, where one may be, that of the counter alone is made.
; with _MOST_POINTERS=1
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %at = add nsw i32 %first, %k
  %row = mul nsw i32 %at, %width
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  %row.own = mul nsw i32 %k, %x
  %wide.own = sext i32 %row.own to i64
  %q = getelementptr inbounds float, ptr %a, i64 %wide.own
  store float 1.0, ptr %q, align 4
  %j = add nsw i32 %i, %n
  %wide.j = sext i32 %j to i64
  %r = getelementptr inbounds float, ptr %a, i64 %wide.j
  store float 2.0, ptr %r, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i32 %width, i32 %x, i32 %first, i32 %n) {
entry:
  %0 = sext i32 %x to i64
  %1 = mul i64 %0, 4
  br label %loop

loop:
  %2 = phi ptr [ %a, %entry ], [ %3, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %at = add nsw i32 %first, %k
  %row = mul nsw i32 %at, %width
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  store float 0.0, ptr %p, align 4
  store float 1.0, ptr %2, align 4
  %j = add nsw i32 %i, %n
  %wide.j = sext i32 %j to i64
  %r = getelementptr inbounds float, ptr %a, i64 %wide.j
  store float 2.0, ptr %r, align 4
  %k.next = add nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  %3 = getelementptr i8, ptr %2, i64 %1
  br i1 %done, label %out, label %loop

out:
  ret void
}
