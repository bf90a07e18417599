; Run: python -m pytest tests/ir/test_round_trip.py
define void @atomics(ptr %p, ptr addrspace(1) %g, i32 %x, float %f, i64 %l, <2 x half> %h) {
  %1 = load atomic i32, ptr %p monotonic, align 4
  %2 = load atomic volatile i32, ptr addrspace(1) %g syncscope("block") acquire, align 4
  store atomic i32 %x, ptr %p unordered, align 4
  store atomic volatile i32 %x, ptr %p syncscope("device") release, align 4
  fence acq_rel
  fence syncscope("block") seq_cst
  %3 = atomicrmw add ptr %p, i32 %x seq_cst, align 4
  %4 = atomicrmw volatile xchg ptr addrspace(1) %g, i32 %x syncscope("device") monotonic, align 4
  %5 = atomicrmw fadd ptr %p, float %f syncscope("block") monotonic, align 4, !note !0
  %6 = atomicrmw xchg ptr %p, ptr %p acquire, align 8
  %7 = atomicrmw uinc_wrap ptr %p, i32 7 release, align 4
  %8 = atomicrmw udec_wrap ptr %p, i32 7 acq_rel, align 4
  %9 = atomicrmw umax ptr %p, i64 %l monotonic, align 8
  %10 = atomicrmw fmaximum ptr %p, float %f monotonic, align 4
  %11 = atomicrmw usub_sat ptr %p, i32 1 monotonic, align 4
  %12 = atomicrmw fadd ptr %p, <2 x half> %h monotonic, align 4
  %13 = cmpxchg ptr %p, i32 %x, i32 %3 acq_rel monotonic, align 4
  %14 = extractvalue { i32, i1 } %13, 1
  %15 = cmpxchg weak volatile ptr addrspace(1) %g, i64 %l, i64 0 syncscope("device") seq_cst acquire, align 8
  ret void
}

!0 = !{}
