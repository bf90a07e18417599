; -cl-no-signed-zeros and -cl-finite-math-only together don't permit another result.
define float @f(float %x) {
  %y = call nnan ninf nsz float @_Z5rsqrtf(float %x)
  ret float %y
}
declare float @_Z5rsqrtf(float)
; -- unchanged
