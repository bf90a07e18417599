# SPDX-License-Identifier: Apache-2.0
"""The library of pyopencl, for recording: arrays, mathematics, reductions, scans, sorts, lists, random numbers.

python -m bench.unseen.record FOLDER/pyopencl PYTHON bench/unseen/programs/pyopencl_library.py [PLATFORM]

PYTHON has pyopencl and Mako; PLATFORM is a part of the name of an OpenCL platform. Each step is tried, and one that
fails is named.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : of the environment that records
import pyopencl.array as ca  # pyright: ignore[reportMissingImports]
from pyopencl import algorithm, bitonic_sort, clmath, clrandom  # pyright: ignore[reportMissingImports]
from pyopencl.elementwise import ElementwiseKernel  # pyright: ignore[reportMissingImports]
from pyopencl.reduction import ReductionKernel  # pyright: ignore[reportMissingImports]
from pyopencl.scan import GenericScanKernel  # pyright: ignore[reportMissingImports]

N = 1 << 20


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "Intel"
    platform = next(each for each in cl.get_platforms() if wanted in each.name)
    context = cl.Context(platform.get_devices()[:1])
    queue = cl.CommandQueue(context)
    random = np.random.default_rng(3)
    steps = {**_arrays(queue, random), **_own_kernels(context, queue, random), **_algorithms(context, queue, random)}
    for name, step in steps.items():
        try:
            step()
            queue.finish()
        except Exception as error:  # of any kind: the next step doesn't need this one
            print(f"{name}: {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)


def _arrays(queue: cl.CommandQueue, random: np.random.Generator) -> dict[str, Callable[[], object]]:
    x, y = (ca.to_device(queue, random.random(N, np.float32) + np.float32(0.5)) for _ in range(2))
    d = ca.to_device(queue, random.random(N) + 0.5)
    z = ca.to_device(queue, (random.random(N) + 1j * random.random(N)).astype(np.complex64))
    i, j = (ca.to_device(queue, random.integers(1, 1000, N, np.int32)) for _ in range(2))
    b = ca.to_device(queue, random.integers(1, 200, N, np.uint8))
    s = ca.to_device(queue, random.integers(1, 200, N, np.int16))
    at = ca.to_device(queue, random.permutation(N).astype(np.int32))
    steps: dict[str, Callable[[], object]] = {
        "axpb": lambda: 2 * x + 1,
        "sum of two": lambda: x + y,
        "product": lambda: x * y,
        "quotient": lambda: x / y,
        "reciprocal": lambda: 1 / x,
        "quotient of ints": lambda: i / j,
        "power": lambda: x**y,
        "square": lambda: x**2,
        "and": lambda: i & j,
        "bytes": lambda: b + b,
        "shorts": lambda: s * s,
        "complex product": lambda: z * z,
        "complex quotient": lambda: z / z,
        "complex and real": lambda: z * x,
        "conjugate": lambda: z.conj(),
        "absolute": lambda: abs(z),
        "real part": lambda: z.real,
        "compare": lambda: x < y,
        "compare with a number": lambda: x > 1,
        "if_positive": lambda: ca.if_positive(x - 1, x, y),
        "minimum": lambda: ca.minimum(x, y),
        "maximum": lambda: ca.maximum(i, j),
        "take": lambda: ca.take(x, at),
        "put": lambda: ca.multi_put([x], at, out=[ca.empty_like(x)]),
        "arange": lambda: ca.arange(queue, N, dtype=np.float32),
        "fill": lambda: x.copy().fill(3),
        "cast": lambda: x.astype(np.float64),
        "cast of ints": lambda: i.astype(np.float32),
        "cast to bytes": lambda: i.astype(np.uint8),
        "reverse": lambda: x.reverse(),
        "double": lambda: d * d + d,
        "sum": lambda: ca.sum(x),
        "sum of doubles": lambda: ca.sum(d),
        "sum of ints": lambda: ca.sum(i),
        "sum of bytes": lambda: ca.sum(b, dtype=np.int32),
        "greatest": lambda: ca.max(x),
        "least of ints": lambda: ca.min(i),
        "dot": lambda: ca.dot(x, y),
        "complex dot": lambda: ca.vdot(z, z),
        "dot of part": lambda: ca.subset_dot(at[: N // 2], x, y),
        "all": lambda: i.all(),
        "any": lambda: i.any(),
        "cumsum": lambda: ca.cumsum(i),
        "cumsum of floats": lambda: ca.cumsum(x),
        "diff": lambda: ca.diff(x),
        "logical": lambda: ca.logical_and(x > 1, y > 1),
    }
    functions = (
        "sin cos tan asin acos atan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt erf erfc tgamma "
        "lgamma floor ceil rint fabs"
    )
    for name in functions.split():
        function = getattr(clmath, name)
        steps[name] = lambda function=function: function(x * 0.5)
    for name in ("exp", "log", "sin", "sqrt", "tanh"):
        function = getattr(clmath, name)
        steps[f"{name} of doubles"] = lambda function=function: function(d)
    for name in ("exp", "sin", "sqrt"):
        function = getattr(clmath, name)
        steps[f"complex {name}"] = lambda function=function: function(z)
    for name in ("atan2", "fmod"):
        function = getattr(clmath, name)
        steps[name] = lambda function=function: function(x, y)
    steps["ldexp"] = lambda: clmath.ldexp(x, x)
    steps["frexp"] = lambda: clmath.frexp(x)
    steps["modf"] = lambda: clmath.modf(x)
    return steps


def _own_kernels(
    context: cl.Context, queue: cl.CommandQueue, random: np.random.Generator
) -> dict[str, Callable[[], object]]:
    """Kernels as the library's documentation shows them."""
    x, y = (ca.to_device(queue, random.random(N, np.float32)) for _ in range(2))
    i = ca.to_device(queue, random.integers(0, 100, N, np.int32))
    counts = ReductionKernel(
        context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i] < y[i] ? 1 : 0",
        arguments="float *x, float *y",
    )  # fmt: skip
    norm = ReductionKernel(
        context, np.float32, neutral="0", reduce_expr="a+b", map_expr="fabs(x[i]-y[i])", arguments="float *x, float *y"
    )
    linear = ElementwiseKernel(context, "float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]")
    largest = GenericScanKernel(
        context, np.int32, arguments="int *ary, int *out", input_expr="ary[i]", scan_expr="max(a, b)",
        neutral="INT_MIN", output_statement="out[i] = item;",
    )  # fmt: skip
    segments = GenericScanKernel(
        context, np.int32, arguments="int *ary, char *flags, int *out", input_expr="ary[i]",
        scan_expr="across_seg_boundary ? b : (a+b)", neutral="0", is_segment_start_expr="flags[i]",
        output_statement="out[i] = item;",
    )  # fmt: skip
    flags = ca.to_device(queue, (random.random(N) < 0.01).astype(np.int8))
    return {
        "count": lambda: counts(x, y),
        "norm": lambda: norm(x, y),
        "linear combination": lambda: linear(np.float32(5), x, np.float32(6), y, ca.empty_like(x)),
        "largest so far": lambda: largest(i, ca.empty_like(i)),
        "segmented sum": lambda: segments(i, flags, ca.empty_like(i)),
    }


