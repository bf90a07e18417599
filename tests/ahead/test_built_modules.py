# SPDX-License-Identifier: Apache-2.0
"""Built modules, run where there is no compiler and beside one."""

import re
import shutil
from pathlib import Path

import pytest

from lanewise.program.saved import lwo

from .conftest import MODULE, Python, build, run

EQUAL = """\
import numpy as np
import lanewise as lw
import fast

random = np.random.default_rng(1)

def same(function, *arguments):
    mine = [x.copy(order="K") if isinstance(x, np.ndarray) and x.base is None else x for x in arguments]
    expected = function.py_func(*mine)
    for _ in range(12):  # the last ones by C
        again = [x.copy(order="K") if isinstance(x, np.ndarray) and x.base is None else x for x in arguments]
        np.testing.assert_allclose(function(*again), expected, rtol=1e-13)

line = random.random(1000)
for each in (line, line[::2], line[::-3], line[:0], line[:1]):
    same(fast.total, each)
same(fast.total, line, 990)
same(fast.scaled, line)
same(fast.scaled, line[::-1])
same(fast.first_above, line.astype(np.float32), 0.999)
same(fast.first_above, line.astype(np.float32)[::5], 2.0)
read_only = line.copy()
read_only.flags.writeable = False
same(fast.total, read_only)

grid = random.random((70, 90))
def blurred(view):
    one, other = view(grid.copy()), view(grid.copy())
    expected = fast.blur.py_func(view(grid.copy()), view(grid.copy()), 3)
    assert (fast.blur(one, other, 3) == expected).all()

for view in (lambda a: a, lambda a: a[1:, 2:], lambda a: a.T, lambda a: a[::-2, ::3]):
    blurred(view)
mixed, expected = np.zeros((70, 180))[:, ::2], np.zeros((70, 90))  # one array is contiguous, the other strided
for _ in range(12):
    fast.blur(grid, mixed, 1)
fast.blur.py_func(grid, expected, 1)
assert (mixed == expected).all()

mine, expected = grid.copy(), grid.copy()  # the arrays overlap, each row with itself: its elements go in their order
for _ in range(12):
    fast.halved(mine[:, :-1], mine[:, 1:])
    fast.halved.py_func(expected[:, :-1], expected[:, 1:])
assert (mine == expected).all()
"""


def test_built_functions_are_equal_to_the_interpreter(module: Path, without_compiler: Python):
    done = without_compiler(
        module, EQUAL + "assert not [m for m in sys.modules if m.startswith(('llvmlite', 'ziglang', 'typer'))]"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_they_are_also_used_beside_a_compiler_and_run_on_other_devices(module: Path, tmp_path: Path):
    code = (
        EQUAL
        + """
import sys
assert "llvmlite" not in sys.modules
with lw.on("simt"):
    blurred(lambda a: a)
    blurred(lambda a: a[1:, 2:])
    same(fast.total, line)
"""
    )
    done = run(["-c", code], module, LANEWISE_CACHE_DIR=str(tmp_path / "cache"))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_is_the_one_that_was_written(module: Path, without_compiler: Python):
    code = """
import inspect, fast
assert fast.__doc__ == "Loops that are built ahead of time." and fast.LIMIT == 10
assert fast.total.__doc__ == "The sum of an array." and fast.total.__name__ == "total"
assert str(inspect.signature(fast.total)) == "(a: lw.f64[:], start: int = 0)"
"""
    done = without_compiler(module, code)
    assert (done.returncode, done.stderr) == (0, "")


def error_of(done: object) -> str:
    return str(getattr(done, "stderr", "")).strip().splitlines()[-1]


@pytest.mark.parametrize(
    "call",
    [
        "fast.total(np.ones(3, np.float32))",
        "fast.total(np.ones((3, 3)))",
        "fast.total(np.ones(3), 0.5)",
        "fast.blur(np.ones((4, 4)), np.broadcast_to(1.0, (4, 4)), 2)",
    ],
)
def test_errors_are_those_of_jit(module: Path, without_compiler: Python, tmp_path: Path, call: str):
    program = f"import numpy as np, fast\n{call}\n"
    (tmp_path / "fast.py").write_text(MODULE)
    interpreted = run(["-c", program], tmp_path)
    built = without_compiler(module, program)
    assert built.returncode == interpreted.returncode == 1
    assert built.stderr.splitlines()[-2:] == [
        line.replace(str(tmp_path), str(module)) for line in interpreted.stderr.splitlines()[-2:]
    ]


def test_python_runs_the_functions_that_were_not_built(module: Path, without_compiler: Python):
    done = without_compiler(module, "import numpy as np, fast\na = np.zeros(3); fast.untyped(a); assert a.sum() == 3")
    assert done.returncode == 0
    assert (
        "fast.py:56: Python runs 'untyped': it wasn't built ahead of time (parameter 'a' has no type), and there is no "
        "compiler" in done.stderr
    )


def test_a_source_that_has_changed_is_compiled_or_refused(module: Path, without_compiler: Python, tmp_path: Path):
    shutil.copy(module / "fast.jit.lwo", tmp_path)
    (tmp_path / "fast.py").write_text(MODULE.replace("LIMIT = 10", "LIMIT = 11"))
    program = "import numpy as np, fast\nassert fast.scaled(np.ones(2))[0] == 12\n"
    done = run(["-c", program], tmp_path)
    assert done.returncode == 0
    assert "fast.jit.lwo was built of another fast.py and is not used: run lanewise build again" in done.stderr
    assert "and there is no compiler: nothing of it was built ahead of time" in error_of(
        without_compiler(tmp_path, program)
    )


def test_a_constant_of_another_module_is_looked_at(tmp_path: Path, without_compiler: Python):
    (tmp_path / "limits.py").write_text("TOP = 3")
    (tmp_path / "clip.py").write_text(
        "import lanewise as lw\nfrom limits import TOP\n\n@lw.jit\ndef clip(a: lw.i32[:]):\n"
        "    for i in lw.prange(len(a)):\n        a[i] = min(a[i], TOP)\n"
    )
    assert build(tmp_path, "clip.py").returncode == 0
    program = "import numpy as np, clip\na = np.arange(9, dtype=np.int32); clip.clip(a); assert a.max() == 3\n"
    done = without_compiler(tmp_path, program)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "limits.py").write_text("TOP = 4")
    assert "clip.jit.lwo has no code for that" in error_of(without_compiler(tmp_path, program))


