# SPDX-License-Identifier: Apache-2.0
"""`lanewise doctor`: on a whole installation, and in processes that lack something."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw
from lanewise.cli.doctor import machine, report

Run = Callable[[str], Any]

NAMES = [name for name, _ in report.CHECKS]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("LANEWISE_") and name != "LANEWISE_CACHE_DIR"]:
        monkeypatch.delenv(name)


def checks(run: Run, code: int = 0) -> dict[str, dict[str, Any]]:
    done = run("doctor --json")
    told = json.loads(done.out)
    assert (done.code, done.err, told["ok"]) == (code, "", code == 0)
    assert list(told["checks"]) == NAMES
    return told["checks"]


def without(module: str, **environment: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the JSON object of a process in which Python finds no such module."""
    code = f"import sys; sys.modules[{module!r}] = None; from lanewise.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor", "--json"], env={**os.environ, **environment}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)["checks"]


def test_a_line_each_and_a_sum(run: Run):
    done = run("doctor")
    assert (done.code, done.err) == (0, "")
    *lines, last = done.out.splitlines()
    states = {line[9:].split()[0]: line[:7].strip() for line in lines if line[:7].strip()}
    assert list(states) == NAMES
    assert {states[name] for name in ("python", "numpy", "llvmlite", "clang", "linker", "processor")} == {"ok"}
    assert last == "everything needed is there"


def test_what_each_check_tells_programs(run: Run):
    found = checks(run)
    assert found["lanewise"]["version"] == lw.__version__
    assert found["python"]["executable"] == sys.executable
    assert found["system"]["system"] == "Linux"
    assert found["llvmlite"]["llvm"].startswith("22.")
    assert found["clang"]["version"].startswith("22.")
    assert found["clang"]["source"].startswith("ziglang ")
    assert Path(found["linker"]["path"]).is_file()
    assert found["processor"]["vector_bits"] in (128, 256, 512)
    assert found["threads"]["used"] == len(os.sched_getaffinity(0))
    assert found["z3"]["state"] == "ok"
    assert (found["runtime"]["state"], found["runtime"]["built"]) == ("ok", True)


def test_the_cache(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(folder / "cache"))
    cache, headers = (checks(run)[name] for name in ("cache", "headers"))
    assert (cache["folder"], cache["entries"], cache["bytes"]) == (str(folder / "cache"), 0, 0)
    assert (cache["state"], cache["writable"]) == ("ok", True)
    assert not (folder / "cache").exists()
    assert (headers["state"], headers["forms"]) == ("absent", 0)
    entry = folder / "cache" / "v1" / "objects" / "ab" / "abcd"
    entry.mkdir(parents=True, mode=0o700)
    (entry / "header.pch").write_bytes(bytes(3 << 20))
    cache, headers = (checks(run)[name] for name in ("cache", "headers"))
    assert cache["entries"] == 1
    assert (headers["state"], headers["forms"], headers["bytes"]) == ("ok", 1, 3 << 20)
    assert headers["text"] == "1, 3.0 MiB"


def test_caches_that_are_not_used(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(folder / "open"))
    cache = checks(run)["cache"]
    assert (cache["state"], cache["writable"]) == ("absent", False)
    assert cache["text"].startswith("the compile cache is not used: other users may write to ")
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(folder / "saxpy.cu"))
    assert checks(run)["cache"]["writable"] is False
    monkeypatch.setenv("LANEWISE_CACHE", "0")
    assert checks(run)["cache"]["text"].startswith("off")


@pytest.mark.parametrize("module", ["numpy", "llvmlite", "ziglang"])
def test_what_is_needed_is_missed(module: str):
    code, found = without(module)
    assert code == 1
    check = found["clang" if module == "ziglang" else module]
    assert check["state"] == "missing"
    assert "pip install " in check["text"]
    assert module in check["text"]
    assert found["python"]["state"] == "ok"


def test_what_is_not_needed_is_only_told(tmp_path: Path):
    code, found = without("z3", LANEWISE_PTXAS=str(tmp_path / "none"))
    assert code == 0
    assert found["z3"]["state"] == found["ptxas"]["state"] == "absent"
    assert found["z3"]["text"].endswith("pip install 'lanewise[shuffles]'")
    assert found["ptxas"]["text"].endswith("none is no program")


def test_another_clang(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_CLANG", "/bin/true")
    clang = checks(run, 1)["clang"]
    assert (clang["state"], clang["text"][:15]) == ("missing", "LANEWISE_CLANG:")
    assert run("doctor").out.splitlines()[-1] == "needed, and not usable: clang"


def test_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_DEVICE", "reference")
    monkeypatch.setenv("LANEWISE_THREADS", "3")
    environment = checks(run)["environment"]
    assert environment["variables"].items() >= {"LANEWISE_DEVICE": "reference", "LANEWISE_THREADS": "3"}.items()
    assert environment["unknown"] == ["LANEWISE_THREADS"]
    assert "LANEWISE_THREADS=3  (nothing reads it)" in run("doctor").out
    monkeypatch.setenv("LANEWISE_WATCHDOG", "soon")
    environment = checks(run, 1)["environment"]
    assert environment["text"].startswith("LANEWISE_WATCHDOG must be a number of seconds above 0, or off, not 'soon'\n")


@pytest.mark.parametrize(("level", "bits"), [("x86-64-v2", 128), ("x86-64-v3", 256)])
def test_the_width_of_vectors(level: str, bits: int):
    _, found = without("z3", LANEWISE_CPU=level)
    if found["processor"]["state"] == "missing":
        pytest.skip(f"this processor is below {level}")
    assert (found["processor"]["model"], found["processor"]["vector_bits"]) == (level, bits)


def test_a_gpu_driver(monkeypatch: pytest.MonkeyPatch):
    class Driver:
        @staticmethod
        def cuDriverGetVersion(version: Any) -> int:
            ctypes.cast(version, ctypes.POINTER(ctypes.c_int))[0] = 12090
            return 0

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Driver)
    assert machine.gpu_driver().data == {"cuda": "12.9"}
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert machine.gpu_driver().text == "none; nothing needs it yet"
