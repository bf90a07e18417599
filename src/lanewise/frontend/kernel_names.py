# SPDX-License-Identifier: Apache-2.0
"""Kernels by the names that programs write: with or without namespaces, signature and template arguments."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class KernelName(NamedTuple):
    """One kernel: its symbol in the module, its name with namespaces and template arguments, and its signature
    (`ns::scale<float, 4>(float*, int)`), which tells overloads apart. The anonymous namespace isn't written."""

    symbol: str
    qualified: str
    signature: str


def candidates(kernels: Iterable[KernelName], written: str) -> tuple[KernelName, ...]:
    """The kernels that `written` may mean, by the first of these rules that finds any: it is the symbol; the signature;
    the qualified name; the name without some outer namespaces; one of these without its template arguments. Spaces
    don't matter."""
    kernels = tuple(kernels)
    plain = _spaceless(written)
    rules: tuple[Callable[[KernelName], bool], ...] = (
        lambda kernel: kernel.symbol == written.strip(),
        lambda kernel: _spaceless(kernel.signature) == plain,
        lambda kernel: _spaceless(kernel.qualified) == plain,
        lambda kernel: _spaceless(kernel.qualified).endswith(f"::{plain}"),
        lambda kernel: f"::{_template(kernel.qualified)}".endswith(f"::{plain}"),
    )
    for rule in rules:
        if matching := tuple(kernel for kernel in kernels if rule(kernel)):
            return matching
    return ()


def _spaceless(name: str) -> str:
    """`name` without the spaces that C++ doesn't need: those in `unsigned int` stay."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", name.strip())


def _template(qualified: str) -> str:
    """`ns::scale` of `ns::scale<float, 4>`."""
    return qualified.partition("<")[0]
