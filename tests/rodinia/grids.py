# SPDX-License-Identifier: Apache-2.0
"""backprop, hotspot, hotspot3D, pathfinder, nw, srad, lavaMD: Rodinia's programs on grids."""

import itertools

import numpy as np

from .driving import Bench, Results, at, inside, program


@program("backprop/backprop_cuda.cu")
def backprop(bench: Bench) -> Results:
    height, hidden, groups = 16, 16, 2 if bench.small else 40
    n = height * groups
    units = bench.floats(n + 1)
    weights = bench.floats(n + 1, hidden + 1)
    partial = np.zeros((groups, hidden), np.float32)
    products = weights[1:, 1:].astype(np.float64) * units[1:, None]
    changed = weights.copy()
    bench.launch("bpnn_layerforward_CUDA", (1, groups), (16, 16), units, np.zeros(hidden + 1, np.float32), changed,
                 partial, n, hidden)  # fmt: skip
    delta, momentum = bench.floats(hidden + 1), bench.floats(n + 1, hidden + 1)
    w, old = weights.copy(), momentum.copy()
    bench.launch("bpnn_adjust_weights_cuda", (1, groups), (16, 16), delta, hidden, units, n, w, old)
    step = 0.3 * np.outer(units, delta) + 0.3 * momentum
    step[0] = 0.3 * delta + 0.3 * momentum[0]
    step[:, 0] = 0
    wanted = momentum.astype(np.float64)
    wanted[:, 1:] = step[:, 1:]
    return {
        "sums": (partial, products.reshape(groups, height, hidden).sum(axis=1)),
        "weights": (w, weights + step),
        "momentum": (old, wanted),
    }


