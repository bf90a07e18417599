# SPDX-License-Identifier: Apache-2.0
"""Random programs of Python loops, run by Python and compiled: python -m tests.frontend.python.generator N

`values` and `operations` know what numbers of each type are and what arithmetic makes of them. `expressions` and
`statements` write text within a `scope`; `complex_numbers` and `rows` write expressions of complex numbers and of whole
arrays. `nests` writes functions, each of its own kind, and `helpers` those that they call. `program` puts them into one
module. `running` runs that both ways, Python with the stand-in `plain`, and compares.
"""
