# SPDX-License-Identifier: Apache-2.0
"""OpenCL as a platform that programs find by the loader of cl_khr_icd.

runtime      the sources of the library, over the host runtime
library      the library, built
installed    where it is made known to loaders
description  what it says of its devices

Source: pocl (2014), sections 2 and 3; The OpenCL Specification 3.0.
"""
