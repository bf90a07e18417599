# SPDX-License-Identifier: Apache-2.0
"""Checked mode beside Oclgrind and Numba's CUDA simulator, on this machine:

    python -m bench.checkers [KERNEL ...]

Oclgrind is a package of Debian's; what Python needs is installed into out/bench/venv. A tool that can't be had is left
out, with the reason. Every tool runs each kernel in a process of its own, one after the other. The exit status is 1 if
Lanewise computes something wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from bench.checkers.sizes import SIZES
from bench.cpu.environment import ROOT, environ, install, python
from bench.cpu.geometric import mean

_PATIENCE: Final = 300
"""Seconds after which a tool is stopped."""
_TOOLS: Final = {"ours": "Lanewise, all checks", "oclgrind": "Oclgrind", "simulator": "Numba's simulator"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.checkers", description="Tools that find errors of kernels.")
    parser.add_argument("kernels", nargs="*", choices=[[], *SIZES], metavar="KERNEL", help=", ".join(SIZES))
    given = parser.parse_args()
    left_out = _left_out()
    for tool, why in left_out.items():
        print(f"{_TOOLS[tool]} is left out: {why}")
    tools = [tool for tool in _TOOLS if tool not in left_out]
    print("| kernel | " + " | ".join(f"{_TOOLS[tool]}, ms" for tool in tools) + " |")
    print("| --- |" + " --: |" * len(tools))
    ratios: dict[str, list[float]] = {tool: [] for tool in tools[1:]}
    wrong = 0
    for name in given.kernels or SIZES:
        answers = {tool: _answer(tool, name) for tool in tools}
        cells: list[str] = []
        ours = answers["ours"].get("seconds")
        wrong += bool(answers["ours"].get("error") or answers["ours"].get("wrong"))
        for tool, answer in answers.items():
            if "seconds" not in answer:
                cells.append(str(answer["error"]))
                continue
            mark = f" (wrong: {answer['wrong']})" if answer["wrong"] else ""
            ratio = ""
            if tool != "ours" and ours and not mark:
                ratios[tool].append(answer["seconds"] / ours)
                ratio = f" ({ratios[tool][-1]:,.0f})"
            cells.append(f"{1e3 * answer['seconds']:,.3g}{ratio}{mark}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    means = [f"**({mean(each):,.0f})**" if each else "" for each in ratios.values()]
    print("| **geometric mean** | | " + " | ".join(means) + " |")
    return wrong > 0


def _left_out() -> dict[str, str]:
    """The tools that can't be had, each with the reason."""
    missing = install(["oclgrind", "numba"])
    missing = {{"numba": "simulator"}.get(peer, peer): why for peer, why in missing.items()}
    if shutil.which("oclgrind") is None:
        missing["oclgrind"] = "there is no program oclgrind (Debian has it as a package)"
    return missing


def _answer(tool: str, name: str) -> dict[str, Any]:
    """The words of a tool's process: its seconds and what is wrong with its results, or {"error": why not}."""
    with tempfile.TemporaryDirectory() as folder:
        peer = {"simulator": "numba"}.get(tool, tool)
        command = [str(python(peer)) if tool != "ours" else sys.executable, "-m", f"bench.checkers.{tool}", name]
        if tool == "oclgrind":
            command = ["oclgrind", "--data-races", "--uninitialized", *command]
        variables = environ(peer, os.cpu_count() or 1, Path(folder)) | {"NUMBA_ENABLE_CUDASIM": "1"}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return {"error": f"more than {_PATIENCE} s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return {"error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    return json.loads(lines[-1])


if __name__ == "__main__":
    raise SystemExit(main())
