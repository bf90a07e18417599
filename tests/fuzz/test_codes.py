# SPDX-License-Identifier: Apache-2.0
"""Code that two mappings share is the code of each, and launches take it."""

import hashlib
from collections.abc import Callable

import pytest

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.device.cpu import kernels
from lanewise.device.program import Program
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.workgroup.mapping import mapping_of

from . import codes, opening
from .choices import Choices
from .kernel import RandomKernel, random_kernel
from .mappings import BOTH, MAPPINGS
from .running import OPTIONS, check
from .warps.kernel import random_kernel as random_warp_kernel

Maker = Callable[[Choices], RandomKernel]


def small_kernel(make: Maker, block: tuple[int, ...]) -> RandomKernel:
    """A random kernel of few lines whose work-groups have these extents."""
    tried = (make(Choices(seed)) for seed in range(4000))
    return next(kernel for kernel in tried if kernel.block == block and kernel.body.count("\n") < 90)


@pytest.mark.parametrize(
    ("make", "block", "most"),
    [(random_kernel, (5, 3), 4), (random_kernel, (48,), 8), (random_warp_kernel, (7,), 4)],
    ids=["15 work-items", "48 work-items", "a warp"],
)
def test_only_mappings_with_the_same_module_share_code(
    make: Maker, block: tuple[int, ...], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = small_kernel(make, block)
    ir = compile_cuda(Source(kernel.source), CudaOptions(options=OPTIONS))
    symbol, (x, y, z) = ir.kernels[0].symbol, (*block, 1, 1)[:3]
    monkeypatch.setattr(codes, "compile_shared_object", lambda text: text.encode())
    stored: list[str] = []
    monkeypatch.setattr(codes, "store_code", lambda cache, entry, code, facts: stored.append(code.decode()))
    made = codes.KernelCodes(symbol, (x, y, z))
    lanes = [mapping for mapping in MAPPINGS if mapping != "loop"]
    for mapping in lanes:
        made.make(Program("key", "kernel", lambda *_: ir.text, {}, options={"mapping": mapping}))
        compiled = compile_for_cpu(
            ir.text, symbol, (x, y, z), fused=has_fused_multiply_add(), mapping=mapping_of(mapping)
        )
        assert write_module(compiled.module) == stored[-1], mapping
    assert len(stored) == len(lanes)
    assert made.compiled <= most


def test_launches_take_what_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_kernel(*arguments: object) -> None:
        raise AssertionError("a launch has compiled a kernel")

    monkeypatch.setattr(kernels, "compile_kernel", compile_kernel)
    monkeypatch.setattr(opening, "is_left_to_launches", lambda key: False)
    kernel = small_kernel(random_kernel, (16, 2))
    assert check(kernel, ["auto", "loop", "lanes:8x2", BOTH])


def test_launches_compile_what_is_left_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(*arguments: object) -> None:
        raise AssertionError("mappings share code")

    monkeypatch.setattr(opening, "KernelCodes", make)
    monkeypatch.setattr(opening, "is_left_to_launches", lambda key: True)
    kernel = small_kernel(random_kernel, (16, 2))
    assert check(kernel, ["auto", "loop"])


def test_one_kernel_in_ten_is_left_to_launches() -> None:
    keys = (hashlib.sha256(str(number).encode()).hexdigest() for number in range(1000))
    assert 70 < sum(map(opening.is_left_to_launches, keys)) < 130
