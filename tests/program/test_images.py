# SPDX-License-Identifier: Apache-2.0
"""lw.Image and lw.Sampler: what they refuse, and what launches refuse of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

BYTES, WORDS, FLOATS = np.zeros((3, 4), "u1"), np.zeros((3, 4), "u2"), np.zeros((3, 4), "f4")


def wrong(word: str) -> list[Any]:
    """A word that no parameter takes."""
    return [word]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: lw.Image(BYTES, "rgbx"), "order is one of 'r', 'a', .*, not 'rgbx'"),
        (lambda: lw.Image(np.zeros(3), "r"), "an array of dtype float64 can't be one"),
        (lambda: lw.Image(np.zeros(3, ">f4"), "r"), "an array of dtype >f4 can't be one"),
        (lambda: lw.Image([1, 2]), "expected an array or a buffer, not list"),
        (lambda: lw.Image(FLOATS, "bgra"), "channels of order 'bgra' are .*, not float32"),
        (lambda: lw.Image(BYTES, "rgb"), "channels of order 'rgb' are unorm565, .*, not uint8"),
        (lambda: lw.Image(WORDS, "rgb", packed="101010"), "not unorm101010 of uint16"),
        (lambda: lw.Image(WORDS, "r", packed="565"), "packed='565' is for order='rgb', not for 'r'"),
        (
            lambda: lw.Image(FLOATS, normalized=True),
            "normalized=True is for integers of 8 and 16 bits, not for float32",
        ),
        (lambda: lw.Image(np.zeros((3, 3), "u1"), "rgba"), "the last axis has 4 contiguous elements"),
        (lambda: lw.Image(np.zeros((2, 2, 2, 2), "u1")), r"has shape \(w,\), \(h, w\) or \(d, h, w\)"),
        (lambda: lw.Image(np.zeros(2, "u1"), layered=True), r"has shape \(layers, w\) or"),
        (lambda: lw.Image(np.zeros((2, 0), "u1")), "each extent is 1 to 2\\^30 texels"),
        (lambda: lw.Image(FLOATS[:, ::2]), "texels of a row must lie side by side"),
        (lambda: lw.Image(np.zeros(9, "u1")[1:].view("f4")), "must lie at multiples of that"),
        (lambda: lw.Image(np.broadcast_to(np.zeros((1, 4), "f4"), (1 << 31, 4)), layered=True), "1 to 2\\^30 texels"),
        (lambda: lw.Sampler(*wrong("cubic")), "filter is 'nearest' or 'linear', not 'cubic'"),
        (lambda: lw.Sampler("linear", *wrong("wrap")), "address is 'none' or .*, not 'wrap'"),
        (lambda: lw.Sampler(address="repeat"), "address='repeat' needs normalized=True"),
    ],
)
def test_what_no_image_is_made_of(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(lw.Error, match=said):
        make()


def test_an_image_is_less_than_2_gib() -> None:
    one = np.zeros(1, "u1")
    rows = np.lib.stride_tricks.as_strided(one, (2, 1), (1 << 31, 1))
    with pytest.raises(lw.Error, match="it has at most 2147483647 bytes"):
        lw.Image(rows)


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(
        """
        kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
            write_imagef(out, (int2)(0), read_imagef(in, s, (float2)(0)));
        }
        kernel void depths(read_only image2d_depth_t in, global float *out) { out[0] = read_imagef(in, (int2)(1, 0)); }
        """,
        language="opencl",
    )


def frozen() -> lw.Image:
    array = np.zeros((2, 2), "f4")
    array.flags.writeable = False
    return lw.Image(array)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((FLOATS, lw.Image(FLOATS), lw.Sampler()), "'in': expected an lw.Image for image2d_t, not an array of float32"),
        ((lw.Image(FLOATS[0]), lw.Image(FLOATS), lw.Sampler()), "'in': image2d_t takes a 2-D image, not <image 1-D"),
        ((lw.Image(FLOATS, "depth"), lw.Image(FLOATS), lw.Sampler()), "takes an image of another order than 'depth'"),
        ((lw.Image(FLOATS), frozen(), lw.Sampler()), "'out': the kernel may write to .*: its array is read-only"),
        ((lw.Image(FLOATS), lw.Image(np.zeros((1, 1, 4), "u1"), "srgba"), lw.Sampler()), "its order is only read"),
        ((lw.Image(FLOATS), lw.Image(FLOATS), 18), "'s': expected an lw.Sampler for sampler_t, not int 18"),
    ],
)
def test_arguments_that_do_not_fit(module: lw.Module, given: tuple[Any, ...], said: str) -> None:
    with pytest.raises(lw.LaunchError, match=said):
        module["k"].ndrange(1)(*given)


def test_parameters_are_named(module: lw.Module) -> None:
    image, target, sampler = module["k"].params
    assert (image.kind, image.ctype, image.access) == ("image", "image2d_t", "read_only")
    assert (target.kind, target.access, sampler.kind, sampler.ctype) == ("image", "write_only", "sampler", "sampler_t")
    assert repr(lw.Image(FLOATS)) == "<image 2-D (3, 4), r, float32>"
    assert repr(lw.Sampler("linear", "repeat", True)) == "<sampler linear, repeat, normalized>"


def test_depths_are_numbers(module: lw.Module) -> None:
    out = np.zeros(1, "f4")
    module["depths"].ndrange(1)(lw.Image(np.array([[0, 65535]], "u2"), "depth"), out)
    assert out[0] == 1
    with pytest.raises(lw.LaunchError, match="image2d_depth_t takes an image of order 'depth'"):
        module["depths"].ndrange(1)(lw.Image(FLOATS), out)


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_images_are_of_buffers_too(module: lw.Module, device: str) -> None:
    source = lw.to_device(np.full((2, 2), 5, "f4"), device)
    target = lw.to_device(np.zeros((2, 2), "f4"), device)
    module["k"].ndrange(1, device=device)(lw.Image(source), lw.Image(target), lw.Sampler())
    assert target.copy_to_host().tolist() == [[5, 0], [0, 0]]


def test_texels_of_neighbours_are_loads_of_vectors_and_those_of_others_are_gathered():
    text = """
    kernel void k(read_only image1d_t in, global int *out) {
        int x = get_global_id(0);
        out[x] = read_imagei(in, PLACE).x;
    }
    """
    codes = dict[str, str]()
    for place in ("x+1", "x*x"):
        module = lw.compile(text, language="opencl", options=f"-D PLACE={place}", mapping="lanes:8x1")
        codes[place] = module.ir("work-group", block=64)
    gather = "call <8 x i32> @llvm.masked.gather.v8i32"
    assert gather not in codes["x+1"]
    assert gather in codes["x*x"]
    assert "@llvm.masked.load.v8i32" in codes["x+1"]
