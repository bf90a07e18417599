# SPDX-License-Identifier: Apache-2.0
"""The flag by which tests that are sampled run whole: LANEWISE_TEST_ALL_SHAPES=1."""

import os

EVERY_SHAPE = os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1"
