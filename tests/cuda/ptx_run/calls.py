# SPDX-License-Identifier: Apache-2.0
"""Calls of `ptx_run` in a process of its own, as a mock GPU makes them. Prints what each left, as JSON.

python calls.py LIBRARY
"""

import ctypes
import json
import os
import sys

HEADER = ".version 7.5\n.target sm_80\n.address_size 64\n"
EXTENTS = (
    HEADER
    + """.visible .entry extents(.param .u64 out, .param .s32 n, .param .s64 wide) {
    .reg .b64 %p; .reg .b64 %w; .reg .b32 %r<7>;
    ld.param.u64 %p, [out]; ld.param.s32 %r6, [n]; ld.param.s64 %w, [wide];
    mov.u32 %r0, %ntid.x; mov.u32 %r1, %ntid.y; mov.u32 %r2, %ntid.z;
    mov.u32 %r3, %nctaid.x; mov.u32 %r4, %nctaid.y; mov.u32 %r5, %nctaid.z;
    st.global.v2.u32 [%p], {%r0, %r1}; st.global.v2.u32 [%p+8], {%r2, %r3}; st.global.v2.u32 [%p+16], {%r4, %r5};
    st.global.u32 [%p+24], %r6; st.global.u64 [%p+32], %w;
    ret;
}
"""
)
KEEP = (
    HEADER
    + """.global .u32 count = 40;
.extern .shared .align 4 .b8 tile[];
.visible .entry keep(.param .u64 out) {
    .reg .b64 %p; .reg .b32 %r<4>; .reg .pred %q;
    ld.param.u64 %p, [out]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;
    st.shared.u32 [%r1], %r0; bar.sync 0;
    setp.ne.u32 %q, %r0, 0; @%q bra DONE;
    atom.global.add.u32 %r1, [count], 1; ld.shared.u32 %r2, [tile+28]; st.global.v2.u32 [%p], {%r1, %r2};
DONE:
    ret;
}
"""
)
TRAP = EXTENTS.replace("ret;", "trap; ret;")
REFUSED = EXTENTS.replace("ret;", "wgmma.fence.sync.aligned; ret;")
TWO = EXTENTS + EXTENTS.replace("extents", "other").removeprefix(HEADER)
ONE = (1, 1, 1, 1, 1, 1)


def main(library: str) -> None:
    run = ctypes.CDLL(library).ptx_run
    run.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), *[ctypes.c_int] * 7]
    out = (ctypes.c_int * 10)()
    here = ctypes.addressof(out)

    def call(name: str, text: str, args: tuple[int, ...], extents: tuple[int, ...] = ONE, smem: int = 0) -> None:
        sys.stderr.write(f"{name}: ")
        sys.stderr.flush()
        returned = run(text.encode(), len(args), (ctypes.c_void_p * len(args))(*args), *extents, smem)
        sys.stderr.write("\n")
        print(json.dumps([name, returned, list(out)]), flush=True)

    call("extents", EXTENTS, (here, 0xFFFFFFF9, 1 << 40), (2, 3, 4, 5, 6, 7))
    call("again", EXTENTS, (here, 8, 9), (2, 3, 4, 1, 1, 1))
    call("keep", KEEP, (here,), (8, 1, 1, 1, 1, 1), 32)
    call("kept", KEEP, (here,), (8, 1, 1, 1, 1, 1), 32)
    call("too few", EXTENTS, (here,))
    call("no PTX", "nothing", ())
    call("refused", REFUSED, (here, 1, 1))
    call("two", TWO, (here, 1, 1))
    call("fault", EXTENTS, (16, 1, 1))
    call("trap", TRAP, (here, 1, 1))
    call("empty", EXTENTS, (here, 1, 1), (1, 0, 1, 1, 1, 1))
    call("large", EXTENTS, (here, 1, 1), (64, 64, 1, 1, 1, 1))
    call("after", EXTENTS, (here, 5, 6), (2, 3, 4, 1, 1, 1))
    child = os.fork()
    if not child:
        call("in a fork", EXTENTS, (here, 3, 4), (3, 1, 1, 1, 1, 1))
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1])
