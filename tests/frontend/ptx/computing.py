# SPDX-License-Identifier: Apache-2.0
"""Instructions of PTX run on numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

DEVICES = ("reference", "cpu")
HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
_LETTERS = {8: "b16", 16: "b16", 32: "b32", 64: "b64"}


def module(body: str, parameters: Sequence[str] = (), more: str = "") -> lw.Module:
    """A module of one kernel, k; `more` comes before it."""
    listed = ", ".join(f".param {each}" for each in parameters)
    return lw.compile(f"{HEADER}{more}\n.visible .entry k({listed})\n{{\n{body}\nret;\n}}\n", language="ptx")


def device_for(name: str) -> lw.Device:
    """The device of that name, as one for which PTX with HEADER is."""
    return lw.device("simt", gpu="H100") if name == "simt" else lw.device(name)


class Computation(NamedTuple):
    """`code` sets the register %d of type `result` from %a, %b, %c and %e, which have the inputs' elements. An input of
    8 bits is in a register of 16, as PTX has no smaller ones."""

    code: str
    result: str
    inputs: Sequence[NDArray[Any]]

    @property
    def size(self) -> int:
        return int(self.result.lstrip("busf")) // 8


def computed(rows: Mapping[str, Computation], device: str) -> dict[str, NDArray[Any]]:
    """The results of computations as unsigned integers, all by one kernel: each in braces of its own."""
    parameters: list[str] = []
    arguments: list[NDArray[Any]] = []
    blocks: list[str] = []
    results: dict[str, NDArray[Any]] = {}
    for number, (name, row) in enumerate(rows.items()):
        results[name] = np.zeros(row.inputs[0].size, f"u{row.size}")
        arguments += [results[name], *row.inputs]
        names = [f"out{number}", *(f"in{number}{letter}" for letter in "abce"[: len(row.inputs)])]
        parameters += [f".u64 .ptr .global .align 8 {each}" for each in names]
        blocks.append(_block(row, names))
    count = max(array.size for array in arguments)
    module("\n".join(blocks), parameters)["k"].launch(1, count, tuple(arguments), device=device)
    return results


def _block(row: Computation, names: Sequence[str]) -> str:
    declared: list[str] = []
    loads: list[str] = []
    for letter, name, array in zip("abce", names[1:], row.inputs, strict=False):
        size = array.dtype.itemsize
        declared.append(f".reg .{_LETTERS[8 * size]} %{letter};")
        loads += [_place(name, size), f"ld.global.{'u8' if size == 1 else f'b{8 * size}'} %{letter}, [%p];"]
    return "\n".join([
        "{", ".reg .b64 %p; .reg .b32 %i, %q<4>; .reg .pred %s<4>; .reg .b16 %h<4>;", *declared,
        f".reg .b{8 * row.size} %d;", "mov.u32 %i, %tid.x;", *loads, row.code, _place(names[0], row.size),
        f"st.global.b{8 * row.size} [%p], %d;", "}",
    ])  # fmt: skip


def _place(array: str, size: int) -> str:
    """Code that brings the address of the thread's element into %p."""
    return f"ld.param.u64 %p, [{array}]; mad.wide.u32 %p, %i, {size}, %p;"
