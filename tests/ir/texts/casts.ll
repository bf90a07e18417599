; Run: python -m pytest tests/ir/test_round_trip.py
define void @casts(i64 %a, float %f, double %d, ptr %p, ptr addrspace(3) %s, <2 x i32> %v) {
  %1 = trunc nuw nsw i64 %a to i32
  %2 = zext nneg i32 %1 to i64
  %3 = sext i32 %1 to i128
  %4 = fptrunc nnan double %d to float
  %5 = fpext float %f to double
  %6 = fptoui float %f to i8
  %7 = fptosi double %d to i64
  %8 = uitofp nneg i64 %a to half
  %9 = sitofp i64 %a to bfloat
  %10 = ptrtoint ptr %p to i64
  %11 = ptrtoaddr ptr %p to i64
  %12 = inttoptr i64 %a to ptr addrspace(1)
  %13 = addrspacecast ptr addrspace(3) %s to ptr
  %14 = bitcast <2 x i32> %v to double
  %15 = bitcast double %14 to i64
  %16 = bitcast half 0xH3C00 to i16
  ret void
}
