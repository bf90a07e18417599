define float @_Z5rsqrtf(float %x) {
  ret float %x
}
define float @f(float %x) {
  %y = call fast float @_Z5rsqrtf(float %x)
  ret float %y
}
; -- unchanged
