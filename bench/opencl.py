# SPDX-License-Identifier: Apache-2.0
"""How long OpenCL C takes from source to its first result, and how much of that the libraries take.

python bench/opencl.py [TIMES]

The first compilation on a machine compiles the runtime's core and the units of the built-in and the mathematical
library that the kernel calls; later ones find them in the cache. Each run is a new process. The kernel calls built-in
functions of eight kinds: work-items, barriers, geometry, mathematics, conversions, vectors in memory, clamp, select.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from fresh_process import Row, milliseconds, show

# Thirty lines.
KERNEL = """\
// One step of particles that attract one another, tile by tile.
#define TILE 64
#define SOFTENING 0.01f

float3 pull(float4 on, float4 by) {
    float3 way = by.xyz - on.xyz;
    float distance2 = dot(way, way) + SOFTENING;
    float inverse = rsqrt(distance2);
    return way * (by.w * inverse * inverse * inverse);
}

__kernel void step(__global float *out, __global const float *in, __global uchar *shade, float dt, int n) {
    __local float4 tile[TILE];
    int i = get_global_id(0);
    int own = get_local_id(0);
    float4 self = vload4(i, in);
    float3 force = (float3)(0.0f);

    for (int start = 0; start < n; start += TILE) {
        tile[own] = vload4(start + own, in);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            force += pull(self, tile[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float3 place = self.xyz + dt * force;
    float speed = exp(-length(force)) * sin(dt);
    vstore4((float4)(place, self.w), i, out);
    shade[i] = convert_uchar_sat(255.0f * select(clamp(speed, 0.0f, 1.0f), 1.0f, isnan(speed)));
}
"""
EMPTY = "__kernel void nothing(__global float *p) { p[0] = 1; }"

RUN = """
import time, numpy as np, lanewise as lw
source = {source!r}
x = np.ones((128, 4), np.float32)
y, shade = np.zeros_like(x), np.zeros(128, np.uint8)
start = time.perf_counter()
kernel = lw.compile(source, language="opencl")["step"]
kernel.ndrange(128, 64)(y, x, shade, 0.1, 128)
print(1e3 * (time.perf_counter() - start))
"""
SMALL = """
import time, numpy as np, lanewise as lw
p = np.zeros(1, np.float32)
start = time.perf_counter()
lw.compile({source!r}, language="opencl")["nothing"].ndrange(1)(p)
print(1e3 * (time.perf_counter() - start))
"""
LINK = """
import time, lanewise.linking, lanewise.frontend.opencl.compile as front_end, lanewise as lw
taken = []
def timed(link):
    def run(*arguments, **named):
        start = time.perf_counter()
        try:
            return link(*arguments, **named)
        finally:
            taken.append(time.perf_counter() - start)
    return run
front_end.linked = timed(front_end.linked)
lanewise.linking.linked = timed(lanewise.linking.linked)
module = lw.compile({source!r}, language="opencl")
module.ir("simplify", block=64)
print(1e3 * sum(taken))
"""


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    with tempfile.TemporaryDirectory() as folder:
        cache, libraries = Path(folder) / "cache", Path(folder) / "libraries"
        run, link, small = RUN.format(source=KERNEL), LINK.format(source=KERNEL), SMALL.format(source=EMPTY)
        milliseconds(run, libraries)  # Python's byte code, too

        def first(code: str) -> float:
            shutil.rmtree(cache, ignore_errors=True)
            return milliseconds(code, cache)

        def later(code: str, number: int) -> float:
            """Another source: the libraries are there, its own results are not."""
            return milliseconds(code.replace("One step", f"Step {number}"), libraries)

        rows = [
            Row("source to first result, empty cache", 1500, [first(run) for _ in range(times)]),
            Row("the same, libraries in the cache", 250, [later(run, number) for number in range(times)]),
            Row("of that, linking both libraries", 10, [later(link, -1 - number) for number in range(times)]),
            Row("the same, from the disk cache", None, [milliseconds(run, libraries) for _ in range(times)]),
            Row("a kernel that calls nothing, empty cache", None, [first(small) for _ in range(times)]),
        ]
    show(f"A kernel of 30 lines in OpenCL C, {times} new processes each", rows)


if __name__ == "__main__":
    main()
