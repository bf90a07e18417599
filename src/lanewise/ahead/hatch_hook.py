# SPDX-License-Identifier: Apache-2.0
"""The build hook for hatchling: `[tool.hatch.build.hooks.lanewise]`, with the keys of `wheel_files`.

Wheels get what was built beside the modules. Source distributions and editable installations have none of it: there,
functions are compiled at their calls.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from lanewise.ahead.wheel_files import wheel_files
from lanewise.errors import Error
from lanewise.jit.built import SUFFIX

_TABLE = "tool.hatch.build.hooks.lanewise"
_OF_HATCH = ("dependencies", "require-runtime-dependencies", "require-runtime-features", "enable-by-default")


class LanewiseBuildHook(BuildHookInterface[Any]):
    """Builds the modules before hatchling collects a wheel's files."""

    PLUGIN_NAME = "lanewise"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files that were built, and the tag of a platform."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="lanewise-")
        settings = {name: value for name, value in self.config.items() if name not in _OF_HATCH}
        try:
            made = wheel_files(Path(self.root), _TABLE, settings, Path(self._folder.name))
        except Error as error:
            self.app.abort(f"lanewise: error: {error}")
            return
        config = self.build_config
        for module, file in made.files.items():
            path = config.get_distribution_path(str(Path(module).with_suffix(SUFFIX)))
            build_data["force_include"][str(file)] = path
        build_data["pure_python"] = False
        build_data["tag"] = made.tag

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has now."""
        if self._folder is not None:
            self._folder.cleanup()


@hookimpl
def hatch_register_build_hook() -> type[LanewiseBuildHook]:
    """The hook, for hatchling's plugins."""
    return LanewiseBuildHook
