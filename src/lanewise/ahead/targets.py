# SPDX-License-Identifier: Apache-2.0
"""One file with code for several processors, of which each machine runs the best that it can."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lanewise.ahead.build import BuiltFile, FunctionReport, built, survey
from lanewise.config import CPU_LEVELS, environment_for_cpu
from lanewise.errors import CompileError, Error
from lanewise.jit.built import SUFFIX
from lanewise.program.saved import lwo
from lanewise.program.saved.files import Contents

NATIVE: Final = "native"
TARGETS: Final = (*CPU_LEVELS, NATIVE)
"""Names of processors, each able to run what those before it can."""


def built_for(source: Path, targets: Sequence[str]) -> BuiltFile:
    """A module compiled for processors of TARGETS; for this one, if none is named. Errors as `survey`; Error for an
    unknown target, and for one that this processor can't run."""
    for each in targets:
        if each not in TARGETS:
            raise Error(f"--target is {', '.join(TARGETS)}, not {each!r}")
    if not targets:
        return built(survey(source))
    wanted = sorted(set(targets), key=TARGETS.index, reverse=True)
    return _joined([_built_apart(source, each) for each in wanted])


def _built_apart(source: Path, target: str) -> BuiltFile:
    """The module compiled for one target by another process, since a process makes code for one processor."""
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        command = [sys.executable, "-P", "-m", "lanewise", "build", str(source.resolve()), "--output", folder, "--json"]
        done = subprocess.run(command, env=environment_for_cpu(target), capture_output=True, text=True, check=False)
        told = _last_json(done.stdout)
        if "error" in told:
            raise CompileError(told["error"]["message"], tuple(told["error"]["diagnostics"]))
        if done.returncode or "functions" not in told:
            raise Error(f"{source}: building for {target} failed: {done.stderr.strip() or done.returncode}")
        content = lwo.read((Path(folder) / source.name).with_suffix(SUFFIX))
    reports = [
        FunctionReport(each["name"], each["place"], tuple(each["loops"]), each["reason"]) for each in told["functions"]
    ]
    return BuiltFile(source, Contents(content.about, content.files), tuple(reports))


def _joined(parts: Sequence[BuiltFile]) -> BuiltFile:
    first = parts[0]
    files: dict[str, bytes] = {}
    for number, part in enumerate(parts):
        for name, data in part.contents.files.items():
            files[f"{number}/{name.removeprefix('0/')}" if name.startswith("0/") else name] = data
    targets = [target for part in parts for target in part.contents.about["targets"]]
    return BuiltFile(first.source, Contents({**first.contents.about, "targets": targets}, files), first.functions)


def _last_json(text: str) -> dict[str, Any]:
    lines = text.strip().splitlines()
    try:
        return dict(json.loads(lines[-1])) if lines else {}
    except (ValueError, TypeError):
        return {}
