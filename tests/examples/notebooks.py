# SPDX-License-Identifier: Apache-2.0
"""A small runner of notebooks: python -m tests.examples.notebooks NOTEBOOK.ipynb

It runs the code cells in order, as Jupyter would, and stores what they print and show in the notebook. `executed`
returns the outputs and stores nothing, for tests. Nothing of Jupyter is needed.
"""

import ast
import base64
import contextlib
import io
import json
import linecache
import re
import sys
from pathlib import Path
from typing import Any

Outputs = list[dict[str, Any]]


def code_cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def executed(path: Path) -> list[Outputs]:
    """The outputs of each code cell, in the form that notebooks have. Exceptions of a cell name the cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs: list[Outputs] = []
    for number, cell in enumerate(code_cells(path), 1):
        try:
            outputs.append(_run("".join(cell["source"]), f"<cell {number} of {path.name}>", names))
        except Exception as error:
            error.add_note(f"in cell {number} of {path}")
            raise
    return outputs


def _run(source: str, file: str, names: dict[str, Any]) -> Outputs:
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # compilers read it there
    tree = ast.parse(source, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, shown = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, file, "exec"), names)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), file, "eval"), names)
    outputs: Outputs = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if shown is not None:
        outputs.append({"data": _data(shown), "metadata": {}, "output_type": "display_data"})
    return outputs


def _data(value: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"text/plain": [re.sub(r" at 0x\w+", "", repr(value))]}
    if hasattr(value, "_repr_png_"):
        data["image/png"] = base64.b64encode(value._repr_png_()).decode()
    return data


def without_times(outputs: list[Outputs]) -> list[list[str]]:
    """All that cells print, with what differs from run to run left out: numbers of milliseconds, and their ratios."""
    return [
        [re.sub(r"[\d.,]+ (ms|times)", r"... \1", line) for each in cell for line in each.get("text", ())]
        for cell in outputs
    ]


def store(path: Path) -> None:
    """Run a notebook, and write its outputs into it."""
    notebook = json.loads(path.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(cells, executed(path), strict=True), 1):
        cell["outputs"], cell["execution_count"] = outputs, number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    store(Path(sys.argv[1]))
