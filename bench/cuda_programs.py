# SPDX-License-Identifier: Apache-2.0
"""Costs of whole CUDA programs: builds, starts, launches, copies; each beside what is asked of it.

python bench/cuda_programs.py [TIMES]

A launch is compared with one through Python, a copy with memcpy, in turns within one run. The file of 500 lines has
eight kernels with shared memory and barriers, and host code that uses the C++ library.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fresh_process import Row, show

LAUNCHES = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>
__global__ void empty(int *p) {}
static double now() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int, char **arguments) {
  int *p, count = 24000;
  cudaMalloc(&p, 4096);
  empty<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  double first = now() - atof(arguments[1]), start = now();
  for (int i = 0; i < count; ++i) {
    empty<<<1, 32>>>(p);
    cudaDeviceSynchronize();
  }
  double middle = now();
  for (int i = 0; i < count; ++i)
    empty<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  double end = now();
  size_t bytes = 256 << 20;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  void *(*volatile copy)(void *, const void *, size_t) = memcpy; // which clang would leave out
  char *device;
  cudaMalloc(&device, bytes);
  cudaMemset(device, 0, bytes);
  double copies[2] = {};
  for (int i = 0; i < 4; ++i) {
    double a = now();
    cudaMemcpy(device, from.data(), bytes, cudaMemcpyHostToDevice);
    double b = now();
    copy(to.data(), from.data(), bytes);
    double c = now();
    copies[0] += b - a, copies[1] += c - b;
  }
  printf("%g %g %g %g %g\\n", 1e3 * first, 1e3 * (middle - start) / count, 1e3 * (end - middle) / count,
         1e3 * copies[0] / 4, 1e3 * copies[1] / 4);
}
"""

PYTHON = """
import time
import numpy as np
import lanewise as lw
kernel = lw.compile('extern "C" __global__ void empty(int *p) {}')["empty"][1, 32]
p = np.zeros(1024, np.int32)
for _ in range(100): kernel(p)
start = time.perf_counter()
for _ in range(24000): kernel(p)
print(1e3 * (time.perf_counter() - start) / 24000)
"""

KERNEL = """
__global__ void kernel{n}(float *out, const float *in, int count) {{
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < count ? in[i] * {n} : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {{
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }}
  if (t == 0)
    out[blockIdx.x] = part[0];
}}
void launch{n}(float *out, const float *in, int count) {{
  int blocks = (count + 255) / 256;
  if (blocks > 0)
    kernel{n}<<<blocks, 256>>>(out, in, count);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    printf("%s\\n", cudaGetErrorString(error));
}}
"""

HOST = """
static std::vector<float> ordered{n}(const std::map<std::string, float> &all) {{
  std::vector<float> found;
  for (const auto &[name, value] : all)
    if (name.size() > {n})
      found.push_back(value);
  std::sort(found.begin(), found.end());
  for (float &value : found)
    value += {n};
  return found;
}}
float largest{n}(const std::map<std::string, float> &all) {{
  std::vector<float> found = ordered{n}(all);
  if (found.empty())
    return 0;
  return *std::max_element(found.begin(), found.end());
}}
"""

SMALL = "#include <cstdio>\n__global__ void k(int *p) { *p = 3; }\nint main() { k<<<1, 1>>>(nullptr); }\n"


def large() -> str:
    """A program of 500 lines."""
    headers = "".join(f"#include <{name}>\n" for name in ("algorithm", "cstdio", "map", "string", "vector"))
    parts = [KERNEL.format(n=n) for n in range(8)] + [HOST.format(n=n) for n in range(19)]
    return headers + "".join(parts) + "int main() {}\n"


def seconds(words: list[str], folder: Path, cache: Path) -> float:
    """The time of a command with a cache."""
    environment = os.environ | {"LANEWISE_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{words} failed:\n{done.stderr}")
    return time.perf_counter() - start


def builds(folder: Path, times: int) -> list[Row]:
    """Builds with an empty cache, where only the runtime's libraries are ready, and with a full one."""
    nvcc = [sys.executable, "-m", "lanewise", "nvcc", "-c"]
    (folder / "small.cu").write_text(SMALL)
    rows: list[Row] = []
    for name, text, asked in (("a file of 3 lines", SMALL, None), ("a file of 500 lines", large(), 1500)):
        cold: list[float] = []
        warm: list[float] = []
        for number in range(times):
            (folder / "file.cu").write_text(f"{text}// {number}\n")
            cold.append(1e3 * seconds([*nvcc, "file.cu"], folder, folder / "cache"))
            warm.append(1e3 * seconds([*nvcc, "file.cu"], folder, folder / "cache"))
        rows += [Row(f"compile {name}", asked, cold), Row(f"compile {name}, from the cache", 200, warm)]
    (folder / "run.cu").write_text("int main() {}\n")
    run = [sys.executable, "-m", "lanewise", "run", "run.cu"]
    seconds(run, folder, folder / "cache")
    rows.append(
        Row("lanewise run, from the cache", 200, [1e3 * seconds(run, folder, folder / "cache") for _ in range(times)])
    )
    return rows


def launches(folder: Path, times: int) -> list[Row]:
    """Times within a program."""
    (folder / "launches.cu").write_text(LAUNCHES)
    command = [sys.executable, "-m", "lanewise", "nvcc", "-O3", "launches.cu", "-o", "launches"]
    seconds(command, folder, folder / "cache")
    found: list[list[float]] = []
    through_python: list[float] = []
    for _ in range(times):
        done = subprocess.run([folder / "launches", repr(time.time())], capture_output=True, text=True, check=True)
        found.append([float(word) for word in done.stdout.split()])
        done = subprocess.run([sys.executable, "-c", PYTHON], capture_output=True, text=True, check=True)
        through_python.append(float(done.stdout))
    first, waited, looped, copied, by_memcpy = (list(column) for column in zip(*found, strict=True))
    return [
        Row("start of a program to the end of its first kernel", 15, first),
        Row("launch of an empty kernel, and wait", 0.002, waited),
        Row("launch in a loop of 24,000", 0.001, looped),
        Row("the same through Python", None, through_python),
        Row("cudaMemcpy of 256 MiB", None, copied),
        Row("memcpy of 256 MiB", None, by_memcpy),
    ]


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cache").mkdir()
        show("builds", builds(folder, times))
        show("in a program", launches(folder, times))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
