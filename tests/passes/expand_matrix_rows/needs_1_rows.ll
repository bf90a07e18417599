; SPDX-License-Identifier: Apache-2.0
; A product is no access.

define { double, double } @f(double %a, double %b, double %c) {
  %d = call { double, double } @__lw_matrix_product.m8n8k4x1.f64(i32 -1, double %a, double %b, double %c, double %c)
  ret { double, double } %d
}
declare { double, double } @__lw_matrix_product.m8n8k4x1.f64(i32, double, double, double, double)

; -- unchanged
