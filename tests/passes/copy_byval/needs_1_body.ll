; SPDX-License-Identifier: Apache-2.0
; A declaration has no entry to copy at.
declare void @f(ptr byval(i32) align 4, i32)
; -- unchanged
