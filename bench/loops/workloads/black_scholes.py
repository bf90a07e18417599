# SPDX-License-Identifier: Apache-2.0
"""Prices of European options; the normal distribution is a polynomial (Abramowitz and Stegun 1964, 26.2.17)."""

import math

import numpy as np

import lanewise as lw

from ..workload import Workload

RATE, VOLATILITY = 0.02, 0.3
COEFFICIENTS = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
A1, A2, A3, A4, A5 = COEFFICIENTS


@lw.jit
def normal_distribution(x):
    k = 1.0 / (1.0 + 0.2316419 * abs(x))
    density = 0.3989422804014327 * math.exp(-0.5 * x * x)
    upper = density * k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5))))
    return 1.0 - upper if x > 0.0 else upper


@lw.jit
def black_scholes(price, strike, years, call, put):
    for i in lw.prange(len(price)):
        deviation = VOLATILITY * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years[i]) / deviation
        d2 = d1 - deviation
        discounted = strike[i] * math.exp(-RATE * years[i])
        n1 = normal_distribution(d1)
        n2 = normal_distribution(d2)
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


def _inputs(n, dtype):
    random = np.random.default_rng(17)
    price, strike, years = (random.uniform(*ends, n).astype(dtype) for ends in ((5, 30), (1, 100), (0.25, 10)))
    return price, strike, years, np.zeros(n, dtype), np.zeros(n, dtype)


def _reference(price, strike, years, call, put):
    def distribution(x):
        k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
        upper = 0.3989422804014327 * np.exp(-0.5 * x * x) * k * np.polyval(COEFFICIENTS[::-1], k)
        return np.where(x > 0.0, 1.0 - upper, upper)

    deviation = VOLATILITY * np.sqrt(years)
    d1 = (np.log(price / strike) + (RATE + 0.5 * VOLATILITY**2) * years) / deviation
    n1, n2 = distribution(d1), distribution(d1 - deviation)
    discounted = strike * np.exp(-RATE * years)
    return price * n1 - discounted * n2, discounted * (1.0 - n2) - price * (1.0 - n1)


WORKLOAD = Workload(
    black_scholes,
    _inputs,
    _reference,
    results=(3, 4),
    size=1 << 20,
    tiny=30,
    shown="1M options",
    dtypes=("float32", "float64"),
)
