define i32 @f(i32 %a, i32 %b) {
  %greater = icmp sgt i32 %a, %b
  %first = sub i32 %a, %b
  %second = sub i32 %b, %a
  %distance = select i1 %greater, i32 %first, i32 %second
  %product = mul i32 %first, %second
  %sum = add i32 %distance, %product
  ret i32 %sum
}
; -- unchanged
