# SPDX-License-Identifier: Apache-2.0
"""Loops that wait for another work-item.

spin_loops      finds them
progress        makes them tell the runtime core whether they get on
"""
