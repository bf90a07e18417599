; -2147483648 - 1 wraps to a small absolute value.
declare i32 @llvm.abs.i32(i32, i1)
define i32 @f(i32 %a, i32 %b) {
  %difference = sub i32 %a, %b
  %distance = call i32 @llvm.abs.i32(i32 %difference, i1 false)
  ret i32 %distance
}
; -- unchanged
