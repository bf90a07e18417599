; Also within types, constants, attributes and calls.
%pair = type { ptr addrspace(4), i32 }
@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2]
@pairs = addrspace(4) constant [1 x %pair] [%pair { ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, i64 4), i32 1 }]
define ptx_kernel void @k(ptr addrspace(4) noundef align 4 %p, ptr addrspace(1) %out) {
  %slot = alloca ptr addrspace(4), align 8
  store ptr addrspace(4) %p, ptr %slot, align 8
  %q = load ptr addrspace(4), ptr %slot, align 8
  %s = select i1 true, ptr addrspace(4) %q, ptr addrspace(4) @table
  %r = call ptr addrspace(4) @g(ptr addrspace(4) noundef %s, ptr byval(%pair) align 8 %slot)
  %x = load i32, ptr addrspace(4) %r, align 4
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}
declare ptr addrspace(4) @g(ptr addrspace(4), ptr byval(%pair) align 8)
; -- becomes
%pair = type { ptr addrspace(1), i32 }
@table = internal addrspace(1) constant [2 x i32] [i32 1, i32 2]
@pairs = addrspace(1) constant [1 x %pair] [%pair { ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @table, i64 4), i32 1 }]

define ptx_kernel void @k(ptr addrspace(1) noundef align 4 %p, ptr addrspace(1) %out) {
0:
  %slot = alloca ptr addrspace(1), align 8
  store ptr addrspace(1) %p, ptr %slot, align 8
  %q = load ptr addrspace(1), ptr %slot, align 8
  %s = select i1 true, ptr addrspace(1) %q, ptr addrspace(1) @table
  %r = call ptr addrspace(1) @g(ptr addrspace(1) noundef %s, ptr byval(%pair) align 8 %slot)
  %x = load i32, ptr addrspace(1) %r, align 4
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}

declare ptr addrspace(1) @g(ptr addrspace(1), ptr byval(%pair) align 8)