@program("hotspot/hotspot.cu")
def hotspot(bench: Bench) -> Results:
    size, steps = (20, 1) if bench.small else (100, 3)
    block, border = 16, steps
    power, source = bench.floats(size, size), 300 + bench.floats(size, size)
    found = np.zeros((size, size), np.float32)
    capacity, rx, ry, rz, step = 0.5, 2.0, 3.0, 4.0, 0.01
    groups = -(-size // (block - 2 * steps))
    bench.launch("calculate_temp", (groups, groups), (block, block), steps, power, source, found, size, size, border,
                 border, capacity, rx, ry, rz, step, 0.0)  # fmt: skip
    t = source.astype(np.float64)
    for _ in range(steps):
        p = np.pad(t, 1, mode="edge")
        rows, columns = p[2:, 1:-1] + p[:-2, 1:-1] - 2 * t, p[1:-1, 2:] + p[1:-1, :-2] - 2 * t
        t = t + step / capacity * (power + rows / ry + columns / rx + (80 - t) / rz)
    return {"temperature": (found, t)}


@program("hotspot3D/3D.cu", "hotspot3D")
def hotspot3d(bench: Bench) -> Results:
    nx, ny, nz = (64, 4, 3) if bench.small else (128, 32, 8)
    power, source = bench.floats(nz, ny, nx), bench.floats(nz, ny, nx)
    found = np.zeros_like(source)
    east, north, top, sdc = 0.03, 0.04, 0.05, 0.1
    center = 1 - (2 * east + 2 * north + 3 * top)
    bench.launch("hotspotOpt1", (nx // 64, ny // 4), (64, 4), power, source, found, sdc, nx, ny, nz, east, east, north,
                 north, top, top, center)  # fmt: skip
    p = np.pad(source.astype(np.float64), 1, mode="edge")
    expected = (
        center * source
        + east * (p[1:-1, 1:-1, 2:] + p[1:-1, 1:-1, :-2])
        + north * (p[1:-1, 2:, 1:-1] + p[1:-1, :-2, 1:-1])
        + top * (p[2:, 1:-1, 1:-1] + p[:-2, 1:-1, 1:-1])
        + sdc * power
        + top * 80
    )
    return {"temperature": (found, expected)}


@program("pathfinder/pathfinder.cu")
def pathfinder(bench: Bench) -> Results:
    rows, columns, steps = 6, 300 if bench.small else 3000, 5
    wall = bench.random.integers(0, 10, (rows, columns)).astype(np.int32)
    found = np.zeros(columns, np.int32)
    groups = -(-columns // (256 - 2 * steps))
    bench.launch("dynproc_kernel", groups, 256, steps, wall[1:], wall[0].copy(), found, columns, rows, 0, steps)
    path = wall[0].astype(np.int64)
    for row in wall[1:]:
        p = np.pad(path, 1, mode="edge")
        path = np.minimum(np.minimum(p[:-2], p[1:-1]), p[2:]) + row
    return {"path": (found, path)}


@program("nw/needle.cu")
def nw(bench: Bench) -> Results:
    block, groups, penalty = 16, 2 if bench.small else 8, 10
    n = block * groups
    columns = n + 1
    reference = bench.random.integers(-4, 12, (columns, columns)).astype(np.int32)
    scores = np.zeros((columns, columns), np.int32)
    scores[0] = scores[:, 0] = -penalty * np.arange(columns)
    expected = scores.astype(np.int64)
    for i, j in itertools.product(range(1, columns), repeat=2):
        expected[i, j] = max(
            expected[i - 1, j - 1] + reference[i, j], expected[i, j - 1] - penalty, expected[i - 1, j] - penalty
        )
    for i in range(1, groups + 1):
        bench.launch("needle_cuda_shared_1", i, block, reference, scores, columns, penalty, i, groups)
    for i in range(groups - 1, 0, -1):
        bench.launch("needle_cuda_shared_2", i, block, reference, scores, columns, penalty, i, groups)
    return {"scores": (scores, expected)}


@program("srad/srad_v2/srad.cu", reads_outside="srad_kernel.cu:45: .* a load of 4 bytes")
def srad_v2(bench: Bench) -> Results:
    size, q0, rate = 32 if bench.small else 128, 0.05, 0.5
    margin = 16 * size + 16
    image = bench.floats(size, size)
    found = inside(image, margin)
    east, west, north, south = (np.zeros((size, size), np.float32) for _ in range(4))
    c = inside(np.zeros((size, size), np.float32), margin)
    buffer, coefficients = found[margin:], c[margin:]
    groups, block = (size // 16, size // 16), (16, 16)
    bench.launch("srad_cuda_1", groups, block, east, west, north, south, buffer, coefficients, size, size, q0)
    bench.launch("srad_cuda_2", groups, block, east, west, north, south, buffer, coefficients, size, size, rate, q0)
    j = image.astype(np.float64)
    p = np.pad(j, 1, mode="edge")
    n, s, w, e = p[:-2, 1:-1] - j, p[2:, 1:-1] - j, p[1:-1, :-2] - j, p[1:-1, 2:] - j
    g2, total = (n * n + s * s + w * w + e * e) / (j * j), (n + s + w + e) / j
    q = (0.5 * g2 - total * total / 16) / (1 + 0.25 * total) ** 2
    d = np.clip(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0, 1)
    dp = np.pad(d, 1, mode="edge")
    change = d * n + dp[2:, 1:-1] * s + d * w + dp[1:-1, 2:] * e
    return {
        "east": (east, e),
        "coefficients": (at(c, margin, (size, size)), d),
        "image": (at(found, margin, (size, size)), j + 0.25 * rate * change),
    }


@program("lavaMD/kernel/kernel_gpu_cuda_wrapper.cu")
def lavamd(bench: Bench) -> Results:
    side, particles = (1 if bench.small else 2), 100
    boxes = side**3
    neighbour = np.dtype([("x", "i4"), ("y", "i4"), ("z", "i4"), ("number", "i4"), ("offset", "i8")], align=True)
    box = np.dtype(
        [("x", "i4"), ("y", "i4"), ("z", "i4"), ("number", "i4"), ("offset", "i8"), ("nn", "i4"),
         ("nei", neighbour, 26)], align=True
    )  # fmt: skip
    given = np.zeros(boxes, box)
    places = list(itertools.product(range(side), repeat=3))
    near = {
        a: [b for b in range(boxes) if b != a and max(abs(np.subtract(places[a], places[b]))) <= 1]
        for a in range(boxes)
    }
    for number in range(boxes):
        given[number]["offset"] = number * particles
        given[number]["nn"] = len(near[number])
        given[number]["nei"]["number"][: len(near[number])] = near[number]
    position, charge = bench.random.random((boxes * particles, 4)), bench.random.random(boxes * particles)
    force = np.zeros((boxes * particles, 4))
    alpha = 0.5
    dim = (0, 0, 0, side, boxes, 0, 0, 0, 0)
    bench.launch("kernel_gpu_cuda", boxes, 128, (alpha,), dim, given, position, charge, force)
    expected = np.zeros_like(force)
    for a in range(boxes):
        own = slice(a * particles, (a + 1) * particles)
        for b in (a, *near[a]):
            other = slice(b * particles, (b + 1) * particles)
            pa, pb, q = position[own, None], position[None, other], charge[other]
            r2 = pa[..., 0] + pb[..., 0] - (pa[..., 1:] * pb[..., 1:]).sum(axis=-1)
            v = np.exp(-2 * alpha * alpha * r2)
            expected[own, 0] += (q * v).sum(axis=1)
            d = pa[..., 1:] - pb[..., 1:]
            expected[own, 1:] += (q[None, :, None] * 2 * v[..., None] * d).sum(axis=1)
    return {"force": (force, expected)}
