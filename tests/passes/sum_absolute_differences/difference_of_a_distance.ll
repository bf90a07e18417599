; An operand is a distance itself, which becomes one instruction first.
declare i32 @llvm.abs.i32(i32, i1)
define i32 @f(i32 %a, i32 %b, i32 %c) {
  %difference.1 = sub nsw i32 %a, %b
  %distance.1 = call i32 @llvm.abs.i32(i32 %difference.1, i1 true)
  %difference.2 = sub nsw i32 %distance.1, %c
  %distance.2 = call i32 @llvm.abs.i32(i32 %difference.2, i1 true)
  ret i32 %distance.2
}
; -- becomes
declare i32 @llvm.abs.i32(i32, i1)

define i32 @f(i32 %a, i32 %b, i32 %c) {
0:
  %distance.1 = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 0)
  %distance.2 = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %distance.1, i32 %c, i32 0)
  ret i32 %distance.2
}
