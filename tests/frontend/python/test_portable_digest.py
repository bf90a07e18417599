# SPDX-License-Identifier: Apache-2.0
"""The digest by which machine code is known that was made of a region elsewhere."""

import importlib.util
from pathlib import Path
from typing import Any

from lanewise.frontend.python.python_types import FLOAT64, Array
from lanewise.frontend.python.unit import PythonUnit, TypedRegion
from lanewise.jit.kernel_arguments import packing

SOURCE = """\
import lanewise as lw
{}

@lw.jit
def scaled(a, x):
    for i in lw.prange(len(a)):
        a[i] = a[i] * FACTOR * x
"""


def made(folder: Path, constant: str) -> Any:
    """The function, of a module in a folder."""
    folder.mkdir()
    path = folder / "scaled.py"
    path.write_text(SOURCE.format(constant))
    spec = importlib.util.spec_from_file_location("scaled", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.scaled


def digest(function: Any, types: dict[str, Any]) -> str:
    kernel = function.parts().regions[0]
    grid = kernel.compiled_for(types).grid
    return PythonUnit(TypedRegion(kernel.region, types, grid), "sm_80").portable_digest


def test_it_is_of_text_types_and_constants_but_not_of_places(tmp_path: Path):
    types = {"a": Array(FLOAT64, 1), "x": FLOAT64}
    here = digest(made(tmp_path / "here", "FACTOR = 2.0"), types)
    assert digest(made(tmp_path / "there", "FACTOR = 2.0"), types) == here
    assert digest(made(tmp_path / "other", "FACTOR = 3.0"), types) != here
    (tmp_path / "factors.py").write_text("FACTOR = 2.0")
    function = made(tmp_path / "from", "FACTOR = float(len('ab'))")
    again = digest(function, types)
    function.py_func.__globals__["FACTOR"] = 4.0
    changed = made(tmp_path / "copied", "FACTOR = float(len('ab'))")
    changed.py_func.__globals__["FACTOR"] = 4.0
    assert digest(changed, types) != again
    strided = {**types, "a": Array(FLOAT64, 1, contiguous=False)}
    assert digest(made(tmp_path / "strided", "FACTOR = 2.0"), strided) != here


def test_the_parameters_are_those_of_the_convention(tmp_path: Path):
    """Whoever changes these parameters, or their meaning, changes `_CONVENTION` in `unit.py`, too."""
    types = {"a": Array(FLOAT64, 1, contiguous=False, dense=False), "x": FLOAT64}
    kernel = next(iter(made(tmp_path / "here", "FACTOR = 2.0").parts().regions[0].compiled_for(types).module))
    assert [each.name for each in kernel.params] == ["i.iterations", "i.start", "x", "a", "a.shape.0", "a.stride.0"]
    assert packing(kernel.params) == "<qqdQqq"
