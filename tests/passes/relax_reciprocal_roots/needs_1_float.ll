define double @f(double %x) {
  %y = call fast double @_Z5rsqrtd(double %x)
  ret double %y
}
declare double @_Z5rsqrtd(double)
; -- unchanged
