# SPDX-License-Identifier: Apache-2.0
"""Prices of European options by the formula of Black and Scholes: exp, log, sqrt and divisions."""

import math

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_RATE, _VOLATILITY = np.float32(0.02), np.float32(0.3)
_HALF, _ONE = np.float32(0.5), np.float32(1)


def _normal_below(d: Array) -> Array:
    k = 1 / (1 + 0.2316419 * np.abs(d))
    series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 1 / math.sqrt(2 * math.pi) * np.exp(-0.5 * d * d) * series
    return np.where(d > 0, 1 - tail, tail)


def _prices(price: Array, strike: Array, years: Array) -> tuple[Array, Array]:
    s, x, t = (values.astype(np.float64) for values in (price, strike, years))
    d1 = (np.log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * np.sqrt(t))
    d2 = d1 - 0.3 * np.sqrt(t)
    below1, below2, discounted = _normal_below(d1), _normal_below(d2), x * np.exp(-0.02 * t)
    return s * below1 - discounted * below2, discounted * (1 - below2) - s * (1 - below1)


def _problem(n: int) -> Problem:
    random = np.random.default_rng(4)
    price, strike, years = (
        random.uniform(low, high, n).astype(np.float32) for low, high in ((5, 30), (1, 100), (0.25, 10))
    )
    call, put = np.zeros((2, n), np.float32)
    return Problem(
        arguments=(call, put, price, strike, years),
        global_size=(n,),
        local_size=(256,),
        results=(0, 1),
        expected=lambda: _prices(price, strike, years),
        tolerance=1e-5,
    )


def _numba(call, put, price, strike, years):
    for i in prange(call.size):
        s = price[i]
        x = strike[i]
        t = years[i]
        root = np.sqrt(t)
        d1 = (np.log(s / x) + (_RATE + _HALF * _VOLATILITY * _VOLATILITY) * t) / (_VOLATILITY * root)
        d2 = d1 - _VOLATILITY * root

        k = _ONE / (_ONE + np.float32(0.2316419) * np.abs(d1))
        series = np.float32(1.781477937) + k * (np.float32(-1.821255978) + k * np.float32(1.330274429))
        series = k * (np.float32(0.31938153) + k * (np.float32(-0.356563782) + k * series))
        tail = np.float32(0.3989423) * np.exp(-_HALF * d1 * d1) * series
        below1 = _ONE - tail if d1 > np.float32(0) else tail

        k = _ONE / (_ONE + np.float32(0.2316419) * np.abs(d2))
        series = np.float32(1.781477937) + k * (np.float32(-1.821255978) + k * np.float32(1.330274429))
        series = k * (np.float32(0.31938153) + k * (np.float32(-0.356563782) + k * series))
        tail = np.float32(0.3989423) * np.exp(-_HALF * d2 * d2) * series
        below2 = _ONE - tail if d2 > np.float32(0) else tail

        discounted = x * np.exp(-_RATE * t)
        call[i] = s * below1 - discounted * below2
        put[i] = discounted * (_ONE - below2) - s * (_ONE - below1)


KERNEL = Kernel(_problem, size=2 << 20, tiny=512, shown="2M options", numba=_numba)
