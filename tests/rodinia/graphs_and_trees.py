# SPDX-License-Identifier: Apache-2.0
"""bfs, b+tree, nn, streamcluster, kmeans, particlefilter: Rodinia's programs on graphs, trees and points."""

import numpy as np

from .driving import Bench, Results, program


@program("bfs/bfs.cu")
def bfs(bench: Bench) -> Results:
    n = 150 if bench.small else 5000
    degrees = bench.random.integers(0, 6, n)
    edges = bench.random.integers(0, n, degrees.sum()).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(degrees)[:-1]])
    nodes = np.zeros(n, [("starting", "i4"), ("no_of_edges", "i4")])
    nodes["starting"], nodes["no_of_edges"] = starts, degrees
    mask, updating, visited = (np.zeros(n, np.bool_) for _ in range(3))
    mask[0] = visited[0] = True
    cost = np.full(n, -1, np.int32)
    cost[0] = 0
    over = np.ones(1, np.bool_)
    grid = -(-n // 512)
    while over[0]:
        over[0] = False
        bench.launch("Kernel", grid, 512, nodes, edges, mask, updating, visited, cost, n)
        bench.launch("Kernel2", grid, 512, mask, updating, visited, over, n)
    expected = np.full(n, -1, np.int32)
    expected[0], level, front = 0, 0, [0]
    while front:
        level += 1
        reached = {int(e) for v in front for e in edges[starts[v] : starts[v] + degrees[v]] if expected[e] < 0}
        front = sorted(reached)
        expected[front] = level
    return {"cost": (cost, expected)}


@program("b+tree/kernel/kernel_gpu_cuda_wrapper.cu")
def b_plus_tree(bench: Bench) -> Results:
    """A tree of two levels: 16 leaves of 256 keys below one root."""
    order, leaves, queries = 256, 16, 4 if bench.small else 40
    node = np.dtype(
        [
            ("location", "i4"),
            ("indices", "i4", order + 1),
            ("keys", "i4", order + 1),
            ("is_leaf", "?"),
            ("num_keys", "i4"),
        ],
        align=True,
    )
    nodes = np.zeros(leaves + 1, node)
    nodes["keys"] = np.iinfo(np.int32).max
    for leaf in range(leaves):
        nodes[leaf + 1]["keys"][:order] = 3 * (leaf * order + np.arange(order))
        nodes[leaf + 1]["indices"][:order] = leaf * order + np.arange(order)
        nodes[0]["keys"][leaf] = 3 * leaf * order
        nodes[0]["indices"][leaf] = leaf + 1
    records = bench.random.integers(0, 1000, leaves * order).astype(np.int32).view([("value", "i4")])
    keys = bench.random.integers(0, 3 * leaves * order, queries).astype(np.int32)
    current, offset = np.zeros(queries, np.int64), np.zeros(queries, np.int64)
    answers = np.full(queries, -1, np.int32).view([("value", "i4")])
    bench.launch("findK", queries, order, 1, nodes, leaves + 1, records, current, offset, keys, answers)
    expected = np.where(keys % 3 == 0, records["value"][keys // 3], -1)
    return {"answers": (answers["value"], expected)}


@program("nn/nn_cuda.cu")
def nn(bench: Bench) -> Results:
    n = 300 if bench.small else 10_000
    places = bench.floats(n, 2)
    distances = np.zeros(n, np.float32)
    bench.launch("euclid", -(-n // 256), 256, places, distances, n, 0.75, 1.25)
    return {"distances": (distances, np.hypot(places[:, 0] - 0.75, places[:, 1] - 1.25))}


@program("streamcluster/streamcluster_cuda.cu")
def streamcluster(bench: Bench) -> Results:
    """The kernel adds what it saves to what is there, and the rest is subtracted where the cost is higher."""
    n, dim, k, chosen = (200, 5, 4, 17) if bench.small else (3000, 16, 10, 1234)
    coordinates = bench.floats(dim, n)
    points = np.zeros(n, np.dtype([("weight", "f4"), ("coord", "u8"), ("assign", "i8"), ("cost", "f4")], align=True))
    points["weight"], points["cost"] = bench.floats(n), 2 * bench.floats(n)
    points["assign"] = bench.random.integers(0, n, n)
    table = bench.random.integers(0, k, n).astype(np.int32)
    stride = k + 1
    work, switch = np.zeros((n, stride), np.float32), np.zeros(n, np.bool_)
    bench.launch(
        "kernel_compute_cost", -(-n // 512), 512, n, dim, chosen, points, k, stride, coordinates, work, table, switch
    )
    distance = ((coordinates - coordinates[:, chosen : chosen + 1]).astype(np.float64) ** 2).sum(axis=0)
    gain = distance * points["weight"] - points["cost"]
    expected = np.zeros((n, stride))
    expected[:, k] = np.minimum(gain, 0)
    expected[np.arange(n), table[points["assign"]]] = np.minimum(-gain, 0)
    return {"switch": (switch, gain < 0), "work": (work, expected)}


@program("particlefilter/ex_particle_CUDA_naive_seq.cu")
def particlefilter_naive(bench: Bench) -> Results:
    n = 100 if bench.small else 1000
    x, y = bench.random.random(n), bench.random.random(n)
    cdf = np.cumsum(bench.random.random(n))
    cdf /= cdf[-1]
    u = (np.arange(n) + bench.random.random()) / n
    xj, yj = np.zeros(n), np.zeros(n)
    bench.launch("kernel", -(-n // 128), 128, x, y, cdf, u, xj, yj, n)
    index = np.minimum(np.searchsorted(cdf, u), n - 1)
    return {"xj": (xj, x[index]), "yj": (yj, y[index])}


@program("particlefilter/ex_particle_CUDA_float_seq.cu")
def particlefilter_float(bench: Bench) -> Results:
    n = 500  # one group: of several, the first adds up weights that others are still dividing
    weights = bench.random.random(n)
    expected = weights / weights.sum()
    partial = np.array([weights.sum()])
    cdf, u, seed = np.zeros(n), np.zeros(n), np.arange(1, n + 1, dtype=np.int32)
    bench.launch("sum_kernel", 1, 512, partial, n)
    bench.launch("normalize_weights_kernel", 1, 512, weights, n, partial, cdf, u, seed)
    steps = u - np.arange(n) / n
    return {
        "weights": (weights, expected),
        "cdf": (cdf, np.cumsum(expected)),
        "u": (u, np.arange(n) / n + steps[0]),
    }


@program("kmeans/kmeans_cuda.cu")
def kmeans_invert(bench: Bench) -> Results:
    points, features = (60, 5) if bench.small else (3000, 34)
    given = bench.floats(points, features)
    found = np.zeros((features, points), np.float32)
    bench.launch("invert_mapping", -(-points // 256), 256, given, found, points, features)
    return {"inverted": (found, given.T)}
