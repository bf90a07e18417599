declare i32 @llvm.abs.i32(i32, i1)
define i32 @f(i32 %a, i32 %b) {
  %difference = sub nsw i32 %a, %b
  %distance = call i32 @llvm.abs.i32(i32 %difference, i1 true)
  %product = mul i32 %distance, %difference
  ret i32 %product
}
; -- unchanged
