# SPDX-License-Identifier: Apache-2.0
"""Facts about a work-group function, kept beside its machine code."""

import json

import pytest

from lanewise.workgroup.launch_facts import LaunchFacts

FACTS = LaunchFacts(128, 64, ("table",), 4, True, ("down",), ("a remark",), False, (0, 2))


def test_facts_are_kept_by_name():
    kept = FACTS.to_json()
    assert json.loads(kept)["apart"] == [0, 2]
    assert LaunchFacts.from_json(kept) == FACTS


def test_facts_of_modules_that_were_saved_before_are_a_list():
    assert LaunchFacts.from_json(json.dumps(list(FACTS)).encode()) == FACTS


@pytest.mark.parametrize("count", [9, 11])
def test_older_modules_have_fewer_facts(count: int):
    older = dict(list(FACTS._asdict().items())[:count])
    assert LaunchFacts.from_json(json.dumps(older).encode()) == FACTS


@pytest.mark.parametrize("data", [b"", b"[1, 2]", b"{}", b'{"arena_bytes": 1}', b"7", b"[1, 2, 3, 4, 5, 6, 7, 8, 9]"])
def test_anything_else_is_refused(data: bytes):
    with pytest.raises((ValueError, TypeError)):
        LaunchFacts.from_json(data)
