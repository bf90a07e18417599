# SPDX-License-Identifier: Apache-2.0
"""Steps of a pipeline: what the literal table of a target is made of.

A step has a name, which `--print-after`, `--disable` and `--stop-after` take; a function; and the reason why it is
there. `C` is the target's context: its options, and the facts that steps leave for those after them. `order.py` has
the pairs of steps whose order matters, `drive.py` runs a table.
"""

from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.llvm import LlvmModule

C = TypeVar("C")


class Pass(NamedTuple, Generic[C]):
    """A step on our own IR."""

    name: str
    run: Callable[[Module, C], bool | Module]
    """Changes the module and returns whether it did, or returns another module that takes its place."""
    why: str
    required: bool = False
    """The step can't be disabled: there would be no code, or wrong code."""
    only_for: str = ""
    """Words in LLVM's text of a module without which the step has nothing to do, so that nobody reads the text."""
    on_request: bool = False
    """The step runs only if it is enabled by name: it helps few programs."""


class LlvmPasses(NamedTuple, Generic[C]):
    """A step that LLVM does."""

    name: str
    run: Callable[[LlvmModule, C], None]
    why: str
    required: bool = False


class Group(NamedTuple, Generic[C]):
    """Several steps under one name."""

    name: str
    steps: "tuple[Pass[C] | LlvmPasses[C] | Group[C], ...]"
    why: str
    when: Callable[[C], bool] = lambda context: True
    """The group is passed over unless this holds before it."""
    again: Callable[[Module, C], bool] | None = None
    """True if the group is to run once more after it has run."""
    most: int = 1
    """Times that it runs at most."""
    required: bool = True


Step: TypeAlias = Pass[C] | LlvmPasses[C] | Group[C]
Table: TypeAlias = tuple[Step[C], ...]


def on_module(run: Callable[[Module], bool | Module]) -> Callable[[Module, object], bool | Module]:
    """The step that does `run` and needs no context."""
    return lambda module, context: run(module)


def on_functions(run: Callable[[Function], bool]) -> Callable[[Module, object], bool]:
    """The step that does `run` for each function with a body, and needs no context."""
    return lambda module, context: sum(run(f) for f in module.functions if f.blocks) > 0


def on_functions_with(run: Callable[[Function, Module, C], bool]) -> Callable[[Module, C], bool]:
    """The step that does `run` for each function with a body."""
    return lambda module, context: sum(run(f, module, context) for f in module.functions if f.blocks) > 0


def names(steps: Table[C]) -> Iterator[str]:
    """The names of all steps in order, those inside a group before the group's own."""
    for step in steps:
        if isinstance(step, Group):
            yield from names(step.steps)
        yield step.name
