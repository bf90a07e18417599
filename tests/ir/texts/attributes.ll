; Run: python -m pytest tests/ir/test_round_trip.py
%Params = type { i32, [3 x float] }

declare void @takes(ptr, i32)

declare noundef nonnull align 16 dereferenceable(64) ptr @gives(ptr returned, i32 range(i32 0, 1024)) #0

define void @sret(ptr dead_on_unwind noalias writable sret(%Params) align 4 initializes((0, 4), (8, 16)) %out) {
  ret void
}

define ptx_kernel void @byval(ptr noundef byval(%Params) align 4 %p, ptr byref(i32) align 4 %q, ptr captures(none) %r) {
entry:
  %x = call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @takes(ptr noundef nonnull byval({ i32, i32 }) align 4 %p, i32 noundef signext %x) #1
  %y = call noundef align 8 dereferenceable_or_null(8) ptr @gives(ptr %p, i32 inreg 5) [ "bundle"(i32 %x, ptr %q), "deopt"() ]
  %z = call nofpclass(nan inf) float @floats(float nofpclass(nan) 1.000000e+00) #2
  ret void
}

declare nofpclass(inf) float @floats(float nofpclass(zero sub))

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare ptr @allocates(i64 noundef allocalign, i64) allockind("alloc,uninitialized,aligned") allocsize(1) memory(inaccessiblemem: readwrite) uwtable(sync) vscale_range(1,16)

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) }
attributes #1 = { convergent nounwind }
attributes #2 = { "fp-contract"="fast" }
