# SPDX-License-Identifier: Apache-2.0
"""`bench.transfers` has 50 nests, and times what the host and the link do for each."""

import numpy as np
from bench.transfers import nests, seconds

from lanewise.transfer.costs import TransferCosts
from lanewise.transfer.plan import plan


def test_the_nests_are_fifty_and_have_different_best_transfers():
    made = dict(nests())
    assert len(made) == 50
    assert {plan(*nest, "auto", strided=True).transfers for nest in made.values()} >= {"exact", "interval"}


def test_the_time_of_a_transfer_has_the_links_part_and_the_hosts():
    memory, slow = np.zeros(1 << 20, np.uint8), TransferCosts(start=1.0, per_byte=1e-3)
    nest = dict(nests())["one column of 60"]
    assert 2.96 < seconds(plan(*nest, "exact", strided=True), slow, memory, 1) < 3.5  # 2 x (1 s and 480 bytes)
    whole = 3 * (1 + 28.8)  # in, in since a part is written, and out
    assert abs(seconds(plan(*nest, "whole", strided=True), slow, memory, 1) - whole) < 1e-6
