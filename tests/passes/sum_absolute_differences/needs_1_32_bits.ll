declare i64 @llvm.abs.i64(i64, i1)
define i64 @f(i64 %a, i64 %b) {
  %difference = sub nsw i64 %a, %b
  %distance = call i64 @llvm.abs.i64(i64 %difference, i1 true)
  ret i64 %distance
}
; -- unchanged
