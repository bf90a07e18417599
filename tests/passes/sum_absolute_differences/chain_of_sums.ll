; Each adds the one before it; the first one, which has nothing to add to, adds 0.
declare i32 @llvm.abs.i32(i32, i1)
define i32 @f(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e) {
  %difference.1 = sub nsw i32 %a, %b
  %distance.1 = call i32 @llvm.abs.i32(i32 %difference.1, i1 true)
  %difference.2 = sub nsw i32 %b, %c
  %distance.2 = call i32 @llvm.abs.i32(i32 %difference.2, i1 true)
  %sum.1 = add nsw i32 %distance.2, %distance.1
  %difference.3 = sub nsw i32 %d, %e
  %distance.3 = call i32 @llvm.abs.i32(i32 %difference.3, i1 true)
  %sum.2 = add nsw i32 %sum.1, %distance.3
  %twice = add i32 %sum.2, %sum.2
  ret i32 %twice
}
; -- becomes
declare i32 @llvm.abs.i32(i32, i1)

define i32 @f(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e) {
0:
  %distance.2 = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %b, i32 %c, i32 0)
  %sum.1 = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %distance.2)
  %sum.2 = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %d, i32 %e, i32 %sum.1)
  %twice = add i32 %sum.2, %sum.2
  ret i32 %twice
}
