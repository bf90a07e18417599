# SPDX-License-Identifier: Apache-2.0
"""A program of the OpenCL platform whose kernels go wrong: `python -m tests.opencl.checked_program LIBRARY WHAT` prints
the status of each kernel's event."""

import ctypes
import sys
from pathlib import Path

import numpy as np
from tests.opencl.interface import Interface, Session

SOURCE = """
kernel void shift(global float *out, global const float *in, local float *t, int by) {
    int i = get_local_id(0);
    t[i] = in[i + by];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[i + by];
}
"""
_BUFFER_CREATE_TYPE_REGION = 0x1220


def main(library: str, what: str) -> None:
    session = Session(Interface(Path(library)))
    array = np.zeros(128, np.float32)
    out, whole = session.buffer(array), session.buffer(array)
    region = (ctypes.c_size_t * 2)(128, 128)
    part = session.cl.clCreateSubBuffer(whole, 0, _BUFFER_CREATE_TYPE_REGION, region)
    kernel = session.kernel(SOURCE, "shift", out, part if what == "part" else whole)
    local, by = (132, 1) if what != "local" else (128, 1)
    session.cl.clSetKernelArg(kernel, 2, local, None)
    session.cl.clSetKernelArg(kernel, 3, 4, ctypes.byref(ctypes.c_int(by)))
    event = ctypes.c_uint64()
    session.run(kernel, [32], [32], event=ctypes.byref(event))
    session.cl.clWaitForEvents(1, [event.value])
    print(session.cl.status(event.value))


if __name__ == "__main__":
    main(*sys.argv[1:])
