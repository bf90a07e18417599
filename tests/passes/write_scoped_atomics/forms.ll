define void @f(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %v, i8 %b) {
  %x = atomicrmw sub ptr addrspace(1) %g, i32 %v seq_cst, align 4
  %y = atomicrmw umax ptr addrspace(3) %s, i32 %v syncscope("block") monotonic, align 4
  %z = atomicrmw and ptr addrspace(1) %g, i8 %b syncscope("device") acq_rel, align 1
  ret void
}
; -- becomes
define void @f(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %v, i8 %b) {
0:
  fence seq_cst
  %1 = sub i32 0, %v
  %x = call i32 asm sideeffect "atom.acquire.sys.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %g, i32 %1)
  %y = call i32 asm sideeffect "atom.relaxed.cta.shared.max.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(3) %s, i32 %v)
  fence syncscope("device") acq_rel
  %z = atomicrmw and ptr addrspace(1) %g, i8 %b syncscope("device") monotonic, align 1
  fence syncscope("device") acq_rel
  ret void
}
