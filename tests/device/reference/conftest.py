# SPDX-License-Identifier: Apache-2.0
"""Kernels for the reference device, from IR and from CUDA C++."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from lanewise.device.reference import ArgumentValue, ReferenceModule
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.reader import read_module


@cache
def _compiled(source: str) -> str:
    return compile_cuda(Source(source, None), CudaOptions()).text


class Kernels:
    """A module that launches by the start of a kernel's name."""

    def __init__(self, text: str, **options: Any) -> None:
        self.ir = read_module(text)
        self.module = ReferenceModule(self.ir, "<source>", **options)
        self.printed: list[str] = []

    def symbol(self, name: str) -> str:
        for kernel in self.ir.kernels:
            if kernel.symbol == name or kernel.symbol.startswith(f"_Z{len(name)}{name}"):
                return kernel.symbol
        raise KeyError(name)

    def __call__(
        self,
        name: str,
        *arguments: ArgumentValue,
        grid: tuple[int, int, int] = (1, 1, 1),
        block: int | tuple[int, int, int] = 1,
        **options: Any,
    ) -> None:
        extents = (block, 1, 1) if isinstance(block, int) else block
        self.module.launch(self.symbol(name), grid, extents, arguments, output=self.printed.append, **options)


@pytest.fixture
def cuda() -> Callable[..., Kernels]:
    """CUDA C++ -> kernels. Line 1 of the source is the first after the opening quotes' line break."""

    def make(source: str, **options: Any) -> Kernels:
        return Kernels(_compiled(source.removeprefix("\n")), **options)

    return make


@pytest.fixture
def ir() -> Callable[..., Kernels]:
    """Textual IR -> kernels."""

    def make(text: str, **options: Any) -> Kernels:
        return Kernels('target triple = "nvptx64-nvidia-cuda"\n' + text, **options)

    return make


@pytest.fixture
def evaluate(ir: Callable[..., Kernels]) -> Callable[..., Any]:
    """Runs `%r = ...` lines on operands and gives what `%r` of a type was.

    evaluate("i32", "%r = add i32 %a, %b", ("i32", 1), ("i32", 2)): operands are called %a, %b, ..."""

    def run(result: str, lines: str, *operands: tuple[str, ArgumentValue], declare: str = "", size: int = 64) -> Any:
        names = [f"{type_} %{chr(ord('a') + i)}" for i, (type_, _) in enumerate(operands)]
        kernels = ir(
            f"{declare}\n"
            f"define ptx_kernel void @k({', '.join(['ptr %out', *names])}) {{\n"
            f"  {lines}\n  store {result} %r, ptr %out, align 16\n  ret void\n}}\n"
        )
        out = _aligned(size)
        kernels("k", out, *(value for _, value in operands))
        return decoded(out.tobytes(), result)

    return run


def _aligned(size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    whole = np.zeros(size + 64, np.uint8)
    start = -whole.ctypes.data % 64
    return whole[start : start + size]


_FORMATS = {"i8": "i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "float": "<f4", "double": "<f8", "half": "<f2"}


def decoded(content: bytes, type_: str) -> Any:
    """The value of an IR type in memory; a list for a vector."""
    if type_.startswith("<"):
        count, element = type_.strip("<>").split(" x ")
        return np.frombuffer(content, _FORMATS[element])[: int(count)].tolist()
    if type_ in _FORMATS:
        return np.frombuffer(content, _FORMATS[type_])[0].item()
    bits = int(type_[1:])
    value = int.from_bytes(content[: (bits + 7) // 8], "little")
    return value - (1 << bits) if value >> (bits - 1) else value


Make = Callable[..., Kernels]
"""Type of the fixtures `cuda` and `ir`."""
Evaluate = Callable[..., Any]
"""Type of the fixture `evaluate`."""
