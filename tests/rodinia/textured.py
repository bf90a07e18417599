# SPDX-License-Identifier: Apache-2.0
"""kmeans, leukocyte, hybridsort: Rodinia's programs that fetch from texture references."""

import numpy as np

from .driving import Array, Bench, Results, program


@program("kmeans/kmeans_cuda.cu", "kmeans")
def kmeans(bench: Bench) -> Results:
    points, features, clusters = (60, 4, 3) if bench.small else (3000, 34, 5)
    data, centres = bench.floats(points, features), bench.floats(clusters, features)
    flipped, membership = np.zeros((features, points), np.float32), np.full(points, -1, np.int32)
    groups = -(-points // 256)
    bench.launch("invert_mapping", groups, 256, data, flipped, points, features)
    constant = bench.module.variable("c_clusters", bench.device)
    constant.write(np.resize(np.r_[centres.ravel(), np.zeros(constant.shape[0], np.float32)], constant.shape))
    bench.module.texture("t_features").bind(flipped.ravel())
    bench.launch("kmeansPoint", (groups, 1), 256, flipped, features, points, clusters, membership, centres, None, None)
    distances = ((data[:, None].astype(np.float64) - centres[None]) ** 2).sum(axis=2)
    return {"flipped": (flipped, data.T), "membership": (membership, distances.argmin(axis=1))}


@program("leukocyte/CUDA/find_ellipse_kernel.cu", "leukocyte/CUDA")
def leukocyte(bench: Bench) -> Results:
    circles, angles, radius = 7, 150, 20
    margin = radius + 2
    height, width = 2 * margin + (2 if bench.small else 40), 2 * margin + (2 if bench.small else 30)
    sines, cosines = (f(2 * np.pi * np.arange(angles) / angles).astype(np.float32) for f in (np.sin, np.cos))
    radii = (8 + 2 * np.arange(circles))[:, None]
    tx, ty = ((radii * f[None]).astype(np.int32) for f in (cosines, sines))
    for name, value in (("c_sin_angle", sines), ("c_cos_angle", cosines), ("c_tX", tx.ravel()), ("c_tY", ty.ravel())):
        bench.module.variable(name, bench.device).write(value)
    gradient_x, gradient_y = bench.floats(width, height), bench.floats(width, height)  # a column a row
    bench.module.texture("t_grad_x").bind(gradient_x.ravel())
    bench.module.texture("t_grad_y").bind(gradient_y.ravel())
    found = np.zeros((width, height), np.float32)
    bench.launch("GICOV_kernel", width - 2 * margin, height - 2 * margin, height, found)
    wanted = np.zeros((width, height))
    for i in range(margin, width - margin):
        for j in range(margin, height - margin):
            x, y = i + tx, j + ty
            p = (gradient_x[x, y] * cosines + gradient_y[x, y] * sines).astype(np.float64)
            wanted[i, j] = (p.mean(axis=1) ** 2 / p.var(axis=1, ddof=1)).max()
    return {"gicov": (found, wanted), "dilated": _dilated(bench, found)}


def _dilated(bench: Bench, image: Array) -> tuple[Array, Array]:
    """The maximum around each element, where the structuring element is not 0."""
    size = 25
    element = (bench.random.random((size, size)) < 0.2).astype(np.float32)
    part = np.ascontiguousarray(image[:30, :20]) if bench.small else image
    columns, rows = part.shape
    bench.module.variable("c_strel", bench.device).write(element.ravel())
    bench.module.texture("t_img").bind(part.ravel())
    found = np.zeros((rows, columns), np.float32)
    bench.launch("dilate_kernel", columns * rows // 10, 10, rows, columns, size, size, found)
    padded = np.pad(part.T, size // 2)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size))
    return found, (windows * element).max(axis=(2, 3))


@program("hybridsort/mergesort.cu", "hybridsort")
def hybridsort(bench: Bench) -> Results:
    """Its merge sort: each division of the list by itself, four numbers at a time."""
    divisions = 1024
    quads = np.zeros(divisions, np.int64)
    quads[: 5 if bench.small else divisions] = bench.random.integers(
        1, 6 if bench.small else 40, 5 if bench.small else divisions
    )
    starts = np.r_[0, quads.cumsum()].astype(np.int32)
    values = bench.floats(int(starts[-1]) * 4)
    bench.module.variable("constStartAddr", bench.device).write(starts)
    texture, source, result = bench.module.texture("tex"), values.copy(), np.zeros_like(values)
    texture.bind(source)
    bench.launch("mergeSortFirst", -(-int(starts[-1]) // 256), 256, result, values.size)
    merged = 2
    while True:
        threads = -(-int(quads.max()) // merged)
        source, result = result, source
        texture.bind(source)
        bench.launch("mergeSortPass", -(-threads * divisions // 208), 208, result, merged, threads)
        if threads == 1:
            break
        merged *= 2
    parts = zip(starts[:-1] * 4, starts[1:] * 4, strict=True)
    return {"sorted": (result, np.concatenate([np.sort(values[a:b]) for a, b in parts]))}
