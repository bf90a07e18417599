; The registers that the module has are used, the others declared.
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr %p
  call void @__lw_grid_sync()
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @__lw_grid_sync()
; -- becomes
define ptx_kernel void @k(ptr %p) {
0:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr %p
  call void @__lw_grid_sync()
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
@__lw_grid_arrivals = private addrspace(1) global i32 0, align 4

define internal void @__lw_grid_sync() noinline nounwind convergent {
entry:
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nxy = mul i32 %nx, %ny
  %blocks = mul i32 %nxy, %nz
  %xy = or i32 %x, %y
  %xyz = or i32 %xy, %z
  %first = icmp eq i32 %xyz, 0
  %rest = sub i32 -2147483647, %blocks
  %share = select i1 %first, i32 %rest, i32 1
  fence syncscope("device") acq_rel
  %before = atomicrmw add ptr addrspace(1) @__lw_grid_arrivals, i32 %share syncscope("device") monotonic, align 4
  br label %wait

wait:
  %now = load atomic i32, ptr addrspace(1) @__lw_grid_arrivals syncscope("device") monotonic, align 4
  %changed = xor i32 %before, %now
  %over = icmp slt i32 %changed, 0
  br i1 %over, label %done, label %wait

done:
  fence syncscope("device") acq_rel
  ret void
}
