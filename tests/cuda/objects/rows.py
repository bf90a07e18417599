# SPDX-License-Identifier: Apache-2.0
"""Rows of a table, each a small program: those that run are parts of one program, each in a namespace of its own."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main

_MAIN = """
template <class Kernel, class Host> void run(Kernel kernel, Host host) {
    int *place, found = 0;
    cudaMalloc(&place, sizeof found);
    cudaMemset(place, 0, sizeof found);
    kernel<<<1, 1>>>(place);
    cudaMemcpy(&found, place, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", host(), found);
}
"""


def results(folder: Path, head: str, rows: Mapping[str, str], *options: str) -> dict[str, str]:
    """The results of `rows` on the host and on the device, by their names. A row defines the function `int host()`
    and the kernel `void kernel(int *)`; `head` comes before all. Errors name one of several rows as their file."""
    parts = ["#include <cstdio>", head, _MAIN]
    for number, (name, source) in enumerate(rows.items()):
        place = f'#line 1 "{name}"\n' if len(rows) > 1 else ""
        parts += [f"namespace row_{number} {{", place + source, "}"]
    calls = "".join(f"    run(row_{number}::kernel, row_{number}::host);\n" for number in range(len(rows)))
    parts.append(f"int main() {{\n{calls}}}\n")
    program = folder / "program"
    program.with_suffix(".cu").write_text("\n".join(parts))
    assert main([*options, str(program.with_suffix(".cu")), "-o", str(program)]) == 0
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return dict(zip(rows, done.stdout.splitlines(), strict=True))


def refusal(folder: Path, capfd: pytest.CaptureFixture[str], source: str, options: Sequence[str] = ()) -> str:
    """The words about a program that doesn't compile; nothing is written then."""
    path = folder / "row.cu"
    path.write_text(f'#include <cstdio>\n#line 1 "row.cu"\n{source}\nint main() {{}}\n')
    capfd.readouterr()
    assert main([*options, "-c", str(path), "-o", str(folder / "row.o")]) == 1
    assert list(folder.iterdir()) == [path]
    return capfd.readouterr().err
