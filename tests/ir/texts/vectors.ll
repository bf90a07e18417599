; Run: python -m pytest tests/ir/test_round_trip.py
define <4 x float> @fixed(<4 x float> %a, <4 x float> %b, i32 %i, <4 x i1> %m) {
  %1 = fadd nnan ninf nsz arcp contract afn reassoc <4 x float> %a, splat (float 1.000000e+00)
  %2 = fmul fast <4 x float> %1, <float 1.000000e+00, float poison, float undef, float 0x7FF8000000000000>
  %3 = extractelement <4 x float> %2, i32 %i
  %4 = insertelement <4 x float> poison, float %3, i64 0
  %5 = shufflevector <4 x float> %4, <4 x float> poison, <4 x i32> zeroinitializer
  %6 = shufflevector <4 x float> %5, <4 x float> %b, <8 x i32> <i32 0, i32 poison, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %7 = fcmp olt <4 x float> %5, %b
  %8 = and <4 x i1> %7, %m
  %9 = select <4 x i1> %8, <4 x float> %a, <4 x float> %b
  %10 = select i1 true, <4 x float> %9, <4 x float> zeroinitializer
  ret <4 x float> %10
}

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %a, <vscale x 4 x ptr> %p) {
  %1 = add <vscale x 4 x i32> %a, splat (i32 5)
  %2 = getelementptr i8, <vscale x 4 x ptr> %p, i64 4
  %3 = icmp ult <vscale x 4 x ptr> %p, %2
  %4 = select <vscale x 4 x i1> %3, <vscale x 4 x i32> %1, <vscale x 4 x i32> zeroinitializer
  ret <vscale x 4 x i32> %4
}

define <2 x ptr> @addresses(ptr %p, <2 x i64> %offsets, <2 x ptr> %q) {
  %1 = getelementptr inbounds float, ptr %p, <2 x i64> %offsets
  %2 = getelementptr nusw nuw { i32, [4 x float] }, <2 x ptr> %q, <2 x i64> %offsets, i32 1, <2 x i64> splat (i64 2)
  %3 = ptrtoint <2 x ptr> %2 to <2 x i64>
  %4 = inttoptr <2 x i64> %3 to <2 x ptr>
  ret <2 x ptr> %4
}
