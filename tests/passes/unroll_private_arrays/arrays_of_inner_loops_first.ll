; SPDX-License-Identifier: Apache-2.0
; Two arrays whose loops have some 3,000 operations each. The second one is used in each turn of another loop.
define i32 @f(ptr %in, i64 %n) {
entry:
  %a = alloca [4 x i32], align 4
  %b = alloca [4 x i32], align 4
  br label %first
first:
  %k = phi i64 [ 0, %entry ], [ %k.next, %first ]
  %from = getelementptr inbounds i32, ptr %in, i64 %k
  %v = load i32, ptr %from, align 4
  %part = and i64 %k, 3
  %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %part
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, 350
  br i1 %k.done, label %outer, label %first
outer:
  %i = phi i64 [ 0, %first ], [ %i.next, %latch ]
  br label %second
second:
  %m = phi i64 [ 0, %outer ], [ %m.next, %second ]
  %m.from = getelementptr inbounds i32, ptr %in, i64 %m
  %m.v = load i32, ptr %m.from, align 4
  %m.part = and i64 %m, 3
  %m.to = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 %m.part
  store i32 %m.v, ptr %m.to, align 4
  %m.next = add nuw nsw i64 %m, 1
  %m.done = icmp eq i64 %m.next, 350
  br i1 %m.done, label %latch, label %second
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %out, label %outer
out:
  %w = load i32, ptr %a, align 4
  %x = load i32, ptr %b, align 4
  %sum = add i32 %w, %x
  ret i32 %sum
}
; -- becomes

define i32 @f(ptr %in, i64 %n) {
entry:
  %a = alloca [4 x i32], align 4
  %b = alloca [4 x i32], align 4
  br label %first

first:
  %k = phi i64 [ 0, %entry ], [ %k.next, %first ]
  %from = getelementptr inbounds i32, ptr %in, i64 %k
  %v = load i32, ptr %from, align 4
  %part = and i64 %k, 3
  %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %part
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, 350
  br i1 %k.done, label %outer, label %first

outer:
  %i = phi i64 [ 0, %first ], [ %i.next, %latch ]
  br label %second

second:
  %m = phi i64 [ 0, %outer ], [ %m.next, %second ]
  %m.from = getelementptr inbounds i32, ptr %in, i64 %m
  %m.v = load i32, ptr %m.from, align 4
  %m.part = and i64 %m, 3
  %m.to = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 %m.part
  store i32 %m.v, ptr %m.to, align 4
  %m.next = add nuw nsw i64 %m, 1
  %m.done = icmp eq i64 %m.next, 350
  br i1 %m.done, label %latch, label %second, !llvm.loop !1

latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %out, label %outer

out:
  %w = load i32, ptr %a, align 4
  %x = load i32, ptr %b, align 4
  %sum = add i32 %w, %x
  ret i32 %sum
}

!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