@pytest.mark.skipif(
    "avx2" not in Path("/proc/cpuinfo").read_text(), reason="this processor has nothing above the level"
)
def test_each_machine_runs_the_best_code_that_it_can(tmp_path: Path, without_compiler: Python):
    (tmp_path / "twice.py").write_text(
        "import lanewise as lw\n\n@lw.jit\ndef twice(a: lw.f32[:]):\n    for i in range(len(a)):\n        a[i] *= 2\n"
    )
    done = build(tmp_path, "twice.py", "--target", "x86-64-v2", "--target", "x86-64-v3")
    assert done.returncode == 0, done.stderr
    targets = lwo.read(tmp_path / "twice.jit.lwo").about["targets"]
    needs = [next(iter(target["regions"].values()))["needs"]["instruction sets"] for target in targets]
    assert ["avx2" in each for each in needs] == [True, False]
    program = """
import numpy as np, twice
a = np.ones(5, np.float32)
twice.twice(a)
assert (a == 2).all()
from lanewise.jit.built import built_beside
print(built_beside(twice.__file__)._target)
"""
    for level, place in (("x86-64-v2", "1"), ("native", "0")):
        done = without_compiler(tmp_path, program, LANEWISE_CPU=level)
        assert (done.stdout.strip(), done.stderr) == (place, "")
    assert build(tmp_path, "twice.py").returncode == 0
    message = error_of(without_compiler(tmp_path, program, LANEWISE_CPU="x86-64-v2"))
    assert re.search(r"there is no compiler: .*twice\.jit\.lwo needs a processor with .*avx2", message)


def test_a_package_with_functions_of_another_file_and_expressions_of_whole_arrays(
    tmp_path: Path, without_compiler: Python
):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "cube.py").write_text("import lanewise as lw\n\n@lw.jit\ndef cube(x):\n    return x * x * x\n")
    (tmp_path / "pkg" / "cubes.py").write_text("""\
from __future__ import annotations

import numpy as np

import lanewise as lw

from .cube import cube

@lw.jit(boundscheck=True)
def cubes(a: lw.f64[:], more: int):
    for i in range(len(a) + more):
        a[i] = cube(a[i])
    return np.sqrt(a * a + 1.0) / 2
""")
    assert build(tmp_path, "pkg/cubes.py").returncode == 0
    program = """
import numpy as np
from pkg.cubes import cubes
a = np.random.rand(20000)
np.testing.assert_allclose(cubes(a.copy(), 0), cubes.py_func(a.copy(), 0))
try:
    cubes(a, 1)
except IndexError as error:
    print(error)
"""
    done = without_compiler(tmp_path, program)
    assert done.stderr == ""
    assert done.stdout == f"{tmp_path}/pkg/cubes.py:12: index 20000 is out of bounds for axis 0 with size 20000\n"


def test_a_saved_module_of_that_name_is_another_file(module: Path, without_compiler: Python, tmp_path: Path):
    shutil.copy(module / "fast.py", tmp_path)
    (tmp_path / "fast.lwo").write_text("of a kernel")
    done = without_compiler(tmp_path, "import numpy as np, fast\nfast.total(np.ones(3))")
    assert "nothing of it was built ahead of time" in error_of(done)
    assert "fast.lwo" not in done.stderr
    done = without_compiler(module, "import lanewise as lw\nlw.load('fast.jit.lwo')")
    assert error_of(done).endswith(
        "fast.jit.lwo was built of a module of Python by lanewise build, and is no saved module: import that one"
    )


def test_a_damaged_file_is_not_used(module: Path, without_compiler: Python, tmp_path: Path):
    shutil.copy(module / "fast.py", tmp_path)
    (tmp_path / "fast.jit.lwo").write_bytes((module / "fast.jit.lwo").read_bytes()[:-1])
    done = without_compiler(tmp_path, "import numpy as np, fast\nfast.total(np.ones(3))")
    assert "is cut short" in done.stderr
    assert "and there is no compiler" in error_of(done)
