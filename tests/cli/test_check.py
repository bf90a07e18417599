# SPDX-License-Identifier: Apache-2.0
"""`lanewise check`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lanewise.program.checked.rules import RULES

from .conftest import Run

SHARES = """__global__ void shares(int *out, int n) {
    __shared__ int t[32];
    t[threadIdx.x] = threadIdx.x;
    out[threadIdx.x + n] = t[31 - threadIdx.x];
}
"""
LAUNCH = "shares.cu -b 32 -a out=zeros[32] -a n=1"


@pytest.fixture
def shares(folder: Path) -> Path:
    (folder / "shares.cu").write_text(SHARES)
    return folder


def rules(text: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(text)["rules"]
    return found


@pytest.mark.usefixtures("shares")
def test_a_kernel_has_all_checks_or_some(run: Run) -> None:
    done = run(f"check --json {LAUNCH}")
    assert (done.code, rules(done.out)) == (66, {"race": 1, "out-of-bounds": 1})
    assert "shares.cu:4:28: error: race: " in done.err
    assert rules(run(f"check --json --only memory {LAUNCH}").out) == {"out-of-bounds": 1}
    assert rules(run(f"check {LAUNCH} --only=races --json").out) == {"race": 1}


@pytest.mark.usefixtures("shares")
def test_exit_codes(run: Run) -> None:
    assert run(f"check --exit-code 3 {LAUNCH}").code == 3
    assert run(f"check {LAUNCH} --exit-code=0").code == 0
    right = run("check --json --only memory shares.cu -b 32 -a out=zeros[32] -a n=0")
    assert (right.code, right.err) == (0, "")
    assert json.loads(right.out) == {"exit_code": 0, "rules": {}, "faults": [], "not_checked": []}


@pytest.mark.usefixtures("shares")
def test_the_first_faults_are_described(run: Run) -> None:
    text = run(f"check --limit 1 {LAUNCH}").err
    assert text.count("error: ") == 1
    assert text.splitlines()[-1] == "and 1 more"
    assert run(f"check --limit 0 {LAUNCH}").err == "kernel shares: 2 places at fault\n"


def test_suppressed_faults_are_neither_told_nor_counted(run: Run, shares: Path) -> None:
    lines = ["# known", "", "race shares.cu:3  # by line", "out-of-bounds kernel:sha*", "overflow other.cu", ""]
    (shares / "known").write_text("\n".join(lines))
    done = run(f"check --suppress known --unused-suppressions --json {LAUNCH}")
    assert (done.code, rules(done.out)) == (0, {})
    assert done.err == "lanewise check: the suppression 'overflow other.cu' matched nothing\n"
    assert {fault["suppressed"] for fault in json.loads(done.out)["faults"]} == {
        "race shares.cu:3", "out-of-bounds kernel:sha*",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("raze a.cu", "known:1: there is no rule 'raze'; the rules are out-of-bounds, index, "),
        ("race", "known:1: 'race' names no place; expected a file, as in 'race blur.cu:12', or 'race kernel:blur'"),
        ("race kernel:", "known:1: 'race kernel:' names no place"),
    ],
)
def test_a_line_that_is_no_suppression(run: Run, shares: Path, line: str, told: str) -> None:
    (shares / "known").write_text(f"{line}\n")
    done = run(f"check --suppress known {LAUNCH}")
    assert (done.code, done.out) == (1, "")
    assert f"LANEWISE_CHECK_SUPPRESS: {told}" in done.err


def test_sarif(run: Run, shares: Path) -> None:
    (shares / "known").write_text("out-of-bounds shares.cu\n")
    run(f"check --sarif faults.sarif --suppress known {LAUNCH}")
    log: dict[str, Any] = json.loads((shares / "faults.sarif").read_text())
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    (one,) = log["runs"]
    driver = one["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    assert all(rule["shortDescription"]["text"].endswith(".") for rule in driver["rules"])
    results = {result["ruleId"]: result for result in one["results"]}
    assert set(results) == {"race", "out-of-bounds"}
    for name, result in results.items():
        assert driver["rules"][result["ruleIndex"]]["id"] == name
        assert result["level"] == "error"
        assert result["message"]["text"].endswith(".")
        (place,) = result["locations"]
        physical = place["physicalLocation"]
        assert physical["artifactLocation"] == {"uri": "shares.cu", "uriBaseId": "SRCROOT"}
        assert physical["region"] == {"startLine": 4, "startColumn": {"race": 28, "out-of-bounds": 5}[name]}
        assert place["logicalLocations"] == [{"name": "shares", "kind": "function"}]
    (beside,) = results["race"]["relatedLocations"]
    assert beside["physicalLocation"]["region"]["startLine"] == 3
    assert results["out-of-bounds"]["suppressions"] == [
        {"kind": "external", "justification": "out-of-bounds shares.cu"}
    ]
    assert one["originalUriBaseIds"]["SRCROOT"]["uri"] == f"file://{shares}/"


def test_a_command_and_its_processes(run: Run, shares: Path) -> None:
    script = (
        "import numpy as np, lanewise as lw\n"
        "k = lw.compile('shares.cu')['shares']\n"
        "try:\n    k[1, 32](np.zeros(32, np.int32), 1)\n"
        "except lw.CheckError:\n    print('told')\n"
    )
    (shares / "script.py").write_text(script)
    for line in (f"{sys.executable} script.py", "script.py"):
        done = run(f"check --json --only memory {line}")
        assert (done.code, rules(done.out)) == (66, {"out-of-bounds": 1})


SCRIPT = """import numpy as np, lanewise as lw
k = lw.compile('shares.cu')['shares']
for _ in range(3):
    try:
        k[1, 32](np.zeros(32, np.int32), 1)
    except lw.CheckError as error:
        print(error)
