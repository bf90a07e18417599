# SPDX-License-Identifier: Apache-2.0
"""Memory on devices.

buffer       Buffer: an array on a device
transfers    copies and fills in streams
allocation   memory that only the device can access
staging      launches on such devices: the host's arrays are copied there and back
"""
