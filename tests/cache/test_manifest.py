# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/cache/test_manifest.py"""

import time
from pathlib import Path

import pytest

from lanewise.cache import Cache, Manifests
from lanewise.cache.manifest import MAX_VARIANTS

KEY = "ab" + "0" * 62


@pytest.fixture
def manifests(tmp_path: Path) -> Manifests:
    return Manifests(Cache(tmp_path / "store"))


@pytest.fixture
def header(tmp_path: Path) -> Path:
    path = tmp_path / "a = b\u00e9 header.h"
    path.write_text("one")
    return path


def test_no_manifest(manifests: Manifests):
    assert manifests.lookup(KEY) is None


def test_no_dependencies(manifests: Manifests):
    manifests.record(KEY, [], "result")
    assert manifests.lookup(KEY) == "result"


def test_a_changed_header_is_a_miss(manifests: Manifests, header: Path):
    manifests.record(KEY, [header], "result")
    assert manifests.lookup(KEY) == "result"
    header.write_text("two")
    assert manifests.lookup(KEY) is None


def test_a_removed_header_is_a_miss(manifests: Manifests, header: Path):
    manifests.record(KEY, [header], "result")
    header.unlink()
    assert manifests.lookup(KEY) is None


def test_a_header_that_changes_back_finds_its_variant(manifests: Manifests, header: Path):
    manifests.record(KEY, [header], "first")
    header.write_text("two")
    manifests.record(KEY, [header], "second")
    assert manifests.lookup(KEY) == "second"
    header.write_text("one")
    assert manifests.lookup(KEY) == "first"


def test_variants_with_different_headers(manifests: Manifests, header: Path, tmp_path: Path):
    manifests.record(KEY, [header], "with one")
    other = tmp_path / "other.h"
    other.write_text("")
    header.write_text("#include other.h")
    manifests.record(KEY, [header, other], "with both")
    assert manifests.lookup(KEY) == "with both"
    header.write_text("one")
    assert manifests.lookup(KEY) == "with one"


def test_a_result_can_be_replaced(manifests: Manifests, header: Path):
    manifests.record(KEY, [header], "first")
    manifests.record(KEY, [header], "second")
    assert manifests.lookup(KEY) == "second"


def test_the_oldest_variant_goes(manifests: Manifests, header: Path):
    for i in range(MAX_VARIANTS + 1):
        header.write_text(str(i))
        manifests.record(KEY, [header], str(i))
    header.write_text("0")
    assert manifests.lookup(KEY) is None
    header.write_text("1")
    assert manifests.lookup(KEY) == "1"


def test_a_header_changed_while_compiling_is_not_recorded(manifests: Manifests, header: Path):
    manifests.record(KEY, [header], "result", started=time.time() - 60)
    assert manifests.lookup(KEY) is None
    manifests.record(KEY, [header], "result", started=time.time() + 60)
    assert manifests.lookup(KEY) == "result"


@pytest.mark.parametrize("damaged", [b"", b"\n", b"= \n", b"0" * 64 + b"\n= x\n", b"\xff\xfe"])
def test_a_broken_manifest_is_a_miss(manifests: Manifests, header: Path, tmp_path: Path, damaged: bytes):
    manifests.record(KEY, [header], "result")
    (tmp_path / "store" / "v1" / "manifests" / "ab" / KEY).write_bytes(damaged)
    assert manifests.lookup(KEY) is None
    manifests.record(KEY, [header], "result")
    assert manifests.lookup(KEY) == "result"


def test_without_a_cache(header: Path):
    manifests = Manifests(Cache(None))
    manifests.record(KEY, [header], "result")
    assert manifests.lookup(KEY) is None


def test_a_file_that_was_absent_and_appears_is_a_miss(manifests: Manifests, header: Path, tmp_path: Path):
    earlier = tmp_path / "earlier" / "header.h"
    manifests.record(KEY, [header], "result", absent=[str(earlier)])
    assert manifests.lookup(KEY) == "result"
    earlier.parent.mkdir()
    earlier.write_text("another")
    assert manifests.lookup(KEY) is None
    manifests.record(KEY, [earlier], "other")
    assert manifests.lookup(KEY) == "other"
    earlier.unlink()
    assert manifests.lookup(KEY) == "result"


def test_parents_of_linked_folders_are_those_that_the_links_lead_to(manifests: Manifests, tmp_path: Path):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "inner")
    header = tmp_path / "real" / "header.h"
    header.write_text("one")
    manifests.record(KEY, [tmp_path / "link" / ".." / "header.h"], "result")
    assert manifests.lookup(KEY) == "result"
    header.write_text("two")
    assert manifests.lookup(KEY) is None
