; Run: python -m pytest tests/ir/test_round_trip.py
define i32 @integers(i32 %a, i32 %b, i64 %c, i1 %d) {
  %1 = add nuw nsw i32 %a, %b
  %2 = sub nsw i32 %1, 5
  %3 = mul nuw i32 %2, -7
  %4 = udiv exact i32 %3, %b
  %5 = sdiv i32 %4, %b
  %6 = urem i32 %5, %b
  %7 = srem i32 %6, %b
  %8 = shl nuw nsw i32 %7, 2
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 31
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = icmp samesign ult i32 %13, %a
  %15 = icmp sge i32 %a, %b
  %16 = and i1 %14, %15
  %17 = select i1 %16, i32 %a, i32 %b
  %18 = freeze i32 %17
  %19 = icmp eq ptr null, null
  %20 = xor i1 %19, true
  ret i32 %18
}

define double @floats(float %a, double %b) {
  %1 = fneg nnan float %a
  %2 = fadd float %1, 0x3FF3333340000000
  %3 = fsub contract float %2, %a
  %4 = fmul reassoc nsz float %3, 2.500000e-01
  %5 = fdiv arcp float %4, 0x7FF0000000000000
  %6 = frem float %5, %a
  %7 = fpext contract float %6 to double
  %8 = fcmp fast uno double %7, %b
  %9 = select nnan i1 %8, double %7, double %b
  ret double %9
}
