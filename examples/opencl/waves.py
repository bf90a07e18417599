# SPDX-License-Identifier: Apache-2.0
"""A wave on a string, stepped by pyopencl's arrays and kernels on Lanewise: python waves.py"""

import numpy as np
import pyopencl as cl

POINTS, STEPS = 4096, 1000
SOURCE = """
kernel void step(global const float *now, global float *next, float speed) {
  size_t i = get_global_id(0), last = get_global_size(0) - 1;
  float left = i == 0 ? 0 : now[i - 1], right = i == last ? 0 : now[i + 1];
  next[i] = 2 * now[i] - next[i] + speed * (left - 2 * now[i] + right);
}
"""


def main() -> None:
    platform = next(p for p in cl.get_platforms() if p.name == "Lanewise")
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    step = cl.Kernel(cl.Program(context, SOURCE).build(), "step")
    wave = np.exp(-0.0005 * (np.arange(POINTS) - POINTS // 2) ** 2).astype(np.float32)
    now, after = (cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=wave) for _ in range(2))
    for _ in range(STEPS):
        step(queue, (POINTS,), None, now, after, np.float32(0.25))
        now, after = after, now
    cl.enqueue_copy(queue, wave, now)
    shown = wave[POINTS // 2 + STEPS // 2 - 256 :: 64][:8]
    print("lanewise-cpu:", *(f"{each:.3f}" for each in shown))


if __name__ == "__main__":
    main()
