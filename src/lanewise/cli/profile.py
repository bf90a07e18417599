# SPDX-License-Identifier: Apache-2.0
"""`lanewise profile`: launch once, and show what a GPU would have had to do."""

from __future__ import annotations

from pathlib import Path

from lanewise.cli.request import Request, compiled, the_kernel
from lanewise.cli.run import LaunchRequest, guarded_values
from lanewise.cli.terminal import Terminal


def profile_kernel(request: Request, launch: LaunchRequest, gpu: str, chart: Path | None, terminal: Terminal) -> None:
    """Count what one kernel does, and show it in total and by line, and as a picture in the file `chart`."""
    kernel = the_kernel(compiled(request, terminal), launch.kernel)
    found = kernel.profile(launch.grid, launch.block, guarded_values(kernel, launch), launch.shared, gpu=gpu)
    if chart is not None:
        found.chart(chart)
    if terminal.json:
        terminal.data(found.as_json())
    else:
        terminal.result(str(found))