def _algorithms(
    context: cl.Context, queue: cl.CommandQueue, random: np.random.Generator
) -> dict[str, Callable[[], object]]:
    i = ca.to_device(queue, random.integers(0, 1 << 20, N, np.int32))
    x = ca.to_device(queue, random.random(N, np.float32))
    few = ca.to_device(queue, np.sort(random.integers(0, 1000, N, np.int32)))
    lists = algorithm.ListOfListsBuilder(
        context, [("values", np.int32)],
        "void generate(LIST_ARG_DECL USER_ARG_DECL index_type i)\n"
        "{ int count = i % 4; for (int j = 0; j < count; ++j) { APPEND_values(count); } }",
        arg_decls=[],
    )  # fmt: skip
    steps: dict[str, Callable[[], object]] = {
        "copy_if": lambda: algorithm.copy_if(i, "ary[i] > 500000"),
        "remove_if": lambda: algorithm.remove_if(i, "ary[i] > 500000"),
        "partition": lambda: algorithm.partition(i, "ary[i] > 500000"),
        "unique": lambda: algorithm.unique(few),
        "radix sort": lambda: algorithm.RadixSort(
            context, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"], scan_kernel=GenericScanKernel
        )(i, key_bits=8),
        "key-value sort": lambda: algorithm.KeyValueSorter(context)(queue, few, i, 1000, np.int32),
        "lists of lists": lambda: lists(queue, N // 4),
        "bitonic sort": lambda: bitonic_sort.BitonicSort(context)(x.copy()),
        "bitonic sort of pairs": lambda: bitonic_sort.BitonicSort(context)(x.copy(), i.copy()),
        "bitonic sort of rows": lambda: bitonic_sort.BitonicSort(context)(x.copy().reshape(1024, 1024), axis=1),
    }
    for maker in (clrandom.PhiloxGenerator, clrandom.ThreefryGenerator):
        for dtype in (np.float32, np.float64, np.int32):
            name = f"{maker.__name__} of {np.dtype(dtype).name}"
            bounds = {"a": 0, "b": 1000} if dtype is np.int32 else {}
            steps[name] = lambda maker=maker, dtype=dtype, bounds=bounds: maker(context).uniform(
                queue, N, dtype, **bounds
            )
            if dtype is not np.int32:
                steps[f"normal {name}"] = lambda maker=maker, dtype=dtype: maker(context).normal(queue, N, dtype)
    return steps


if __name__ == "__main__":
    main()
