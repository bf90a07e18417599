declare void @sinf()
; -- unchanged
