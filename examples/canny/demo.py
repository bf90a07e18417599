# SPDX-License-Identifier: Apache-2.0
"""Finds the edges of a photograph with the CUDA C++ of canny.cu, the OpenCL C of canny.cl and the loops of canny.py on
the CPU, and compares with SciPy's."""

import argparse
import functools
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import canny as loops
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from reference import canny
from rich.console import Console

import lanewise as lw

HERE = Path(__file__).parent
TILE = 16  # as in canny.cu
LOW, HIGH = 60.0, 150.0  # lengths of the Sobel gradient

# The kernels may fuse gx * gx + gy * gy into one rounding where NumPy rounds twice: a gradient's length can
# differ in its last bit, and a pixel that ties with its neighbour, or stands just at a threshold, can turn.
MAX_DIFFERING = 0.001
RUNS = 5  # of which the median is shown

State = NDArray[np.uint8]
EdgeImage = NDArray[np.uint8]

console = Console(highlight=False)


def detect_edges(module: lw.Module, image: NDArray[np.float32]) -> EdgeImage:
    """Runs the five steps of canny.cu or canny.cl on the default device; 255 where there is an edge."""
    height, width = image.shape
    grid, block = (-(-width // TILE), -(-height // TILE)), (TILE, TILE)

    blurred, length = np.empty_like(image), np.empty_like(image)
    direction, state, after = (np.empty(image.shape, np.uint8) for _ in range(3))
    module["blur"][grid, block](blurred, image, width, height)
    module["gradient"][grid, block](length, direction, blurred, width, height)
    module["suppress"][grid, block](state, length, direction, LOW, HIGH, width, height)

    changed = np.ones(1, np.int32)
    while changed[0]:
        changed[0] = 0
        module["hysteresis"][grid, block](after, changed, state, width, height)
        state, after = after, state

    edges = np.empty(image.shape, np.uint8)
    module["draw"][grid, block](edges, state, width, height)
    return edges


def milliseconds(run: Callable[[], object]) -> float:
    """The median of a few runs."""
    times: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def show_what_a_gpu_would_do(edges: EdgeImage) -> None:
    """Profiles of one kernel whose threads walk down columns, and as it is, along rows."""
    source = (HERE / "canny.cu").read_text()
    along_rows = "blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;"
    down_columns = "blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y * blockDim.x + threadIdx.x;"
    height, width = edges.shape
    state = (edges // 255 * 2).astype(np.uint8)
    for how, text, across, down in (
        ("down columns", source.replace(along_rows, down_columns), 8, 32),
        ("along rows, as it is", source, 32, 8),
    ):
        drawn, grid = np.empty_like(edges), (-(-width // across), -(-height // down))
        profile = lw.compile(text, language="cuda")["draw"].profile(grid, (32, 8), (drawn, state, width, height))
        assert np.array_equal(drawn, edges)
        say(f"What a GPU would have to do if threads drew the edges {how}:")
        shown = [line for line in str(profile).splitlines() if line.startswith(("global", "at least"))]
        advice = [f"  {sentence}" for sentence in profile.advice] or ["  nothing costs more than it must"]
        console.print("\n".join([*shown, *advice]), style="dim", markup=False, no_wrap=True, overflow="ellipsis")


def show_what_is_said_of_mistakes(image: NDArray[np.float32]) -> None:
    """The blur without its second barrier, and with its border forgotten, in a checked launch."""
    height, width = image.shape
    source = (HERE / "canny.cu").read_text()
    summed = "        rows[y][threadIdx.x] = sum;\n    }\n"
    broken = source.replace(f"{summed}    __syncthreads();\n", f"{summed}\n").replace("clamp(y, height)", "y", 1)
    blur = lw.compile(broken, language="cuda", checked=True)["blur"]
    say("Broken on purpose, the blur has lost a barrier and the upper border; a checked launch says so:")
    try:
        blur[(-(-width // TILE), -(-height // TILE)), (TILE, TILE)](np.empty_like(image), image, width, height)
    except lw.CheckError as error:
        console.print(str(error), style="dim", markup=False, soft_wrap=True)


def say(text: str) -> None:
    console.print(f"[bold green]>[/] {text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("out"), help="directory for the images")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)

    photo = np.asarray(Image.open(HERE / "photo.png"))
    image = photo.astype(np.float32)
    say(f"Loaded photo.png: {image.shape[1]} x {image.shape[0]} grey pixels.")

    start = time.perf_counter()
    module = lw.compile(HERE / "canny.cu")
    edges = detect_edges(module, image)
    first = time.perf_counter() - start
    say(f"Compiled canny.cu and ran its five kernels on the CPU in {1e3 * first:.0f} ms.")

    in_opencl = lw.compile(HERE / "canny.cl")
    for name, what, detect in (
        ("canny.cl", "the same in OpenCL C", functools.partial(detect_edges, in_opencl)),
        ("canny.py", "the same as loops of Python", functools.partial(loops.detect_edges, low=LOW, high=HIGH)),
    ):
        start = time.perf_counter()
        same = np.array_equal(detect(image), edges)
        say(
            f"Compiled {name}, {what}, and ran it in {1e3 * (time.perf_counter() - start):.0f} ms; its pixels are "
            f"{'the same' if same else 'others'}."
        )
        if not same:
            console.print("[bold red]The languages differ.[/]")
            return 1

    Image.fromarray(edges).save(out / "edges.png")
    Image.fromarray(np.hstack([photo, edges])).save(out / "side_by_side.png")
    say(f"Wrote {out / 'edges.png'} and {out / 'side_by_side.png'}.")

    expected = canny(image, LOW, HIGH).edges
    differing = np.count_nonzero((edges == 255) != expected)
    say(
        f"Compared with SciPy: {np.count_nonzero(expected):,} edge pixels; of {image.size:,} pixels "
        f"{differing} differ (at most {MAX_DIFFERING:.1%} may)."
    )
    if differing > MAX_DIFFERING * image.size:
        console.print("[bold red]The edges are not those of the reference.[/]")
        return 1

    times = {
        "canny.cu": milliseconds(lambda: detect_edges(module, image)),
        "canny.cl": milliseconds(lambda: detect_edges(in_opencl, image)),
        "canny.py": milliseconds(lambda: loops.detect_edges(image, LOW, HIGH)),
        "SciPy": milliseconds(lambda: canny(image, LOW, HIGH)),
    }
    say(
        "From array to array, now that all is compiled: " + ", ".join(f"{n} {t:.1f} ms" for n, t in times.items()) + "."
    )

    say("The same kernels as PTX for an NVIDIA GPU, sm_80; its first lines:")
    lines = [line for line in module.ptx(arch="sm_80").splitlines() if line and not line.startswith("//")]
    console.print("\n".join(lines[:14]), style="dim", markup=False, no_wrap=True, overflow="ellipsis")

    show_what_a_gpu_would_do(edges)

    show_what_is_said_of_mistakes(image)

    say("And one kernel from the command line:")
    height, width = image.shape
    command = (
        f"lanewise run {Path(os.path.relpath(HERE / 'canny.cu'))} --kernel blur --grid 32,32 --block 16,16"
        f" --arg blurred=zeros:f32[{image.size}] --arg img=rand:f32[{image.size}]"
        f" --arg width={width} --arg height={height} --save {out / 'blurred.npy'}"
    )
    console.print(f"$ {command}", style="bold", markup=False, soft_wrap=True)
    program, *arguments = shlex.split(command)
    return subprocess.run([Path(sys.executable).parent / program, *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