"""


def test_a_fault_of_several_launches_is_one(run: Run, shares: Path) -> None:
    (shares / "script.py").write_text(SCRIPT)
    done = run("check --json --only memory --limit 1 script.py")
    (fault,) = json.loads(done.out)["faults"]
    assert (fault["rule"], fault["times"]) == ("out-of-bounds", 3)


def test_the_limit_is_one_of_a_process(shares: Path) -> None:
    (shares / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "lanewise", "check", "--limit", "2", "script.py"]
    done = subprocess.run(command, cwd=shares, capture_output=True, text=True, check=False)
    assert done.stdout.count("kernel shares: 2 places at fault") == 3
    assert done.stdout.count("error: ") == 2


def test_a_report_that_can_not_be_written_hides_no_fault(
    run: Run, shares: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANEWISE_CHECK_REPORT", str(shares / "nowhere" / "report"))
    lines = run(f"run --check memory {LAUNCH}").err.splitlines()
    assert "shares.cu:4:5: error: write out of bounds: element 32 of argument 'out'" in lines[1]
    assert lines[-1] == f"LANEWISE_CHECK_REPORT: {shares}/nowhere/report: can't be written: No such file or directory"


def test_leaks_and_kernels_that_are_not_checked(run: Run, folder: Path) -> None:
    """A leak is at no place, and two of them are two; records of the host runtime are kept as they are."""
    leak = {
        "rule": "leak", "message": "leak: 1 allocation", "kernel": "", "file": "", "line": 0, "column": 0, "times": 1,
        "other": None, "suppressed": "",
    }  # fmt: skip
    records = [leak, leak, *2 * [{"kernel": "race", "not_checked": "the cache did not keep it"}]]
    text = "".join(f"{json.dumps(record)}\n" for record in records)
    script = f"import os; open(os.environ['LANEWISE_CHECK_REPORT'], 'a').write({text!r})"
    (folder / "script.py").write_text(script)
    data = json.loads(run("check --json --sarif faults.sarif script.py").out)
    assert data["rules"] == {"leak": 2}
    assert data["not_checked"] == [{"kernel": "race", "why": "the cache did not keep it"}]
    results = json.loads((folder / "faults.sarif").read_text())["runs"][0]["results"]
    assert [result.get("locations") for result in results] == [None, None]


def test_a_sarif_file_that_can_not_be_written_in_the_end_loses_no_data(run: Run, folder: Path) -> None:
    (folder / "made").mkdir()
    (folder / "script.py").write_text("import os; os.rmdir('made')")
    done = run("check --json --sarif made/faults.sarif script.py")
    assert json.loads(done.out.splitlines()[0])["faults"] == []
    assert done.code == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("check", "say what to run: a file, or a program and its arguments"),
        ("check no-such-program", "no-such-program: there is no such file to compile, and no such program to run"),
        ("check --only memroy saxpy.cu", "there is no check 'memroy'"),
        (
            "check --sarif nowhere/f.sarif no-such-program",
            "nowhere/f.sarif: can't be written: No such file or directory",
        ),
        ("check --sarif . no-such-program", ".: can't be written: Is a directory"),
        ("check --only 0 saxpy.cu", "--only names no check"),
        ("check --exit-code 256 saxpy.cu", "255"),
        ("check --suppress nowhere saxpy.cu", "nowhere: can't be read: No such file or directory"),
    ],
)
def test_mistakes(run: Run, line: str, told: str) -> None:
    done = run(line)
    assert done.code in (1, 2)
    assert told in done.err


def test_two_dashes_end_the_options(run: Run) -> None:
    assert run(f"check --json -- {sys.executable} -c pass").code == 0


def test_the_end_by_sigterm_ends_the_program_and_leaves_nothing(tmp_path: Path) -> None:
    asleep = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('ended', flush=True)))\n"
        "print('asleep', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-m", "lanewise", "check", sys.executable, "-c", asleep]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"asleep\n"
        running.terminate()
        assert running.stdout.read() == b"ended\n"  # as the program ends itself
        assert running.wait(20) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
