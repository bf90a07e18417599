# SPDX-License-Identifier: Apache-2.0
"""Runs the table of a pipeline on a module, and shows what each step does to it.

The module is ours or LLVM's at any time, or both if the last step changed nothing. It is converted, as text, where a
step needs the other form and not otherwise.
"""

import os
import time
from typing import Final, Generic, NamedTuple, TypeVar

from lanewise.config import verifies_passes
from lanewise.errors import Error, InternalError
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.remarks import remarks
from lanewise.ir.verifier import VerifierError, verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.pipelines.effect import Before, Effect, written
from lanewise.pipelines.lines import text_without_lines
from lanewise.pipelines.step import Group, LlvmPasses, Pass, Step, Table, names

C = TypeVar("C")


class Stage(NamedTuple):
    """The effect of a step. `text` is the module after it: None if nobody wants to see it, or if it changed nothing and
    is not the last that runs."""

    step: str
    changed: bool
    seconds: float
    text: str | None
    effect: Effect | None = None
    """The instructions and lines that it changed, if the view asks for them; None for a group."""
    why: str = ""
    """The reason why the pipeline has it."""
    remarks: tuple[str, ...] = ()
    """Code that it left alone since that went beyond a limit of its own, if the view asks for effects."""


class View(NamedTuple):
    """The part of a pipeline to run, and the part to show."""

    stop_after: str = ""
    """The last step; empty: all run."""
    disabled: frozenset[str] = frozenset()
    """Steps to leave out."""
    most_changes: int | None = None
    """Passes that may change the module, in order; later ones that aren't required are left out. To find by bisection
    the one that goes wrong."""
    texts: frozenset[str] | None = frozenset()
    """Steps after which the text is wanted; None: after each."""
    enabled: frozenset[str] = frozenset()
    """Steps to run that otherwise don't."""
    effects: bool = False
    """The effect of each step that changes the module is wanted."""


PLAIN: Final = View()


def check(view: View, table: Table[C]) -> None:
    """Raises `Error` if the view names a step that the table hasn't, or disables one that is required."""
    known = list(dict.fromkeys(names(table)))
    for name in (*view.disabled, *view.enabled, *(view.texts or ()), *([view.stop_after] if view.stop_after else [])):
        if name not in known:
            raise Error(f"no step is called '{name}'; the steps are {', '.join(map(repr, known))}")
    required = {step.name for step in _flat(table) if step.required}
    for name in sorted(view.disabled & required):
        raise Error(f"the step '{name}' can't be disabled: without it there is no code, or wrong code")


def _flat(table: Table[C]) -> list[Step[C]]:
    return [each for step in table for each in ([step, *_flat(step.steps)] if isinstance(step, Group) else [step])]


class Drive(Generic[C]):
    """One run of a table; `stages` says what was done."""

    def __init__(self, module: Module, context: C, what: str, view: View = PLAIN) -> None:
        """`what`: the kernel or module, for messages."""
        self.stages: Final[list[Stage]] = []
        self._context: Final = context
        self._what: Final = what
        self._view: Final = view
        self._verifies: Final = verifies_passes()
        self._changes = 0
        self._stopped = False
        self._ours: Module | None = module
        self._theirs: LlvmModule | None = None

    @property
    def module(self) -> Module:
        """The module as ours."""
        if self._ours is None:
            assert self._theirs is not None
            self._ours = read_module(self._theirs.text())
        return self._ours

    @property
    def llvm(self) -> LlvmModule:
        """The module as LLVM's."""
        if self._theirs is None:
            assert self._ours is not None
            self._theirs = LlvmModule.parse(write_module(self._ours))
        return self._theirs

    def run(self, table: Table[C]) -> "Drive[C]":
        """Run the steps in order, up to the one that the view stops after. InternalError where one of them fails."""
        for step in table:
            if self._stopped:
                break
            left_out = isinstance(step, Pass) and step.on_request and step.name not in self._view.enabled
            if step.name not in self._view.disabled and not left_out:
                self._run(step)
                self._stopped |= step.name == self._view.stop_after
        return self

    def _run(self, step: Step[C]) -> None:
        before = Before(self.module) if self._view.effects and not isinstance(step, Group) else None
        start = time.perf_counter()
        with remarks() as left_alone:
            changed = self._run_group(step) if isinstance(step, Group) else self._run_step(step)
        seconds = time.perf_counter() - start
        texts, is_last = self._view.texts, step.name == self._view.stop_after
        wanted = (texts is None or step.name in texts) and (changed or is_last)
        text = text_without_lines(self.module) if wanted else None
        effect = before.effect(self.module) if before is not None and changed else None
        told = written(left_alone, self.module) if before is not None and left_alone else ()
        self.stages.append(Stage(step.name, changed, seconds, text, effect, step.why, told))

    def _run_step(self, step: Pass[C] | LlvmPasses[C]) -> bool:
        try:
            return self._run_pass(step) if isinstance(step, Pass) else self._run_llvm(step)
        except Exception as error:
            if isinstance(error, Error) and not isinstance(error, VerifierError):
                raise
            raise self._failure(step, error) from error

    def _run_group(self, group: Group[C]) -> bool:
        if not group.when(self._context):
            return False
        before = len(self.stages)
        for turn in range(group.most):
            if turn and (group.again is None or not group.again(self.module, self._context)):
                break
            self.run(group.steps)
        return any(stage.changed for stage in self.stages[before:])

    def _run_pass(self, step: Pass[C]) -> bool:
        most = self._view.most_changes
        if most is not None and self._changes >= most and not step.required:
            return False
        if self._ours is None and step.only_for and step.only_for not in self.llvm.text():
            return False
        result = step.run(self.module, self._context)
        changed = result is not False
        if changed:
            self._changes += not step.required
            self._theirs = None
            if isinstance(result, Module):
                self._ours = result
            if self._verifies:
                verify(self.module)
        return changed

    def _run_llvm(self, step: LlvmPasses[C]) -> bool:
        step.run(self.llvm, self._context)
        self._ours = None
        return True

    def _failure(self, step: Step[C], error: Exception) -> InternalError:
        import tempfile  # 3 ms

        handle, path = tempfile.mkstemp(prefix="lanewise-", suffix=".ll")
        with os.fdopen(handle, "w") as file:
            file.write(self._text_at_hand())
        return InternalError(
            f"the step '{step.name}' failed on {self._what}: {type(error).__name__}: {error}\nThis is a defect of "
            f"Lanewise. The module as the step left it is in {path}; please report it with this message."
        )

    def _text_at_hand(self) -> str:
        try:
            return write_module(self._ours) if self._ours is not None else self.llvm.text()
        except Exception as error:  # the module may be broken in any way
            return f"; the module can't be written: {type(error).__name__}: {error}\n"
