; The factor of `x` is 2^64 - 4, which is -4 modulo 2^64, and that of `y` is 2^64, which is none at all.
define void @f(ptr %a, i64 %x, i64 %y, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %less = mul i64 %x, 4611686018427387903
  %none = shl i64 %y, 62
  %i = add i64 %less, %k
  %j = add i64 %i, %none
  %p = getelementptr float, ptr %a, i64 %j
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
; -- becomes
define void @f(ptr %a, i64 %x, i64 %y, i64 %n) {
entry:
  %0 = mul i64 %x, -4
  %1 = getelementptr i8, ptr %a, i64 %0
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %p = getelementptr [4 x i8], ptr %1, i64 %k
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}
