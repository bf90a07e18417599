# SPDX-License-Identifier: Apache-2.0
"""Functions of OpenCV on `cv2.UMat`, for recording: filters, geometry, colours, arithmetic, features, video.

python -m bench.unseen.record FOLDER/opencv PYTHON bench/unseen/programs/opencv_functions.py [GROUP ...]

GROUPs are filters, geometry, arithmetic and features; without any, all are called. PYTHON has opencv-python-headless.
OPENCV_OPENCL_DEVICE chooses the device ("Intel(R) OpenCL:CPU:") and OPENCV_OPENCL_RUNTIME the loader. Each step is
tried, and one that fails is named.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import cv2  # pyright: ignore[reportMissingImports] : of the environment that records
import numpy as np

HEIGHT, WIDTH = 1080, 1920
Steps = dict[str, Callable[[], object]]


def main() -> None:
    cv2.ocl.setUseOpenCL(True)
    print(cv2.ocl.haveOpenCL(), cv2.ocl.useOpenCL(), cv2.ocl.Device.getDefault().name(), file=sys.stderr)
    random = np.random.default_rng(3)
    groups = {"filters": _filters, "geometry": _geometry, "arithmetic": _arithmetic, "features": _features}
    for group in sys.argv[1:] or groups:
        for name, step in groups[group](random).items():
            try:
                step()
            except (cv2.error, AttributeError) as error:  # versions of OpenCV differ in what they have
                print(f"{name}: {error}".splitlines()[0], file=sys.stderr)


def _picture(random: np.random.Generator, channels: int, dtype: type = np.uint8) -> cv2.UMat:
    """Smooth shapes with some noise, from 0 to 255."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    waves = [128 + 80 * np.sin(x / (20.0 + 9 * c)) * np.cos(y / (31.0 + 5 * c)) for c in range(channels)]
    noisy = np.stack(waves, -1) + random.normal(0, 10, (HEIGHT, WIDTH, channels))
    return cv2.UMat(np.squeeze(np.clip(noisy, 0, 255).astype(dtype)))


def _filters(random: np.random.Generator) -> Steps:
    grey, colour, four = (_picture(random, channels) for channels in (1, 3, 4))
    floats = _picture(random, 1, np.float32)
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    square = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    kernel = np.array(random.random((5, 5)) / 25, np.float32)
    return {
        "blur": lambda: cv2.blur(grey, (5, 5)),
        "blur of colours": lambda: cv2.blur(colour, (7, 7)),
        "blur of floats": lambda: cv2.blur(floats, (3, 3)),
        "box filter": lambda: cv2.boxFilter(grey, cv2.CV_32F, (9, 9)),
        "square box filter": lambda: cv2.sqrBoxFilter(grey, cv2.CV_32F, (5, 5)),
        "gaussian": lambda: cv2.GaussianBlur(grey, (5, 5), 1.2),
        "gaussian 3": lambda: cv2.GaussianBlur(grey, (3, 3), 0),
        "gaussian of colours": lambda: cv2.GaussianBlur(colour, (9, 9), 2),
        "gaussian of floats": lambda: cv2.GaussianBlur(floats, (15, 15), 3),
        "median 3": lambda: cv2.medianBlur(grey, 3),
        "median 5": lambda: cv2.medianBlur(grey, 5),
        "median of colours": lambda: cv2.medianBlur(colour, 3),
        "bilateral": lambda: cv2.bilateralFilter(grey, 7, 40, 5),
        "bilateral of colours": lambda: cv2.bilateralFilter(colour, 5, 40, 5),
        "filter2D": lambda: cv2.filter2D(grey, -1, kernel),
        "filter2D of floats": lambda: cv2.filter2D(floats, -1, kernel),
        "filter2D of colours": lambda: cv2.filter2D(colour, -1, kernel),
        "sepFilter2D": lambda: cv2.sepFilter2D(grey, cv2.CV_32F, kernel[0], kernel[1]),
        "sobel x": lambda: cv2.Sobel(grey, cv2.CV_16S, 1, 0),
        "sobel of floats": lambda: cv2.Sobel(floats, cv2.CV_32F, 1, 1, ksize=5),
        "scharr": lambda: cv2.Scharr(grey, cv2.CV_16S, 0, 1),
        "laplacian": lambda: cv2.Laplacian(grey, cv2.CV_8U, ksize=3),
        "laplacian 5": lambda: cv2.Laplacian(grey, cv2.CV_16S, ksize=5),
        "erode": lambda: cv2.erode(grey, square),
        "dilate": lambda: cv2.dilate(colour, square, iterations=2),
        "erode by an ellipse": lambda: cv2.erode(grey, ellipse),
        "gradient": lambda: cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, ellipse),
        "open": lambda: cv2.morphologyEx(floats, cv2.MORPH_OPEN, square),
        "canny": lambda: cv2.Canny(grey, 50, 150),
        "canny by L2": lambda: cv2.Canny(grey, 50, 150, L2gradient=True),
        "pyrDown": lambda: cv2.pyrDown(grey),
        "pyrDown of colours": lambda: cv2.pyrDown(colour),
        "pyrUp": lambda: cv2.pyrUp(grey),
        "pyrUp of floats": lambda: cv2.pyrUp(floats),
        "border": lambda: cv2.copyMakeBorder(four, 5, 6, 7, 8, cv2.BORDER_REFLECT_101),
        "equalize": lambda: cv2.equalizeHist(grey),
        "clahe": lambda: cv2.createCLAHE(2.0, (8, 8)).apply(grey),
        "histogram": lambda: cv2.calcHist([grey], [0], None, [256], [0, 256]),
        "back projection": lambda: cv2.calcBackProject(
            [colour], [0, 1], cv2.UMat(np.ones((32, 32), np.float32)), [0, 256, 0, 256], 1
        ),
        "threshold": lambda: cv2.threshold(grey, 100, 255, cv2.THRESH_BINARY),
        "threshold by Otsu": lambda: cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU),
        "threshold of floats": lambda: cv2.threshold(floats, 100, 255, cv2.THRESH_TOZERO),
        "adaptive threshold": lambda: cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2
        ),
        "integral": lambda: cv2.integral(grey),
        "integral of squares": lambda: cv2.integral2(grey),
        "distances": lambda: cv2.distanceTransform(grey, cv2.DIST_L2, 3),
        "denoise": lambda: cv2.fastNlMeansDenoising(cv2.UMat(grey, (0, 270), (0, 480)), None, 10, 5, 11),
        "denoise colours": lambda: cv2.fastNlMeansDenoisingColored(
            cv2.UMat(colour, (0, 270), (0, 480)), None, 5, 5, 3, 7
        ),
    }


