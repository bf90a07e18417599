# SPDX-License-Identifier: Apache-2.0
"""`python -m lanewise`: the command line."""

from lanewise.cli.ending import command

command()
