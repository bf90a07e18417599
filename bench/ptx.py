# SPDX-License-Identifier: Apache-2.0
"""Time to PTX of a 30-line kernel in a new process, nothing cached; asked is at most 120 ms.

Run: python bench/ptx.py

Counted is what follows the start of Python and its imports: clang's run, loading LLVM, optimising, the check, and code
generation.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

REPEATS = 15

KERNEL = """
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < (n + 15) / 16; t++) {
    if (row < n && t * 16 + tx < n)
      as[ty][tx] = a[row * n + t * 16 + tx];
    else
      as[ty][tx] = 0.0f;
    if (column < n && t * 16 + ty < n)
      bs[ty][tx] = b[(t * 16 + ty) * n + column];
    else
      bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
"""

CHILD = """
import json, sys, time
from lanewise.pipelines.gpu import compile_ptx
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.llvm.binding import llvm
source = sys.stdin.read()
start = time.perf_counter()
text = compile_cuda(Source(source), CudaOptions()).text
middle = time.perf_counter()
llvm()
loaded = time.perf_counter()
compile_ptx(text, "sm_80")
print(json.dumps([middle - start, loaded - middle, time.perf_counter() - loaded]))
"""


def main() -> None:
    """Print the medians of the parts and of the whole."""
    rows: list[list[float]] = []
    for _ in range(REPEATS):
        done = subprocess.run([sys.executable, "-c", CHILD], input=KERNEL, capture_output=True, text=True, check=True)
        rows.append(json.loads(done.stdout))
    parts = [statistics.median(column) * 1e3 for column in zip(*rows, strict=True)]
    whole = statistics.median(sum(row) for row in rows) * 1e3
    print(f"clang {parts[0]:.0f} ms, loading LLVM {parts[1]:.0f} ms, to PTX {parts[2]:.0f} ms")
    print(f"source to PTX, median of {REPEATS} processes: {whole:.0f} ms (asked: at most 120 ms)")


if __name__ == "__main__":
    main()
