# SPDX-License-Identifier: Apache-2.0
"""`lanewise build` for what can't be built: one clear line, and no file."""

from pathlib import Path

import pytest

from .conftest import build

HEAD = "import lanewise as lw\n\n"
LOOP = "    for i in lw.prange(len(a)):\n        a[i] += 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ndef f(:\n    pass\n", "{}/m.py:2: error: invalid syntax"),
        (
            "import math\n\ny = 1 / 0\n",
            "m.py:3: error: the module can't be imported: ZeroDivisionError: division by zero",
        ),
        (
            "import nothing_of_this_name\n",
            "m.py:1: error: the module can't be imported: ModuleNotFoundError: No module",
        ),
        ("raise SystemExit(3)\n", "m.py:1: error: the module can't be imported: SystemExit: 3"),
        ("x = 1\n", "lanewise: error: m.py: nothing can be built: no function in it is marked with @lw.jit"),
        (
            f"{HEAD}@lw.jit\ndef f(a):\n{LOOP}",
            "lanewise: error: m.py: nothing can be built: m.py:3: 'f': parameter 'a' has no type",
        ),
        (
            f"{HEAD}@lw.jit\ndef f(a: lw.f64[:]):\n    return a.sum()\n",
            "lanewise: error: m.py: nothing can be built: its functions have no loops",
        ),
        (
            f"{HEAD}@lw.jit\ndef f(a: lw.f64[:]):\n    for i in lw.prange(len(a)):\n        a[i] = {{}}\n",
            "m.py:3: 'f': {}/m.py:6:16: error: ",
        ),
    ],
)
def test_modules(tmp_path: Path, text: str, message: str):
    (tmp_path / "m.py").write_text(text)
    done = build(tmp_path, "m.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert message.replace("{}", str(tmp_path)) in done.stderr
    assert [each.name for each in tmp_path.iterdir() if each.name != "__pycache__"] == ["m.py"]


def test_files_and_targets(tmp_path: Path):
    (tmp_path / "m.py").write_text(f"{HEAD}@lw.jit\ndef f(a: lw.f64[:]):\n{LOOP}")
    (tmp_path / "taken").write_text("")
    for words, message in (
        (["none.py"], "none.py: no such file"),
        (["m.cu"], "m.cu: modules that are built are files of Python, such as fast.py"),
        (["m.py", "--target", "z80"], "--target is x86-64-v2, x86-64-v3, x86-64-v4, native, not 'z80'"),
        (["m.py", "--output", "taken"], "taken: the folder can't be made: File exists"),
    ):
        done = build(tmp_path, *words)
        assert (done.returncode, done.stderr) == (1, f"lanewise: error: {message}\n")
    assert sorted(each.name for each in tmp_path.iterdir() if each.name != "__pycache__") == ["m.py", "taken"]


def test_a_module_of_another_name_is_not_taken_for_it(tmp_path: Path):
    (tmp_path / "decimal.py").write_text(f"{HEAD}@lw.jit\ndef f(a: lw.f64[:]):\n{LOOP}")
    done = build(tmp_path, "decimal.py")
    assert done.returncode == 1
    assert "decimal.py: the module 'decimal' that Python imports is another one, " in done.stderr


def test_list_says_what_would_be_built_and_writes_nothing(tmp_path: Path):
    (tmp_path / "m.py").write_text(f"{HEAD}@lw.jit\ndef f(a: lw.f64[:]):\n{LOOP}\n\n@lw.jit\ndef g(a):\n{LOOP}")
    done = build(tmp_path, "m.py", "--list")
    assert done.returncode == 0
    assert done.stdout == "m.py:3: f: loops in line 5\nm.py:9: g: not built: parameter 'a' has no type\n"
    assert [each.name for each in tmp_path.iterdir() if each.name != "__pycache__"] == ["m.py"]
