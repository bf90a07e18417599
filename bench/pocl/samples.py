# SPDX-License-Identifier: Apache-2.0
"""The samples: kernels of the kinds of AMD's SDK, by that SDK's names. Most are those of `bench/cpu`."""

from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from bench.cpu.problem import KERNELS, Kernel

_OWN: Final = Path(__file__).parent / "kernels"


class Sample(NamedTuple):
    """A kernel with its data, and the folder of its source."""

    name: str
    kernel: Kernel
    folder: Path

    @property
    def source(self) -> str:
        return (self.folder / f"{self.name}.cl").read_text()


SAMPLES: Final = {
    "BinarySearch": "bench.pocl.kernels.binary_search",
    "BinomialOption": "bench.pocl.kernels.binomial_option",
    "BitonicSort": "bench.cpu.kernels.bitonic",
    "BlackScholes": "bench.cpu.kernels.blackscholes",
    "DCT": "bench.cpu.kernels.dct",
    "FastWalshTransform": "bench.pocl.kernels.fast_walsh",
    "FFT": "bench.cpu.kernels.fft",
    "FloydWarshall": "bench.cpu.kernels.floydwarshall",
    "Histogram": "bench.cpu.kernels.histogram",
    "Mandelbrot": "bench.cpu.kernels.mandelbrot",
    "MatrixMultiplication": "bench.cpu.kernels.matmul_tiled",
    "MatrixTranspose": "bench.cpu.kernels.transpose",
    "MonteCarloAsian": "bench.cpu.kernels.montecarlo",
    "NBody": "bench.cpu.kernels.nbody",
    "QuasiRandomSequence": "bench.pocl.kernels.quasi_random",
    "Reduction": "bench.cpu.kernels.reduction",
    "ScanLargeArrays": "bench.cpu.kernels.scan",
    "SimpleConvolution": "bench.cpu.kernels.convolution",
}


def sample(name: str) -> Sample:
    """The sample of that name."""
    module = SAMPLES[name]
    folder = _OWN if module.startswith("bench.pocl") else KERNELS
    return Sample(module.rpartition(".")[2], import_module(module).KERNEL, folder)
