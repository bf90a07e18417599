# SPDX-License-Identifier: Apache-2.0
"""pyproject.toml and the files beside it that say what Lanewise is: they agree with one another."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import lanewise as lw

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_said_in_one_place():
    assert "version" not in PROJECT
    assert importlib.metadata.version("lanewise") == lw.__version__
    for file in ("CITATION.cff", "README.md"):
        assert lw.__version__ not in (ROOT / file).read_text()


def test_the_newest_changes_are_those_of_this_version():
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == lw.__version__


def test_the_citation_has_the_five_papers():
    text = (ROOT / "CITATION.cff").read_text()
    references = text.partition("references:\n")[2].split("  - type: ")[1:]
    assert len(references) == 5
    assert all("    title: " in each and "family-names: " in each and "    year: " in each for each in references)


def test_the_versions_of_python_that_are_supported_are_tested():
    pattern = re.compile(r"^Programming Language :: Python :: (3\.\d+)$")
    supported = [match[1] for line in PROJECT["classifiers"] if (match := pattern.match(line))]
    assert PROJECT["requires-python"] == f">={supported[0]}"
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    listed = ", ".join(f'"{version}"' for version in supported)
    assert f"python: [{listed}]" in workflow
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"python{version}" in makefile for version in supported)
