# SPDX-License-Identifier: Apache-2.0
"""The checks of `lanewise doctor`, in order, run and shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.cli.doctor import machine, settings, stores, tools
from lanewise.cli.doctor.finding import Finding, State, missing
from lanewise.cli.terminal import Terminal
from lanewise.errors import Error

CHECKS: Final[tuple[tuple[str, Callable[[], Finding]], ...]] = (
    ("lanewise", machine.package),
    ("system", machine.system),
    ("python", machine.python),
    ("numpy", tools.numpy),
    ("llvmlite", tools.llvmlite),
    ("clang", tools.clang),
    ("linker", tools.linker),
    ("processor", machine.processor),
    ("threads", machine.threads),
    ("cache", stores.cache),
    ("headers", stores.headers),
    ("runtime", stores.runtime),
    ("C++", tools.host_code),
    ("z3", tools.z3),
    ("ptxas", tools.ptxas),
    ("gpu", machine.gpu_driver),
    ("environment", settings.environment),
)


def report(terminal: Terminal) -> bool:
    """Show what each check finds. True if nothing that is needed is missing."""
    width = max(len(name) for name, _ in CHECKS)
    found = [(name, _checked(check)) for name, check in CHECKS]
    for name, finding in found:
        first, *others = finding.text.splitlines()
        terminal.say(f"{finding.state.value:7}  {name:{width}}  {first}")
        for line in others:
            terminal.say(f"{'':7}  {'':{width}}  {line}")
    lacking = [name for name, finding in found if finding.state is State.MISSING]
    terminal.say(f"needed, and not usable: {', '.join(lacking)}" if lacking else "everything needed is there")
    terminal.data({
        "ok": not lacking,
        "checks": {name: {"state": f.state.value, "text": f.text, **f.data} for name, f in found},
    })  # fmt: skip
    return not lacking


def _checked(check: Callable[[], Finding]) -> Finding:
    """The finding of a check, `missing` if it raises an `Error`, whose text says what to do, or can't import a
    package."""
    try:
        return check()
    except (Error, ImportError) as error:
        return missing(str(error))
