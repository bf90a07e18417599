define i1 @f(i128 %a, ptr %b) {
  %high = lshr i128 %a, 100
  %small = icmp eq i128 %high, 1
  %null = icmp eq ptr %b, null
  %both = and i1 %small, %null
  ret i1 %both
}
; -- unchanged
