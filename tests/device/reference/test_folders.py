# SPDX-License-Identifier: Apache-2.0
"""The folders and modules of the reference device, each knowing only some of those before it."""

from pathlib import Path

import pytest

from ...test_layers import imports

ROOM = "lanewise.device.reference"
SOURCE = Path(__file__).parents[3] / "src" / "lanewise" / "device" / "reference"
MAY_IMPORT: dict[str, set[str]] = {
    "faults": set(),
    "address_windows": set(),
    "arithmetic": {"faults", "address_windows"},
    "memory": {"faults", "address_windows", "arithmetic"},
    "run": {"faults", "arithmetic", "memory"},
    "translate": {"address_windows", "arithmetic", "memory", "run"},
    "execution": {"faults", "arithmetic", "run", "translate"},
    "module": {"arithmetic", "memory", "run", "translate", "execution"},
    "device": {"memory", "run", "module"},
    "__init__": {"memory", "module", "device"},
}


def parts_imported(part: str) -> set[str]:
    files = [SOURCE / f"{part}.py"] if (SOURCE / f"{part}.py").exists() else (SOURCE / part).rglob("*.py")
    names = {name for path in files for _, name in imports(path.read_text()) if name.startswith(f"{ROOM}.")}
    return {name.removeprefix(f"{ROOM}.").partition(".")[0] for name in names} - {part}


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_follow_the_arrows_and_each_arrow_is_used(part: str):
    assert parts_imported(part) == MAY_IMPORT[part]


def test_arrows_lead_to_what_comes_before():
    order = list(MAY_IMPORT)
    assert all(order.index(target) < order.index(part) for part in order for target in MAY_IMPORT[part])


def test_every_part_has_its_place():
    assert set(MAY_IMPORT) == {path.stem for path in SOURCE.iterdir() if path.name != "__pycache__"}
