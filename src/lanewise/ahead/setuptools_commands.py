# SPDX-License-Identifier: Apache-2.0
"""Commands for setuptools, which put what was built into a wheel:

    [tool.setuptools.cmdclass]
    build_py = "lanewise.ahead.setuptools_commands.BuildPy"
    bdist_wheel = "lanewise.ahead.setuptools_commands.BdistWheel"

    [tool.lanewise]
    modules = ["src/pkg/fast.py"]

The table `tool.lanewise` has the keys of `wheel_files`. In editable installations, functions are compiled at their
calls.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError

from lanewise.ahead.user_module import dotted_name
from lanewise.ahead.wheel_files import platform_in_tag, wheel_files
from lanewise.errors import Error
from lanewise.jit.built import SUFFIX

_TABLE = "tool.lanewise"


class BuildPy(build_py):
    """Copies the modules, and builds those that the settings name."""

    _built: Sequence[str] = ()

    def run(self) -> None:
        """Run the command."""
        super().run()
        written: list[str] = []
        self._built = written
        if self.editable_mode:
            return
        with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
            try:
                made = wheel_files(Path.cwd(), _TABLE, _settings(), Path(folder))
            except Error as error:
                raise BaseError(f"lanewise: {error}") from None
            for module, file in made.files.items():
                name, _ = dotted_name(Path(module).resolve())
                target = Path(self.build_lib, *name.split(".")).with_suffix(SUFFIX)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
                written.append(str(target))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files that `run` has written."""
        return [*super().get_outputs(include_bytecode), *self._built]


class BdistWheel(bdist_wheel):
    """Makes a wheel for one platform and any Python."""

    def get_tag(self) -> tuple[str, str, str]:
        """The tag: any Python, no ABI of Python's, this platform or the one in the settings."""
        return "py3", "none", platform_in_tag(_settings())


def _settings() -> dict[str, Any]:
    """The table of the settings in the project's pyproject.toml."""
    text = Path("pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text).get("tool", {}).get("lanewise", {})
