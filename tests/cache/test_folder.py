# SPDX-License-Identifier: Apache-2.0
"""Folders that others may write to are not used, and those that are made are for their owner alone."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.cache import Cache, Manifests
from lanewise.cache.folder import make_folder, refusal

KEY = "ab" + "0" * 62


@pytest.fixture(params=[0o000, 0o022])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_folders_are_made_for_their_owner_alone(tmp_path: Path):
    cache = Cache(tmp_path / "a" / "store")
    assert cache.put(KEY, {"k.so": b"code"}) is not None
    Manifests(cache).record(KEY, [], KEY)
    made = [path for path in (tmp_path / "a").rglob("*") if path.is_dir()]
    assert len(made) >= 7
    assert {oct(path.stat().st_mode & 0o777) for path in made} == {"0o700"}
    assert Cache(tmp_path / "a" / "store").get(KEY, "k.so") is not None


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777, 0o1777])
@pytest.mark.parametrize("folder", ["", "v1", "v1/objects", "v1/manifests"])
def test_a_folder_that_others_may_write_is_refused_with_a_warning(tmp_path: Path, folder: str, mode: int):
    root = tmp_path / "store"
    cache = Cache(root)
    cache.put(KEY, {"k.so": b"code"})
    Manifests(cache).record(KEY, [], KEY)
    (root / folder).chmod(mode)
    with pytest.warns(RuntimeWarning, match=r"cache is not used: other users may write to .*store.*chmod go-w") as told:
        refused = Cache(root)
    assert str(root / folder) in str(told[0].message)
    assert refused.get(KEY, "k.so") is None
    assert refused.put(KEY, {"k.so": b"code"}) is None
    (root / folder).chmod(mode & ~0o022)
    assert Cache(root).get(KEY, "k.so") is not None


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache = Cache(tmp_path / "store")
    cache.put(KEY, {"k.so": b"code"})
    owner = (tmp_path / "store").stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    reason = refusal([tmp_path / "store"])
    assert (reason is None) == (owner == 0)  # root's folders are everybody's to trust
    monkeypatch.undo()
    status = os.stat(tmp_path / "store")
    monkeypatch.setattr(os, "stat", lambda _: os.stat_result((status.st_mode, *status[1:4], owner + 7, *status[5:])))
    assert refusal([tmp_path / "store"]) == f"{tmp_path / 'store'} belongs to another user"


def test_folders_that_nobody_made_are_no_reason(tmp_path: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("nothing", "x" * 300, "a\0b"):
            cache = Cache(tmp_path / name)
            assert cache.get(KEY, "k.so") is None


def test_a_name_that_is_too_long_is_no_cache(tmp_path: Path):
    cache = Cache(tmp_path / ("x" * 300))
    assert cache.put(KEY, {"k.so": b"code"}) is None
    assert cache.get(KEY, "k.so") is None
    manifests = Manifests(cache)
    manifests.record(KEY, [], KEY)
    assert manifests.lookup(KEY) is None
    assert cache.info().entries == 0


def test_a_file_in_place_of_a_folder(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "file" / "folder")