def _geometry(random: np.random.Generator) -> Steps:
    grey, colour = (_picture(random, channels) for channels in (1, 3))
    floats, four = _picture(random, 1, np.float32), _picture(random, 4)
    affine = np.array([[0.9, 0.2, 30], [-0.15, 1.05, 12]], np.float32)
    perspective = np.array([[0.9, 0.2, 30], [-0.15, 1.05, 12], [1e-5, 2e-5, 1]], np.float32)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    at = cv2.UMat(x + 9 * np.sin(y / 40)), cv2.UMat(y + 7 * np.cos(x / 30))
    steps: Steps = {
        "remap": lambda: cv2.remap(grey, *at, cv2.INTER_LINEAR),
        "remap to the nearest": lambda: cv2.remap(colour, *at, cv2.INTER_NEAREST),
        "transpose": lambda: cv2.transpose(grey),
        "transpose of colours": lambda: cv2.transpose(colour),
        "flip": lambda: cv2.flip(grey, 1),
        "flip of colours": lambda: cv2.flip(colour, -1),
        "rotate": lambda: cv2.rotate(four, cv2.ROTATE_90_CLOCKWISE),
        "repeat": lambda: cv2.repeat(cv2.resize(grey, (640, 480)), 2, 3),
        "merge": lambda: cv2.merge([grey, grey, grey]),
        "split": lambda: cv2.split(colour),
        "extract": lambda: cv2.extractChannel(colour, 1),
        "look up": lambda: cv2.LUT(grey, np.arange(255, -1, -1).astype(np.uint8)),
        "copy where": lambda: cv2.copyTo(colour, cv2.threshold(grey, 100, 255, cv2.THRESH_BINARY)[1]),
        "undistort": lambda: cv2.undistort(
            grey, np.array([[1000, 0, 960], [0, 1000, 540], [0, 0, 1.0]]), np.array([0.1, -0.05, 0, 0, 0])
        ),
    }
    ways = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA, "cubic": cv2.INTER_CUBIC}
    for name, way in ways.items():
        steps[f"resize {name}"] = lambda way=way: cv2.resize(grey, (1280, 720), interpolation=way)
        steps[f"resize colours {name}"] = lambda way=way: cv2.resize(colour, (960, 540), interpolation=way)
        if name != "area":
            steps[f"affine {name}"] = lambda way=way: cv2.warpAffine(grey, affine, (WIDTH, HEIGHT), flags=way)
            steps[f"perspective {name}"] = lambda way=way: cv2.warpPerspective(
                floats, perspective, (WIDTH, HEIGHT), flags=way
            )
    codes = (
        "BGR2GRAY GRAY2BGR BGR2RGB BGR2BGRA BGR2HSV HSV2BGR BGR2HLS HLS2BGR BGR2Lab Lab2BGR BGR2Luv Luv2BGR BGR2XYZ "
        "XYZ2BGR BGR2YCrCb YCrCb2BGR BGR2YUV YUV2BGR BGR2YUV_I420 BGR2BGR565 BGRA2GRAY"
    )
    for code in codes.split():
        given = grey if code.startswith("GRAY") else four if code.startswith("BGRA") else colour
        number = getattr(cv2, f"COLOR_{code}")
        steps[f"colours {code}"] = lambda number=number, given=given: cv2.cvtColor(given, number)
    planes = cv2.UMat(random.integers(0, 256, (HEIGHT * 3 // 2, WIDTH), np.uint8))
    for code in ("YUV2BGR_NV12", "YUV2BGR_I420"):
        number = getattr(cv2, f"COLOR_{code}")
        steps[f"colours {code}"] = lambda number=number: cv2.cvtColor(planes, number)
    return steps


def _arithmetic(random: np.random.Generator) -> Steps:
    grey, other = _picture(random, 1), _picture(random, 1)
    colour, floats = _picture(random, 3), _picture(random, 1, np.float32)
    reals = cv2.UMat(random.random((HEIGHT, WIDTH), np.float32) + np.float32(0.5))
    a, b = (cv2.UMat(random.random((512, 512), np.float32)) for _ in range(2))
    pair = cv2.UMat(random.random((512, 512, 2), np.float32))
    return {
        "add": lambda: cv2.add(grey, other),
        "subtract colours": lambda: cv2.subtract(colour, colour),
        "add floats": lambda: cv2.add(floats, reals),
        "multiply": lambda: cv2.multiply(grey, other, scale=0.01),
        "divide": lambda: cv2.divide(grey, other),
        "divide floats": lambda: cv2.divide(floats, reals),
        "add weighted": lambda: cv2.addWeighted(grey, 0.3, other, 0.7, 5),
        "scale and add": lambda: cv2.scaleAdd(floats, 0.5, reals),
        "absolute difference": lambda: cv2.absdiff(grey, other),
        "and": lambda: cv2.bitwise_and(grey, other),
        "and where": lambda: cv2.bitwise_and(grey, other, mask=other),
        "not": lambda: cv2.bitwise_not(colour),
        "greater": lambda: cv2.compare(grey, other, cv2.CMP_GT),
        "in range": lambda: cv2.inRange(colour, np.array([20, 20, 20]), np.array([150, 160, 170])),
        "minimum": lambda: cv2.min(floats, reals),
        "exponential": lambda: cv2.exp(reals),
        "logarithm": lambda: cv2.log(reals),
        "power": lambda: cv2.pow(reals, 2.5),
        "square root": lambda: cv2.sqrt(reals),
        "magnitude": lambda: cv2.magnitude(floats, reals),
        "phase": lambda: cv2.phase(floats, reals),
        "to polar": lambda: cv2.cartToPolar(floats, reals),
        "from polar": lambda: cv2.polarToCart(floats, reals),
        "convert": lambda: cv2.convertScaleAbs(floats, alpha=0.5, beta=3),
        "convert and keep": lambda: cv2.normalize(floats, None, 0, 1, cv2.NORM_MINMAX),
        "sum": lambda: cv2.sumElems(colour),
        "mean": lambda: cv2.mean(grey),
        "mean and deviation": lambda: cv2.meanStdDev(colour),
        "norm": lambda: cv2.norm(floats, reals, cv2.NORM_L2),
        "norm of bytes": lambda: cv2.norm(grey, cv2.NORM_L1),
        "greatest difference": lambda: cv2.norm(grey, other, cv2.NORM_INF),
        "least and greatest": lambda: cv2.minMaxLoc(grey),
        "least and greatest of floats": lambda: cv2.minMaxLoc(floats),
        "non-zero": lambda: cv2.countNonZero(grey),
        "sums of rows": lambda: cv2.reduce(floats, 1, cv2.REDUCE_SUM),
        "sums of columns": lambda: cv2.reduce(grey, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S),
        "matrix product": lambda: cv2.gemm(a, b, 1, None, 0),
        "product with a transposed matrix": lambda: cv2.gemm(a, b, 1.5, a, 0.5, flags=cv2.GEMM_2_T),
        "transform": lambda: cv2.transform(colour, np.array(random.random((3, 3)), np.float32)),
        "identity": lambda: cv2.setIdentity(a),
        "Fourier": lambda: cv2.dft(pair),
        "real Fourier": lambda: cv2.dft(a, flags=cv2.DFT_COMPLEX_OUTPUT),
        "inverse Fourier": lambda: cv2.idft(pair, flags=cv2.DFT_SCALE),
        "product of spectra": lambda: cv2.mulSpectrums(pair, pair, 0),
        "accumulate": lambda: cv2.accumulate(grey, floats),
        "accumulate squares": lambda: cv2.accumulateSquare(grey, floats),
        "accumulate products": lambda: cv2.accumulateProduct(grey, other, floats),
        "accumulate weighted": lambda: cv2.accumulateWeighted(grey, floats, 0.1),
        "not a number": lambda: cv2.patchNaNs(floats, 0),
    }


def _features(random: np.random.Generator) -> Steps:
    grey, colour, floats = _picture(random, 1), _picture(random, 3), _picture(random, 1, np.float32)
    small, moved = (cv2.resize(grey, (640, 360)) for _ in range(2))
    patch = cv2.UMat(grey, (100, 132), (200, 232))
    first, second = (cv2.UMat(random.random((1000, 64), np.float32)) for _ in range(2))
    bits, others = (cv2.UMat(random.integers(0, 256, (1000, 32), np.uint8)) for _ in range(2))
    points = cv2.UMat((random.random((500, 1, 2)) * [600, 320] + 20).astype(np.float32))
    steps: Steps = {
        "corners": lambda: cv2.cornerHarris(grey, 3, 3, 0.04),
        "least eigenvalue": lambda: cv2.cornerMinEigenVal(grey, 3),
        "good features": lambda: cv2.goodFeaturesToTrack(grey, 500, 0.01, 10),
        "FAST": lambda: cv2.FastFeatureDetector_create(20).detect(grey),
        "ORB": lambda: cv2.ORB_create(500).detectAndCompute(grey, None),
        "match by L2": lambda: cv2.BFMatcher(cv2.NORM_L2).match(first, second),
        "match by L1": lambda: cv2.BFMatcher(cv2.NORM_L1).knnMatch(first, second, 2),
        "match by bits": lambda: cv2.BFMatcher(cv2.NORM_HAMMING).match(bits, others),
        "optical flow by Farneback": lambda: cv2.calcOpticalFlowFarneback(small, moved, None, 0.5, 2, 13, 2, 5, 1.1, 0),
        "optical flow by Lucas and Kanade": lambda: cv2.calcOpticalFlowPyrLK(small, moved, points, None),
        "dense inverse search": lambda: cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST).calc(
            small, moved, None
        ),
        "mixture of Gaussians": lambda: cv2.createBackgroundSubtractorMOG2().apply(colour),
        "nearest neighbours": lambda: cv2.createBackgroundSubtractorKNN().apply(colour),
        "histograms of gradients": lambda: _people(small),
        "cascade": lambda: _faces(grey),
        "lines": lambda: cv2.HoughLines(cv2.Canny(small, 50, 150), 1, np.pi / 180, 100),
        "line segments": lambda: cv2.HoughLinesP(cv2.Canny(small, 50, 150), 1, np.pi / 180, 50),
    }
    methods = "SQDIFF SQDIFF_NORMED CCORR CCORR_NORMED CCOEFF CCOEFF_NORMED"
    for method in methods.split():
        number = getattr(cv2, f"TM_{method}")
        steps[f"match template {method}"] = lambda number=number: cv2.matchTemplate(small, patch, number)
    steps["match template of floats"] = lambda: cv2.matchTemplate(
        floats, cv2.UMat(floats, (50, 58), (60, 68)), cv2.TM_SQDIFF
    )
    return steps


def _people(picture: cv2.UMat) -> object:
    finder = cv2.HOGDescriptor()
    finder.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())
    return finder.detectMultiScale(picture)


def _faces(picture: cv2.UMat) -> object:
    return cv2.CascadeClassifier(f"{cv2.data.haarcascades}haarcascade_frontalface_alt.xml").detectMultiScale(picture)


if __name__ == "__main__":
    main()
