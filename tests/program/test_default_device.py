# SPDX-License-Identifier: Apache-2.0
"""The device of launches that name none: `with lw.on(...)`, LANEWISE_DEVICE, and pytest's fixture."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

pytest_plugins = ["pytester"]

# Reads one element too far, which only the reference device notices.
SOURCE = "__global__ void peek(const int *p, int *out) { out[0] = p[1] * 0; }"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Whether a launch without a device runs where accesses are checked."""
    monkeypatch.delenv("LANEWISE_DEVICE", raising=False)
    kernel = lw.compile(SOURCE, language="cuda")["peek"]

    def run() -> bool:
        memory = np.zeros(2, np.int32)
        try:
            kernel[1, 1](memory[:1], np.zeros(1, np.int32))
        except lw.LaunchError:
            return True
        return False

    return run


def test_on_holds_for_the_block_and_nests(checked: Callable[[], bool]):
    assert not checked()
    with lw.on("reference") as device:
        assert device is lw.device("reference")
        assert checked()
        assert lw.zeros(3).device is device
        with lw.on(lw.device("cpu")):
            assert not checked()
        assert checked()
    assert not checked()


def test_on_ends_with_an_exception(checked: Callable[[], bool]):
    with pytest.raises(ZeroDivisionError), lw.on("reference"):
        _ = 1 // 0
    assert not checked()


def test_on_is_a_decorator(checked: Callable[[], bool]):
    decorate: Any = lw.on("reference")
    assert decorate(checked)()


def test_on_is_a_threads_own(checked: Callable[[], bool]):
    seen: list[bool] = []
    with lw.on("reference"):
        thread = threading.Thread(target=lambda: seen.append(checked()))
        thread.start()
        thread.join()
    assert seen == [False]


def test_on_names_the_devices_there_are():
    with pytest.raises(lw.Error, match="no device is called 'gpu'; the devices are cpu, reference, simt"):
        lw.on("gpu")


def test_the_environment_counts_after_import(checked: Callable[[], bool], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_DEVICE", "reference")
    assert checked()
    assert lw.devices()[0].name == "reference"
    with lw.on("cpu"):
        assert not checked()
    monkeypatch.setenv("LANEWISE_DEVICE", "")
    assert not checked()


def test_pytest_fixture(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("LANEWISE_DEVICE", raising=False)
    pytester.makepyfile(
        """
        import lanewise as lw

        def test_device(lanewise_device):
            assert lw.zeros(1).device is lanewise_device
            print("on", lanewise_device.name)

        def test_without():
            pass
        """
    )
    # In processes of their own: pytest turns Python's faulthandler on and off, and with it all handlers of faults.
    found = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider", "--lanewise-devices", "cpu, reference")
    found.assert_outcomes(passed=3)
    found.stdout.fnmatch_lines(["*on cpu*", "*on reference*"])
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)
    monkeypatch.setenv("LANEWISE_DEVICE", "reference")
    pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider").stdout.fnmatch_lines(["*on reference*"])
    wrong = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--lanewise-devices", "gpu")
    wrong.stdout.fnmatch_lines(["*no device is called 'gpu'*"])
