# SPDX-License-Identifier: Apache-2.0
"""Time of kernels that read images, on each OpenCL platform that pyopencl finds: Lanewise's beside others'.

Run: python bench/images.py [EXTENT]          with pyopencl, in an environment in which the platforms are installed

Images have EXTENT x EXTENT texels, 2048 unless given. resize and rotate read bilinearly, once for each texel; box reads
the nine texels around each, box_linear nine times bilinearly between them; copy reads one texel at integer coordinates.
Results differ by the last bits of the weights: what is compared is the mean.
"""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

import numpy as np

cl: Any = importlib.import_module("pyopencl")  # installed for measurements only

REPEATS = 7
WARM_UP = 60
"""Seconds after the first launches, in which a platform may compile better code."""
SOURCE = """
constant sampler_t stretched = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void resize(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 place = (convert_float2(at) * 0.7f + 0.5f) / convert_float2(get_image_dim(out));
    write_imagef(out, at, read_imagef(in, stretched, place));
}
kernel void rotate_(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 middle = convert_float2(get_image_dim(in)) * 0.5f, d = convert_float2(at) + 0.5f - middle;
    float2 turned = (float2)(0.8f * d.x - 0.6f * d.y, 0.6f * d.x + 0.8f * d.y);
    write_imagef(out, at, read_imagef(in, bordered, turned + middle));
}
kernel void box(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += read_imagef(in, nearest, at + (int2)(x, y));
    write_imagef(out, at, sum / 9.0f);
}
kernel void box_linear(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += read_imagef(in, bordered, convert_float2(at) + (float2)(x, y) * 0.75f + 0.5f);
    write_imagef(out, at, sum / 9.0f);
}
kernel void copy(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, at));
}
"""
FORMATS: dict[str, tuple[Any, Any, Any, int]] = {
    "rgba8": (cl.channel_order.RGBA, cl.channel_type.UNORM_INT8, np.uint8, 4),
    "rgba32f": (cl.channel_order.RGBA, cl.channel_type.FLOAT, np.float32, 4),
    "rgba16f": (cl.channel_order.RGBA, cl.channel_type.HALF_FLOAT, np.float16, 4),
    "r32f": (cl.channel_order.R, cl.channel_type.FLOAT, np.float32, 1),
    "r8": (cl.channel_order.R, cl.channel_type.UNORM_INT8, np.uint8, 1),
}
KERNELS = ("resize", "rotate_", "box", "box_linear", "copy")


def measured(device: Any, extent: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Milliseconds of a launch, and the mean of its result, by format and kernel."""
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    found: dict[tuple[str, str], tuple[float, float]] = {}
    cases: list[tuple[tuple[str, str], Any, Any, Any]] = []
    for name, (order, type_, dtype, channels) in FORMATS.items():
        form = cl.ImageFormat(order, type_)
        random = np.random.default_rng(1)
        texels = random.integers(0, 256, (extent, extent, channels)).astype(dtype)
        if dtype is not np.uint8:
            texels /= dtype(256)
        flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        source = cl.create_image(context, flags, form, shape=(extent, extent), hostbuf=texels)
        target = cl.create_image(context, cl.mem_flags.WRITE_ONLY, form, shape=(extent, extent))
        for kernel in KERNELS:
            function = cl.Kernel(program, kernel)
            function.set_args(source, target)
            cl.enqueue_nd_range_kernel(queue, function, (extent, extent), None)
            cases.append(((name, kernel), function, (source, target), np.zeros_like(texels)))
    queue.finish()
    time.sleep(WARM_UP)
    for case, function, (_, target), result in cases:
        times: list[float] = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            cl.enqueue_nd_range_kernel(queue, function, (extent, extent), None)
            queue.finish()
            times.append(1e3 * (time.perf_counter() - start))
        cl.enqueue_copy(queue, result, target, origin=(0, 0), region=(extent, extent))
        found[case] = min(times), float(result.astype(np.float64).mean())
    return found


def main(extent: int = 2048) -> None:
    platforms = {each.name: measured(each.get_devices()[0], extent) for each in cl.get_platforms()}
    own = platforms["Lanewise"]
    others = {name: rows for name, rows in platforms.items() if name != "Lanewise"}
    ratios: dict[str, list[float]] = {name: [] for name in others}
    for case, (ms, mean) in own.items():
        line = f"{case[0]:8} {case[1]:10} {ms:8.2f} ms"
        for name, rows in others.items():
            ratios[name].append(rows[case][0] / ms)
            line += f"   {name} {rows[case][0]:8.2f} ms, {ratios[name][-1]:5.2f} times"
            if abs(rows[case][1] - mean) > 1e-3 * abs(mean):
                line += f"   (means {mean:.6g} and {rows[case][1]:.6g})"
        print(line)
    for name, values in ratios.items():
        print(f"geometric mean over {name}: {np.exp(np.mean(np.log(values))):.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
