; The negative of the absolute difference.
define i32 @f(i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b
  %first = sub i32 %a, %b
  %second = sub i32 %b, %a
  %distance = select i1 %less, i32 %first, i32 %second
  ret i32 %distance
}
; -- unchanged
