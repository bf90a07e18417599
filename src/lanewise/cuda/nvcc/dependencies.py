# SPDX-License-Identifier: Apache-2.0
"""Rules for make: the files that an output is made of (-M, -MD and their kind)."""

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from lanewise.cuda.nvcc.command import Input, NvccCommand


class Rule(NamedTuple):
    """A rule. Without `path` it goes to standard output. `with_dummies`: each dependency has an empty rule, too."""

    path: str | None
    target: str
    with_dummies: bool

    def text(self, files: Sequence[str]) -> str:
        """The rule that the target depends on `files`, of which the first one is the source."""
        shown = [name.replace(" ", "\\ ").replace("$", "$$") for name in files]
        lines = f"{self.target}: {' '.join(shown[:1])}" + "".join(f" \\\n  {name}" for name in shown[1:]) + "\n"
        return lines + "".join(f"\n{name}:\n" for name in shown[1:]) * self.with_dummies

    def words(self, option: str) -> list[str]:
        """Words by which a C++ compiler writes the rule; `option` is -M or -MD."""
        file = [] if self.path is None else ["-MF", self.path]
        return [option, *file, "-MT", self.target, *["-MP"] * self.with_dummies]


def rule_beside(command: NvccCommand, given: Input, suffix: str) -> Rule | None:
    """The rule that is asked for beside the output of a compilation, whose name ends in `suffix`; None without one."""
    if not (command.has("dependencies") or command.has("dependency_file")):
        return None
    output = _output(command, given, suffix)
    return _rule(command, command.last("dependency_file") or str(PurePath(output).with_suffix(".d")), output)


def rule_alone(command: NvccCommand, given: Input) -> Rule:
    """The rule of a command that writes rules and nothing else. -odir is the folder of the object that it is about."""
    path = command.last("dependency_file") or command.last("output")
    return _rule(command, path, os.path.join(command.last("output_folder") or "", f"{given.stem}.o"))


def _rule(command: NvccCommand, path: str | None, target: str) -> Rule:
    return Rule(path, command.last("dependency_target") or target, command.has("dependency_dummies"))


def _output(command: NvccCommand, given: Input, suffix: str) -> str:
    return command.last("output") or os.path.join(command.last("output_folder") or "", f"{given.stem}{suffix}")
