# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/config"""

import ast
import os
import re
from pathlib import Path

import pytest

from lanewise import config
from lanewise.errors import Error


def read(**variables: str) -> config.Config:
    return config.from_environment({"HOME": "/home/ada", **variables})


def test_defaults():
    settings = read()
    assert settings.cache_dir == Path("/home/ada/.cache/lanewise")
    assert settings.num_threads == len(os.sched_getaffinity(0))
    assert config.default_device({}) == "cpu"


def test_cache_folder_chosen_before_xdg():
    assert read(XDG_CACHE_HOME="/x").cache_dir == Path("/x/lanewise")
    assert read(XDG_CACHE_HOME="/x", LANEWISE_CACHE_DIR="/y").cache_dir == Path("/y")


def test_relative_xdg_cache_home_is_ignored():
    assert read(XDG_CACHE_HOME="x").cache_dir == Path("/home/ada/.cache/lanewise")


def test_cache_turned_off():
    assert read(LANEWISE_CACHE="0", LANEWISE_CACHE_DIR="/y").cache_dir is None
    assert read(LANEWISE_CACHE="1", LANEWISE_CACHE_DIR="/y").cache_dir == Path("/y")


def test_empty_counts_as_unset():
    assert read(LANEWISE_CACHE_DIR="", LANEWISE_NUM_THREADS="", LANEWISE_DEVICE="", XDG_CACHE_HOME="") == read()


def test_threads_and_device():
    assert read(LANEWISE_NUM_THREADS=" 7 ").num_threads == 7
    assert config.default_device({"LANEWISE_DEVICE": "reference"}) == "reference"
    assert config.default_device({"LANEWISE_DEVICE": " "}) == "cpu"


def test_mapping():
    assert config.default_mapping({}) == config.default_mapping({"LANEWISE_MAPPING": " "}) == "auto"
    assert config.default_mapping({"LANEWISE_MAPPING": " lanes:8 "}) == "lanes:8"


def test_levels_of_processors():
    assert config.cpu_level({}) is config.cpu_level({"LANEWISE_CPU": " native "}) is None
    assert config.cpu_level({"LANEWISE_CPU": "x86-64-v3"}) == "x86-64-v3"
    with pytest.raises(Error, match="LANEWISE_CPU must be native, x86-64-v2, x86-64-v3 or x86-64-v4, not 'znver4'"):
        config.cpu_level({"LANEWISE_CPU": "znver4"})


def test_watchdog():
    assert config.watchdog({}) == config.watchdog({"LANEWISE_WATCHDOG": " "}) == config.WATCHDOG_SECONDS
    assert config.watchdog({"LANEWISE_WATCHDOG": " 0.25 "}) == 0.25
    assert config.watchdog({"LANEWISE_WATCHDOG": "off"}) is None


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "on"])
def test_watchdog_that_is_no_time(text: str):
    with pytest.raises(Error, match="LANEWISE_WATCHDOG must be a number of seconds above 0, or off, not '"):
        config.watchdog({"LANEWISE_WATCHDOG": text})


@pytest.mark.parametrize("text", ["0", "-1", "1025", "two", "1.5", "1e2"])
def test_thread_count_that_is_none(text: str):
    with pytest.raises(Error, match="LANEWISE_NUM_THREADS must be a whole number from 1 to 1024"):
        read(LANEWISE_NUM_THREADS=text)


def test_the_real_ptxas():
    assert config.ptxas_settings({}).program is config.ptxas_settings({"LANEWISE_PTXAS": ""}).program is None
    assert config.ptxas_settings({"LANEWISE_PTXAS": "/x/ptxas"}).program == Path("/x/ptxas")
    assert config.ptxas_settings({}).options == ""
    assert config.ptxas_settings({"LANEWISE_PTXAS_OPTIONS": "--always"}).options == "--always"
    folders = config.ptxas_settings({"PATH": "/a::/b", "CUDA_PATH": "/p", "CUDA_HOME": "/h"}).folders
    assert folders == (Path("/a"), Path("/b"), Path("/h/bin"), Path("/p/bin"))
    outer = config.ptxas_settings({"PATH": "/a"})
    assert not outer.is_assembling
    assert outer.child_environment.items() >= {"PATH": "/a"}.items()
    assert config.ptxas_settings(outer.child_environment).is_assembling


def reads(text: str) -> list[int]:
    """Lines of a file that name what `os` has of the environment."""
    names = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in names and ast.unparse(node.value) == "os")
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and any(a.name in names for a in node.names))
    )


def test_no_other_file_reads_the_environment():
    source = Path(config.__file__).parent
    readers = {path.relative_to(source) for path in source.rglob("*.py") if reads(path.read_text())}
    assert readers == {Path("config.py")}
    assert reads("import os\nx = os.environ['A']\ny = os.getenv('B')\nfrom os import environ") == [2, 3, 4]


def test_the_tables_list_all_variables():
    pattern = re.compile(r"^\| `(LANEWISE_\w+)`", re.MULTILINE)
    document = Path(__file__).parents[2] / "docs" / "python.md"
    assert tuple(pattern.findall(config.__doc__ or "")) == config.VARIABLES
    assert tuple(pattern.findall(document.read_text())) == config.VARIABLES


def test_variables_in_force():
    found = config.in_force({"LANEWISE_LOG": "1", "LANEWISE_CPU": " ", "PATH": "/bin", "LANEWISE_CASH": "0"})
    assert found == {"LANEWISE_CASH": "0", "LANEWISE_LOG": "1"}


@pytest.mark.parametrize("name", ["LANEWISE_NUM_THREADS", "LANEWISE_CPU", "LANEWISE_WATCHDOG"])
def test_all_values_checked_at_once(name: str):
    config.check({})
    with pytest.raises(Error, match=f"^{name} must be "):
        config.check({name: "?"})
