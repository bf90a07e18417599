# SPDX-License-Identifier: Apache-2.0
"""Build hooks' part of the work: the files that a wheel gets beside its modules, and its tag.

modules = ["src/pkg/fast.py"]                  files of Python, from the project's folder
targets = ["x86-64-v3", "x86-64-v4"]           as `--target` has them; by default the building machine
platform = "manylinux_2_28_x86_64"             the platform in the wheel's tag; by default this one's
"""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanewise.errors import Error
from lanewise.jit.built import SUFFIX

_KEYS: Final = ("modules", "targets", "platform")


class WheelFiles(NamedTuple):
    """`files`: what was built, by the paths of the modules in the project's folder. `tag` of the wheel: machine code is
    for one platform, but any Python runs it."""

    files: Mapping[str, Path]
    tag: str


def wheel_files(root: Path, table: str, settings: Mapping[str, Any], folder: Path) -> WheelFiles:
    """Build the modules that the settings in `table` of the project in `root` name, into `folder`. Error for settings
    that there aren't, and for modules that can't be built."""
    for name in settings:
        if name not in _KEYS:
            raise Error(f"[{table}] has {', '.join(_KEYS)}, and no '{name}'")
    modules, targets = (_names(table, settings, key) for key in ("modules", "targets"))
    if not modules:
        raise Error(f'[{table}] must say which modules are built, as in modules = ["pkg/fast.py"]')
    files: dict[str, Path] = {}
    for number, module in enumerate(modules):
        into = folder / str(number)
        _run_build(root, module, into, targets)
        files[module] = (into / Path(module).name).with_suffix(SUFFIX)
    return WheelFiles(files, f"py3-none-{platform_in_tag(settings)}")


def platform_in_tag(settings: Mapping[str, Any]) -> str:
    """The platform in a wheel's tag: that of the settings, or this one."""
    return str(settings.get("platform") or sysconfig.get_platform().replace("-", "_").replace(".", "_"))


def _names(table: str, settings: Mapping[str, Any], key: str) -> list[str]:
    value = settings.get(key, [])
    items: list[Any] = [*value] if isinstance(value, list) else [None]
    if not all(isinstance(each, str) for each in items):
        raise Error(f"[{table}] {key} must be a list of strings, not {value!r}")
    return items


def _run_build(root: Path, module: str, folder: Path, targets: list[str]) -> None:
    """Run `lanewise build`, in a process of its own, since it imports the module. Error with its message."""
    command = [sys.executable, "-P", "-m", "lanewise", "build", module, "--output", str(folder), "--json"]
    command += [word for target in targets for word in ("--target", target)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(_message(done.stdout) or done.stderr.strip() or f"lanewise build {module} failed")
    sys.stderr.write(done.stderr)


def _message(text: str) -> str:
    try:
        return str(json.loads(text.strip().splitlines()[-1])["error"]["message"])
    except (ValueError, KeyError, IndexError, TypeError):
        return ""
