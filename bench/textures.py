# SPDX-License-Identifier: Apache-2.0
"""Time of a texture fetch on the CPU device, on one thread; asked are a few ns for a point, some tens for linear 2-D.

Run: python bench/textures.py

Each kernel adds up fetches at neighbouring places; the time of the same loop over plain loads stands beside.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lanewise as lw

WIDTH = 1024
FETCHES = 64
REPEATS = 7

SOURCE = """
#define SUM(name, fetch)                                                               \\
  extern "C" __global__ void name(float *out, cudaTextureObject_t t, const float *p) { \\
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                               \\
    const float x = i % 1024 + 0.25f, y = i / 1024 + 0.5f;                             \\
    float sum = 0;                                                                     \\
    for (int k = 0; k < 64; ++k)                                                       \\
      sum += fetch;                                                                    \\
    out[i] = sum;                                                                      \\
  }
SUM(load, (p[((int)y + k) % 1024 * 1024 + (int)x]))
SUM(tex1dfetch, (tex1Dfetch<float>(t, i + k)))
SUM(tex1d, (tex1D<float>(t, x + k)))
SUM(tex2d, (tex2D<float>(t, x, y + k)))
SUM(tex2d_4, (tex2D<float4>(t, x, y + k).y))
SUM(tex3d, (tex3D<float>(t, x, y, 0.5f + k)))
"""


def nanoseconds(kernel: lw.Kernel, texture: lw.Texture, plain: Any) -> float:
    """Of one fetch, the best of some launches."""
    items = 16 * WIDTH
    out = np.zeros(items, np.float32)
    best = float("inf")
    for _ in range(REPEATS):
        start = time.thread_time()
        kernel[items // 256, 256](out, texture, plain)
        best = min(best, time.thread_time() - start)
    return best / items / FETCHES * 1e9


def main() -> None:
    device: Any = lw.device("cpu")
    device.set_num_threads(1)
    module = lw.compile(SOURCE, language="cuda")
    plain = np.random.default_rng(1).random((WIDTH, WIDTH), np.float32)
    line, bytes_ = plain.ravel()[: 32 * WIDTH], (plain * 255).astype(np.uint8)
    four, volume = plain.reshape(WIDTH, -1, 4), plain.reshape(64, 128, 128)
    rows: list[tuple[str, str, Any]] = [
        ("load", "float, plain load", lw.Texture(plain)),
        ("tex1dfetch", "float, tex1Dfetch", lw.Texture(line)),
        ("tex1d", "float, 1-D, point", lw.Texture(line)),
        ("tex1d", "float, 1-D, linear", lw.Texture(line, "linear")),
        ("tex2d", "float, 2-D, point", lw.Texture(plain)),
        ("tex2d", "float, 2-D, linear", lw.Texture(plain, "linear")),
        ("tex2d", "float, 2-D, linear, wrap", lw.Texture(plain, "linear", "wrap", normalized=True)),
        ("tex2d", "uchar normalised, 2-D, linear", lw.Texture(bytes_, "linear", read="normalized")),
        ("tex2d_4", "float4, 2-D, point", lw.Texture(four, channels=4)),
        ("tex2d_4", "float4, 2-D, linear", lw.Texture(four, "linear", channels=4)),
        ("tex3d", "float, 3-D, linear", lw.Texture(volume, "linear")),
    ]
    for kernel, label, texture in rows:
        print(f"{label:32} {nanoseconds(module[kernel], texture, plain):6.1f} ns")


if __name__ == "__main__":
    main()
